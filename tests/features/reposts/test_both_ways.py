"""Home read in both directions, and by kind: pages of one reading fit together, whatever changes meanwhile."""

import random
from typing import Any

import pytest

from tests.support.boundaries import block, mute
from tests.support.follows import follow_people
from tests.support.paging import walk_back
from tests.support.posts import publish, published
from tests.support.reposts import BOTH_WAYS, repost
from tests.support.system import Person, System

COUNT = "query ($since: String!) { viewer { homeNewCount(since: $since) } }"
IMAGE = [{"url": "https://images.example.com/a.png", "alt": "a"}]
FILM = """mutation { publishPost(input: {
  text: "film", attachments: [{kind: VIDEO, url: "https://images.example.com/b.mp4"}], idempotencyKey: "film"
}) { userErrors { code } } }"""


async def page(person: Person, **arguments: Any) -> Any:
    return (await person.ask(BOTH_WAYS, **arguments))["viewer"]["page"]


def texts(of: Any) -> list[str]:
    return [edge["node"]["text"] for edge in of["edges"]]


async def everything(person: Person, filter_: Any = None) -> Any:
    """Returns the home of a person in one page."""
    found = await page(person, first=100, filter=filter_)
    assert not found["pageInfo"]["hasNextPage"]
    return found


async def backward(person: Person, before: str | None, last: int, filter_: Any = None) -> list[str]:
    """Returns the texts of all pages before a cursor (None: the end of the list), newest first."""
    return await walk_back(person, BOTH_WAYS, "text", before, last, filter=filter_)


async def scene(system: System) -> tuple[Person, Person, Person]:
    """Makes a reader who follows two users; these have ten posts each, and have reposted some of the other's."""
    reader, ann, bob = map(system.person, ("reader", "ann", "bob"))
    await follow_people(reader, ann, bob)
    for number in range(5):
        ones = await published(ann, f"ann {number}a", f"ann {number}b")
        await published(bob, f"bob {number}a", f"bob {number}b")
        await system.drain()
        if number % 2 == 0:
            await repost(bob, ones[0])
            await system.drain()
    return reader, ann, bob


@pytest.mark.parametrize("last", [1, 3, 7, 50])
async def test_pages_read_backward_are_those_read_forward(system: System, last: int) -> None:
    reader, *_ = await scene(system)
    found = await everything(reader)
    assert len(found["edges"]) == 20
    cursors = [edge["cursor"] for edge in found["edges"]]
    assert await backward(reader, cursors[-1], last) == texts(found)[:-1]
    assert await backward(reader, None, last) == texts(found)
    middle = await page(reader, last=last, before=cursors[10])
    assert texts(middle) == texts(found)[max(0, 10 - last) : 10]
    assert texts(await page(reader, first=5, after=middle["pageInfo"]["endCursor"])) == texts(found)[10:15]


@pytest.mark.parametrize(
    "filter_", [{"kinds": ["POSTS"]}, {"kinds": ["REPOSTS"]}, {"hasImages": True}, {"hasImages": False}]
)
async def test_a_filter_leaves_out_the_other_entries_in_both_directions(system: System, filter_: Any) -> None:
    reader, ann, _ = await scene(system)
    for number in range(3):
        assert (await publish(ann, f"picture {number}", images=IMAGE))["userErrors"] == []
        await published(ann, f"words {number}")
    assert (await ann.ask(FILM))["publishPost"]["userErrors"] == []  # a post with a video has no image
    await system.drain()
    every = await everything(reader)
    reposts = [edge["node"]["text"] for edge in every["edges"] if edge["homeReason"]]
    pictures = [f"picture {number}" for number in range(3)]
    wanted = {
        "POSTS": sorted(texts(every)),
        "REPOSTS": sorted(reposts),
        "IMAGES": pictures,
        "OTHERS": sorted({*texts(every)} - {*pictures}),
    }
    expected = wanted["".join(filter_.get("kinds", ["IMAGES" if filter_.get("hasImages") else "OTHERS"]))]
    found = await everything(reader, filter_)
    assert sorted(texts(found)) == expected
    assert await backward(reader, None, 2, filter_) == texts(found)
    first = await page(reader, first=2, filter=filter_)
    rest = await page(reader, first=100, after=first["pageInfo"]["endCursor"], filter=filter_)
    assert texts(first) + texts(rest) == texts(found)


async def test_new_entries_are_above_the_first_page_and_move_no_entry_of_the_reading(system: System) -> None:
    reader, ann, bob = await scene(system)
    first = await page(reader, first=10)
    old = await everything(reader)
    start, texts_before = first["pageInfo"]["startCursor"], texts(old)
    (fresh,) = await published(ann, "fresh")
    await system.drain()
    await repost(bob, fresh)  # has its first place above, and keeps it
    lowest = old["edges"][-1]
    await system.drain()
    assert await backward(reader, start, 1) == ["fresh"]
    assert await backward(reader, lowest["cursor"], 4) == ["fresh", *texts_before[:-1]]
    assert (await reader.ask(COUNT, since=start))["viewer"]["homeNewCount"] == 1


async def test_random_pages_of_a_changing_home_repeat_no_post(system: System) -> None:
    chance = random.Random(7)
    reader, ann, bob = await scene(system)
    ids = {}
    first = await page(reader, first=8)
    known = texts(first)
    start, end = first["pageInfo"]["startCursor"], first["pageInfo"]["endCursor"]
    for number in range(12):
        author, other = chance.sample([ann, bob], 2)
        (ids[number],) = await published(author, f"new {number}")
        await system.drain()
        await repost(other, ids[chance.choice(sorted(ids))])
        await system.drain()
        if chance.random() < 0.5:
            one = await page(reader, last=chance.randint(1, 3), before=start)
            start = one["pageInfo"]["startCursor"] or start
            known = texts(one) + known
        else:
            one = await page(reader, first=chance.randint(1, 3), after=end)
            end = one["pageInfo"]["endCursor"] or end
            known += texts(one)
    known = await backward(reader, start, 3) + known
    assert len(known) == len({*known})
    assert {f"new {number}" for number in range(12)} <= {*known}


async def test_arguments_of_both_directions_are_refused(system: System) -> None:
    reader, *_ = await scene(system)
    cursor = (await page(reader, first=1))["pageInfo"]["endCursor"]
    wrong: list[dict[str, Any]] = [
        *({"first": 1, "last": 1}, {"last": 1, "after": cursor}, {"first": 1, "before": cursor}, {"before": cursor}),
        *({"last": 0}, {"last": 101}),
    ]
    for arguments in wrong:
        answer = (await reader.send(BOTH_WAYS, **arguments)).json()
        assert [error["extensions"]["code"] for error in answer["errors"]] == ["BAD_INPUT"], arguments
    answer = (await reader.send(BOTH_WAYS, last=1, before="abc")).json()
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["BAD_CURSOR"]


async def test_a_mute_and_a_block_hide_posts_in_backward_pages_and_filters(system: System) -> None:
    reader, ann, bob = await scene(system)
    start = (await everything(reader))["edges"][-1]["cursor"]
    await mute(reader, await ann.id())
    for filter_ in (None, {"kinds": ["POSTS"]}, {"hasImages": False}):
        found = await backward(reader, None, 3, filter_)
        assert found == [f"bob {number}{one}" for number in range(4, -1, -1) for one in "ba"], filter_
    await block(bob, await reader.id())
    assert await backward(reader, None, 3) == await backward(reader, start, 3) == []
