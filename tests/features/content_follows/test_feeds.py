"""Viewer.followedTopicsFeed, and posts of followed topics in home."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from tests.support.boundaries import block, mute
from tests.support.content_follows import (
    FEED,
    HOME,
    entries,
    feed,
    follow_topics,
    home,
    show_topics_in_home,
    unfollow_topics,
)
from tests.support.follows import follow_people
from tests.support.outages import Away, both_ways
from tests.support.posts import decide, delete, edit, publish
from tests.support.private_accounts import make_private
from tests.support.reposts import repost
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    settings = make_settings(moderation=LENIENT, local_cache_seconds=0, people={"topic_spacing": 2})
    async with running(settings) as one:
        yield one


async def write(author: Person, text: str, *topics: str) -> str:
    """Publishes a post. Returns its id."""
    return str((await publish(author, text, *topics))["post"]["id"])


async def reader(system: System, *topics: str) -> Person:
    """Returns alice, who follows ann and these topics, and sees topics in home. The topics have a post of bob."""
    alice, bob = system.person("alice"), system.person("bob")
    await follow_people(alice, system.person("ann"))
    for name in topics:
        await write(bob, f"first of {name}", name)
    await system.drain()
    await follow_topics(alice, *topics)
    await show_topics_in_home(alice)
    return alice


async def test_the_feed_merges_the_topics_and_says_which_one(system: System) -> None:
    alice, bob = await reader(system, "cats", "dogs"), system.person("bob")
    await write(bob, "both", "birds", "dogs", "cats")
    await write(bob, "neither", "birds")
    await write(bob, "cats", "Cats")
    await system.drain()

    assert await entries(alice, FEED) == [
        ("cats", "cats"),
        ("both", "dogs"),
        ("first of dogs", "dogs"),
        ("first of cats", "cats"),
    ]
    assert await feed(alice, 1) == await feed(alice, 3) == await feed(alice)
    await unfollow_topics(alice, "dogs")
    assert await entries(alice, FEED) == [("cats", "cats"), ("both", "cats"), ("first of cats", "cats")]
    await unfollow_topics(alice, "cats")
    assert await feed(alice) == []


async def test_the_feed_has_own_posts_at_once_and_follows_edits(system: System) -> None:
    alice = await reader(system, "cats")
    own = await write(alice, "mine", "cats")
    other = await write(system.person("bob"), "changes", "cats")
    assert (await feed(alice))[0] == "mine"
    await system.drain()
    assert await feed(alice) == ["changes", "mine", "first of cats"]
    await edit(system.person("bob"), other, topics=["birds"])
    await delete(alice, own)
    await system.drain()
    assert await feed(alice) == ["first of cats"]


async def test_home_has_topics_between_other_posts_and_says_why(system: System) -> None:
    alice, ann, bob = await reader(system, "cats"), system.person("ann"), system.person("bob")
    for number in range(6):
        await write(ann, f"ann {number}")
        await write(bob, f"bob {number}", "cats")
        await write(ann, f"ann's cat {number}", "cats")
    await write(bob, "top", "cats")
    await system.drain()

    found = await home(alice)
    assert found[:3] == [("top", "cats"), ("ann's cat 5", None), ("ann 5", None)]
    assert found[3:] == [
        entry
        for number in range(4, -1, -1)
        for entry in ((f"ann's cat {number}", None), (f"bob {number}", "cats"), (f"ann {number}", None))
    ]
    await show_topics_in_home(alice, False)
    assert all(why is None for _, why in await home(alice))


async def test_home_without_other_posts_stays_empty(system: System) -> None:
    alice = await reader(system, "cats")
    assert await home(alice) == []


async def test_a_repost_above_keeps_a_post_of_a_topic_from_being_repeated(system: System) -> None:
    alice, ann = await reader(system, "cats"), system.person("ann")
    await write(ann, "ann 0")
    post = await write(system.person("bob"), "wanted", "cats")
    for number in range(1, 5):
        await write(ann, f"ann {number}")
    await system.drain()
    assert [text for text, _ in await home(alice)].count("wanted") == 1
    await repost(ann, post)
    await system.drain()
    query = HOME.replace("kind topic { name }", "kind").replace("edges {", "edges { cursor")
    for first in (1, 2, 3, 100):
        texts, after, more = [], None, True
        while more:
            page = (await alice.ask(query, first=first, after=after))["viewer"]["page"]
            after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
            texts += [edge["node"]["text"] for edge in page["edges"]]
        assert texts.count("wanted") == 1, first
        assert texts[0] == "wanted"


async def test_timelines_leave_out_what_the_viewer_must_not_see(system: System) -> None:
    alice, ann = await reader(system, "cats"), system.person("ann")
    people = {name: system.person(name) for name in ("bea", "ben", "max", "pat", "hana", "sila", "rex", "del")}
    await write(ann, "ann 0")
    posts = {}
    for name, person in people.items():
        posts[name] = await write(person, f"{name}'s", "cats")
        await write(ann, f"after {name}")
        await write(ann, f"after {name} again")
    await system.drain()
    seen = {text for text, why in await home(alice) if why}
    assert seen == {f"{name}'s" for name in people}
    assert {f"{name}'s" for name in people} < {*await feed(alice)}

    mia = moderator(system)
    await block(alice, await people["bea"].id())
    await block(people["ben"], await alice.id())
    await mute(alice, await people["max"].id())
    await make_private(people["pat"])
    await suspend(mia, await people["hana"].id(), "HIDDEN")
    await suspend(mia, await people["sila"].id(), "SHADOW")
    later = {"rex's", "del's"}
    assert {text for text, why in await home(alice) if why} == later
    assert {*await feed(alice)} == later | {"first of cats"}
    await decide(mia, posts["rex"], "REJECT")
    await delete(people["del"], posts["del"])
    await system.drain()
    for _ in range(3):
        assert not [text for text, why in await home(alice) if why]
        assert await feed(alice) == ["first of cats"]
        await system.empty_redis()


async def test_a_followed_author_needs_no_topic(system: System) -> None:
    alice, bob = await reader(system, "cats"), system.person("bob")
    await write(bob, "bob's", "cats")
    await write(alice, "mine", "cats")
    await write(system.person("ann"), "ann's")
    await system.drain()
    assert ("bob's", "cats") not in await home(alice)  # it is below all but one of the other posts
    await follow_people(alice, bob)
    await system.drain()
    assert [why for _, why in await home(alice)] == [None] * 4
    await follow_people(alice, bob, verb="unfollow")
    assert [text for text, _ in await home(alice)] == ["ann's", "mine"]


async def test_many_topics_cost_no_query_once_their_lists_are_cached(system: System) -> None:
    names = [f"t{number}" for number in range(30)]
    alice = await reader(system, *names)
    for number in range(40):
        await write(system.person("bob"), f"post {number}", names[number % 3], names[10 + number % 15])
    for number in range(12):
        await write(system.person("ann"), f"ann {number}")
    await system.drain()
    expected = [*(f"post {number}" for number in range(39, -1, -1)), *(f"first of {name}" for name in reversed(names))]
    await system.empty_redis()
    for _ in ("cold", "partly cached", "partly cached", "cached"):
        assert await feed(alice, 7) == expected
    assert await feed(alice, 100) == expected


@both_ways
async def test_timelines_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice, ann = await reader(system, "cats"), system.person("ann")
    await write(ann, "ann's")
    await write(system.person("bob"), "bob's", "cats")
    await system.drain()
    assert await home(alice) == [("bob's", "cats"), ("ann's", None)]
    async with away(valkey, system.state.redis):
        for query, texts in ((FEED, ["bob's", "first of cats"]), (HOME, ["ann's"])):
            page = (await alice.send(query, first=10)).json()["data"]["viewer"]["page"]
            assert page is None or [edge["node"]["text"] for edge in page["edges"]] == texts


@both_ways
async def test_timelines_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, ann = await reader(system, "cats"), system.person("ann")
    await write(ann, "ann's")
    await write(system.person("bob"), "bob's", "cats")
    await system.drain()
    expected = await home(alice), await feed(alice)
    async with away(postgres, system.state.postgres):
        assert (await home(alice), await feed(alice)) == expected
