"""Typeahead and search find topics by name, most posts first, if all users may see a post of theirs."""

import pytest

from tests.support.posts import delete, publish
from tests.support.private_accounts import make_private
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import System
from tests.support.topics import SEARCH, TYPED, searched, typed, write_about
from workers.topic_recounts import recount_topics

pytestmark = standalone


async def test_topics_are_found_by_their_beginning_most_posts_first(system: System) -> None:
    reader = system.person(None)
    await write_about(system, 3, "catnip", "cats")
    await write_about(system, 2, "cats", "dogs")
    await write_about(system, 1, "straße", "rock'n'roll")

    assert await typed(reader, "cat") == ["cats", "catnip"]
    assert await typed(reader, "#CAT") == ["cats", "catnip"]
    assert await typed(reader, "cat", first=1) == ["cats"]
    assert await typed(reader, "") == ["cats", "catnip", "dogs", "rock'n'roll", "straße"]
    assert await typed(reader, "STRASS") == ["straße"]
    assert await typed(reader, "rock\u2019") == ["rock'n'roll"]
    assert await typed(reader, "c_ts") == []
    assert await typed(reader, "c%") == []
    assert await typed(reader, "two words") == []


async def test_topics_are_found_by_words_beginnings_and_with_typing_mistakes(system: System) -> None:
    reader = system.person(None)
    await write_about(system, 1, "football", "football_club", "table-football")
    await write_about(system, 2, "football_club", "北京美食")
    await write_about(system, 1, "unrelated")

    assert await searched(reader, "football") == ["football", "football_club", "table-football"]
    assert (await searched(reader, "club football"))[0] == "football_club"
    assert await searched(reader, "FOOT") == ["football_club", "football", "table-football"]
    assert {"football", "football_club"} <= set(await searched(reader, "fotball"))
    assert await searched(reader, "美食") == ["北京美食"]
    assert await searched(reader, "北京") == ["北京美食"]
    assert await searched(reader, "no such thing") == []


async def test_pages_of_a_search_have_each_topic_once(system: System) -> None:
    reader = system.person(None)
    names = [f"city_{number:02}" for number in range(25)]
    for start in range(0, 25, 5):
        await write_about(system, 1, *names[start : start + 5])

    found: list[str] = []
    after: str | None = None
    while True:
        page = (await reader.ask(SEARCH, words="city", first=4, after=after))["searchTopics"]
        found += [edge["node"]["name"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break

    assert sorted(found) == names
    assert await reader.errors(SEARCH, words="other", after=after) == [("BAD_CURSOR", ["searchTopics"])]


@pytest.mark.parametrize("how", ["deleted", "private", "HIDDEN", "SHADOW"])
async def test_a_topic_without_a_post_for_all_users_is_not_found(system: System, how: str) -> None:
    reader, alice = system.person(None), system.person("alice")
    post = (await publish(alice, "one", "secret"))["post"]["id"]
    await write_about(system, 1, "secrets")

    if how == "deleted":
        await delete(alice, post)
    elif how == "private":
        await make_private(alice)
    else:
        await suspend(moderator(system), await alice.id(), how)
    await system.drain()
    await recount_topics(system.state, lambda: True)

    for person in (reader, moderator(system)):
        assert await typed(person, "secr") == ["secrets"]
        assert await searched(person, "secret") == ["secrets"]


async def test_bad_arguments_are_refused(system: System) -> None:
    reader = system.person(None)

    for bad in ({"prefix": "a", "first": 0}, {"prefix": "a", "first": 21}, {"prefix": "a" * 202}):
        assert await reader.errors(TYPED, **bad) == [("BAD_INPUT", ["topics"])], bad
    for bad in ({"words": "a", "first": 101}, {"words": "?!"}, {"words": "a" * 201}):
        assert await reader.errors(SEARCH, **bad) == [("BAD_INPUT", ["searchTopics"])], bad
    assert await reader.errors(SEARCH, words="a", after="x") == [("BAD_CURSOR", ["searchTopics"])]
