"""react and unreact through the API: what they answer, what they refuse, and what is stored."""

import asyncio
from typing import Any

import pytest

from tests.support.reactions import OFFERED, counts, react, shown, unreact
from tests.support.stored_state import unchanged
from tests.support.system import Person, System

KINDS = "query ($id: ID!) { node(id: $id) { ... on Reactable { reactionKinds { kind isLike } } } }"
UNKNOWN = "There is no such kind of reaction here. The kinds are: like, dislike, love, 😂, ❤️, sad, last."


async def offered(person: Person, target: str) -> Any:
    kinds = (await person.ask(KINDS, id=target))["node"]["reactionKinds"]
    return {one["kind"]: one["isLike"] for one in kinds}


async def test_a_kind_that_counts_as_a_like_is_a_like_in_every_count(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")

    payload = await react(alice, video, "love")
    await system.drain()

    assert payload["target"]["viewerReactions"] == ["love"]
    assert (payload["target"]["likeCount"], payload["target"]["viewerReaction"]) == (1, "LIKE")
    seen = await shown(bob, video)
    assert (seen["likeCount"], counts(seen), seen["viewerReactions"]) == (1, {"love": 1}, [])
    assert seen["owner"]["likesReceivedCount"] == 1
    assert await system.rows("SELECT state, kinds FROM reactions") == [(1, 4)]
    assert await system.rows("SELECT verb FROM like_log") == [("react:3",)]


async def test_another_kind_changes_no_count_of_likes(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = system.person("alice")

    payload = await react(alice, video, "😂")
    await system.drain()

    seen = await shown(alice, video)
    assert seen == {**payload["target"], "owner": {"likesReceivedCount": 0}}
    assert (seen["likeCount"], seen["dislikeCount"], seen["viewerReaction"]) == (0, 0, None)
    assert (counts(seen), seen["viewerReactions"]) == ({"😂": 1}, ["😂"])


async def test_like_and_unlike_replace_and_remove_other_kinds_of_likes(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await react(alice, video, "love")
    await alice.like(video)
    assert counts(await shown(alice, video)) == {"like": 1}
    await react(alice, video, "❤️")

    assert (await alice.unlike(video))["target"]["viewerReaction"] is None
    await system.drain()
    assert counts(await shown(alice, video)) == {}
    assert await system.rows("SELECT state, kinds FROM reactions") == [(0, None)]


async def test_several_kinds_of_a_user_count_as_one_like(system: System) -> None:
    (article,) = await system.videos("a1", owner="owen", business="article")
    alice, bob = system.person("alice"), system.person("bob")
    for kind in ("like", "love", "😂", "last"):
        await react(alice, article, kind)
    await react(bob, article, "love")
    await system.drain()

    seen = await shown(alice, article)
    assert seen["viewerReactions"] == ["like", "love", "😂", "last"]
    assert (seen["likeCount"], seen["owner"]["likesReceivedCount"]) == (2, 2)
    assert seen["reactionCounts"][0] == {"kind": "love", "count": 2}
    assert counts(seen) == {"love": 2, "like": 1, "😂": 1, "last": 1}

    await react(alice, article, "dislike")
    seen = await shown(alice, article)
    assert (seen["viewerReactions"], seen["viewerReaction"]) == (["dislike", "😂", "last"], "DISLIKE")


@pytest.mark.parametrize("spelling", ["❤️", "❤", "❤\ufe0e"])
async def test_all_spellings_of_an_emoji_are_one_kind(system: System, spelling: str) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    assert (await react(alice, video, spelling))["target"]["viewerReactions"] == ["❤️"]
    assert (await unreact(alice, video, spelling))["target"]["viewerReactions"] == []


@pytest.mark.parametrize("kind", ["gone", "LOVE", "👍", "react:3", "3", "love love", "'; DROP TABLE reactions"])
async def test_unknown_and_removed_kinds_are_refused_and_change_nothing(system: System, kind: str) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await react(alice, video, "love")
    await system.drain()

    async with unchanged(system):
        for payload in (await react(alice, video, kind), await unreact(alice, video, kind)):
            assert payload["userErrors"] == [{"code": "REACTION_UNKNOWN", "message": UNKNOWN, "field": ["kind"]}]


@pytest.mark.parametrize("kind", ["", " love", "a" * 65, "lo\x00ve"])
async def test_malformed_kinds_fail(system: System, kind: str) -> None:
    (video,) = await system.videos("v1")
    mutation = "mutation ($id: ID!, $kind: String!) { react(input: {targetId: $id, kind: $kind}) { target { id } } }"

    errors = await system.person("alice").errors(mutation, id=video, kind=kind)

    assert [code for code, _ in errors] == ["BAD_INPUT"]


async def test_a_business_offers_its_kinds(system: System) -> None:
    (video,) = await system.videos("v1")
    (plain,) = await system.videos("p1", business="plain")
    alice = system.person("alice")

    kinds = await offered(alice, video)
    assert list(kinds) == OFFERED
    assert [kind for kind, is_like in kinds.items() if is_like] == ["like", "love", "❤️"]
    assert await offered(alice, plain) == {"like": True}
    refused = await react(alice, plain, "dislike")
    assert [error["code"] for error in refused["userErrors"]] == ["DISLIKE_DISABLED"]
    unknown = await react(alice, plain, "love")
    assert [error["message"] for error in unknown["userErrors"]] == [
        "There is no such kind of reaction here. The kinds are: like."
    ]


async def test_a_repeated_key_reacts_once_and_refuses_another_kind(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await react(alice, video, "love", key="k")
    await unreact(alice, video)

    assert (await react(alice, video, "love", key="k"))["target"]["viewerReactions"] == []
    mismatch = await react(alice, video, "sad", key="k")
    assert [error["code"] for error in mismatch["userErrors"]] == ["IDEMPOTENCY_MISMATCH"]


async def test_requests_at_the_same_time_keep_all_kinds(system: System) -> None:
    (article,) = await system.videos("a1", business="article")
    alice = system.person("alice")
    kinds = ["like", "love", "😂", "❤️", "sad", "last"]

    await asyncio.gather(*[react(alice, article, kind) for kind in kinds])
    await system.drain()

    assert (await shown(alice, article))["viewerReactions"] == kinds


async def test_a_repeated_kind_appends_nothing(system: System) -> None:
    (article,) = await system.videos("a1", business="article")
    alice = system.person("alice")
    await react(alice, article, "love")
    await react(alice, article, "sad")
    await system.drain()
    before = await system.stored("reactions"), await system.stored("counters")

    await react(alice, article, "love")
    await unreact(alice, article, "last")

    assert sum(await system.state.journals.lengths(range(system.settings.partitions))) == 0
    await system.drain()
    assert (await system.stored("reactions"), await system.stored("counters")) == before
