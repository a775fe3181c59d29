"""Who reads the earlier versions of posts and comments, and what a page of them has."""

from datetime import datetime
from pathlib import Path

import pytest

from settings.businesses import read_businesses
from settings.moderation import ModerationSettings
from tests.support import comments, posts
from tests.support.boundaries import block
from tests.support.costs import cost
from tests.support.edit_history import HISTORY, IMAGES, edited, page, versions
from tests.support.system import System

SQUARE = "{ square(first: 20) { nodes { id editHistory(first: 5) { nodes { text } } } } }"
PLAIN = "{ square(first: 20) { nodes { id editedAt } } }"


async def test_the_author_and_moderators_read_all_earlier_versions_newest_first(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    post = await edited(system, alice, "one", "two", "three", images=IMAGES)
    shown = await posts.seen(bob, post)

    assert await versions(alice, post) == await versions(mia, post) == ["two", "one"]
    assert await versions(bob, post) is None
    assert await versions(system.person(None), post) is None
    two, one = (await page(mia, post))["nodes"]
    assert (one["images"], one["attachments"]) == ([{"alt": "a cat"}], [{"alt": "a cat"}])
    times = [datetime.fromisoformat(at) for at in (one["createdAt"], two["createdAt"], shown["editedAt"])]
    assert one["createdAt"] == shown["createdAt"]
    assert sorted(times) == times


async def test_a_post_that_was_never_edited_has_an_empty_history(system: System) -> None:
    alice = system.person("alice")
    post = await edited(system, alice, "one")
    await posts.edit(alice, post, text="one")
    await system.drain()

    assert await versions(alice, post) == []
    assert await versions(system.person("bob"), post) is None


async def test_pages_follow_each_other(system: System) -> None:
    alice = system.person("alice")
    post = await edited(system, alice, "one", "two", "three", "four")

    first = await page(alice, post, first=2)
    rest = await page(alice, post, first=2, after=first["pageInfo"]["endCursor"])

    assert [node["text"] for node in first["nodes"] + rest["nodes"]] == ["three", "two", "one"]
    assert [one["pageInfo"]["hasNextPage"] for one in (first, rest)] == [True, False]


async def test_a_cursor_of_another_history_is_refused(system: System) -> None:
    alice = system.person("alice")
    post, other = await edited(system, alice, "one", "two"), await edited(system, alice, "three")
    cursor = (await page(alice, post))["pageInfo"]["endCursor"]

    for wrong in ({"after": cursor}, {"first": 0}, {"first": 101}):
        answer = (await alice.send(HISTORY, id=other, **wrong)).json()
        assert [error["extensions"]["code"] for error in answer["errors"]] in (["BAD_CURSOR"], ["BAD_INPUT"])


@pytest.mark.parametrize("drains", [False, True])
async def test_the_author_finds_a_new_version_at_once(system: System, drains: bool) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = (await posts.publish(alice, "one"))["post"]["id"]
    if drains:
        await system.drain()
    await posts.edit(alice, post, text="two")
    await posts.edit(alice, post, text="three")
    before = await page(alice, post)
    await system.drain()

    assert [node["text"] for node in before["nodes"]] == ["two", "one"]
    assert await page(alice, post) == await page(mia, post)
    assert (await page(mia, post))["nodes"] == before["nodes"]


async def test_a_comment_has_a_history(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (video,) = await system.videos("v1")
    comment = await comments.added(alice, video, "one")
    await system.drain()
    await comments.edit(alice, comment, text="two")
    assert await versions(alice, comment) == ["one"]
    await system.drain()

    assert await versions(alice, comment) == await versions(mia, comment) == ["one"]
    assert await versions(bob, comment) is None


async def test_a_public_history_is_read_by_all_who_see_the_content(public: System) -> None:
    alice, bob, carol = public.person("alice"), public.person("bob"), public.person("carol")
    post = await edited(public, alice, "one", "two")
    (video,), (article,) = await public.videos("v1"), await public.videos("a1", business="article")
    on_video, on_article = [await comments.added(alice, subject, f"hi {subject}") for subject in (video, article)]
    for comment in (on_video, on_article):
        await comments.edit(alice, comment, text="changed")
    await public.drain()
    await block(alice, await carol.id())

    for reader in (bob, public.person(None)):
        assert await versions(reader, post) == ["one"]
        assert await versions(reader, on_video) == [f"hi {video}"]
        assert await versions(reader, on_article) is None
    assert (await carol.ask(HISTORY, id=post))["node"] is None


async def test_a_version_that_was_never_approved_is_not_public(public: System) -> None:
    alice, bob, mia = public.person("alice"), public.person("bob"), public.person("mia", "moderate")
    post = await edited(public, alice, "one", "two")
    await posts.decide(mia, post, "REJECT")
    await public.drain()
    await posts.edit(alice, post, text="three")
    await public.drain()

    assert await versions(bob, post) == ["one"]
    assert await versions(alice, post) == await versions(mia, post) == ["two", "one"]


async def test_deleted_content_and_tombstones_show_no_history(public: System) -> None:
    alice, bob, mia = public.person("alice"), public.person("bob"), public.person("mia", "moderate")
    post = await edited(public, alice, "one", "two")
    (video,) = await public.videos("v1")
    root = await comments.added(alice, video, "root")
    await public.drain()
    await comments.added(bob, video, "reply", root)
    await comments.edit(alice, root, text="changed")
    await public.drain()
    await comments.delete(alice, root)
    await posts.delete(alice, post)

    assert (await alice.ask(HISTORY, id=root))["node"]["editHistory"] is None
    await public.drain()
    for reader in (alice, bob, mia):
        assert (await reader.ask(HISTORY, id=root))["node"]["editHistory"] is None
        assert (await reader.ask(HISTORY, id=post))["node"] is None


async def test_a_page_of_posts_reads_all_histories_in_one_query(public: System) -> None:
    alice, bob = public.person("alice"), public.person("bob")
    for number in range(6):
        await edited(public, alice, f"post {number}", *([f"edited {number}"] if number % 2 else []))

    await bob.ask(SQUARE)
    plain, asked = await cost(bob, PLAIN), await cost(bob, SQUARE)

    assert (asked[0], asked[1]) == (plain[0], plain[1] + 1)
    nodes = (await bob.ask(SQUARE))["square"]["nodes"]
    found = [[one["text"] for one in node["editHistory"]["nodes"]] for node in nodes]
    assert found == [["post 5"], [], ["post 3"], [], ["post 1"], []]


async def test_a_history_that_nobody_may_read_costs_nothing(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await edited(system, alice, "one", "two")
    await edited(system, alice, "never edited")

    await bob.ask(SQUARE)
    assert await cost(bob, SQUARE) == await cost(bob, PLAIN)


def test_comments_have_no_history_setting_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text('business = []\n[comment]\nedit_history = "public"\n')
    with pytest.raises(ValueError, match="cannot have edit_history"):
        read_businesses(file, (), ModerationSettings())
