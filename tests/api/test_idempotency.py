"""idempotencyKey: a repeated write is safe for a day, within one viewer and one mutation."""

import asyncio
from typing import Any

import pytest

from domain.digests import digest
from domain.errors import Unavailable
from store.scripts import CHANGE_OWN_SET, COUNT_ACTIONS
from tests.support.journal_entries import journalled
from tests.support.outages import LosingReplies
from tests.support.system import Person, System

DAY_MS = 86_400_000
SEEN = "query ($id: ID!) { node(id: $id) { ... on Entity { likeCount viewCount shareCount viewerReaction } } }"
RECORD_ONE = "mutation ($id: ID!) { %s(input: {targetIds: [$id]}) { userErrors { code } } }"


def refused(payload: Any) -> list[tuple[str, list[str] | None]]:
    assert payload["target"] is None
    return [(error["code"], error["field"]) for error in payload["userErrors"]]


async def seen(person: Person, entity: str) -> Any:
    return (await person.ask(SEEN, id=entity))["node"]


async def record_life_ms(system: System, person: Person, mutation: str, key: str) -> int:
    """Returns the remaining life of an operation's idempotency record."""
    viewer = (await person.ask("{ viewer { id } }"))["viewer"]["id"]
    name = system.state.keys.operation(int(viewer.removeprefix("Viewer:")), digest(mutation, key))
    return int(await system.state.redis.client.pttl(name))


async def test_a_write_with_the_same_key_and_input_runs_once(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    answers = [await alice.like(video, "k") for _ in range(3)]

    assert answers == [answers[0]] * 3
    assert answers[0]["target"]["likeCount"] == 1
    assert await journalled(system) == 1


async def test_a_replay_changes_nothing_and_returns_the_current_state(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video, "k")
    await alice.unlike(video)

    replayed = await alice.like(video, "k")

    assert replayed["userErrors"] == []
    assert replayed["target"] == {"id": video, "likeCount": 0, "dislikeCount": 0, "viewerReaction": None}
    assert await journalled(system) == 2


async def test_concurrent_writes_with_one_key_are_one_change(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    answers = await asyncio.gather(*[alice.like(video, "k") for _ in range(20)])

    assert [answer["target"]["likeCount"] for answer in answers] == [1] * 20
    assert await journalled(system) == 1


async def test_a_replay_of_a_write_to_a_missing_target_is_not_found_again(system: System) -> None:
    alice = system.person("alice")
    first = await alice.like("Entity:video:v1", "k")
    (video,) = await system.videos("v1")

    again, other_key = await alice.like(video, "k"), await alice.like(video, "another")

    assert refused(first) == [("TARGET_NOT_FOUND", ["targetId"])]
    assert again == first
    assert other_key["target"]["viewerReaction"] == "LIKE"
    assert await journalled(system) == 1


async def test_a_replay_of_a_refused_dislike_is_refused_again(system: System) -> None:
    (article,) = await system.videos("a1", business="article")
    alice = system.person("alice")

    answers = [await alice.react("dislike", article, "k") for _ in range(2)]

    assert [[code for code, _ in refused(answer)] for answer in answers] == [["DISLIKE_DISABLED"]] * 2
    assert DAY_MS - 60_000 < await record_life_ms(system, alice, "dislike", "k") <= DAY_MS


async def test_the_same_key_with_another_input_is_a_mismatch(system: System) -> None:
    one, other = await system.videos("v1", "v2")
    alice = system.person("alice")
    await alice.react("like", one, "k", source="home")

    for target, source in ((other, "home"), (one, "search"), (one, None), ("Entity:video:unknown", "home")):
        answer = await alice.react("like", target, "k", source=source)
        assert refused(answer) == [("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])]

    assert (await seen(alice, other))["likeCount"] == 0
    assert await journalled(system) == 1


async def test_the_key_of_a_refused_write_with_another_input_is_a_mismatch(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like("Entity:video:unknown", "k")

    assert refused(await alice.like(video, "k")) == [("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])]
    assert await journalled(system) == 0


async def test_a_key_belongs_to_one_viewer_and_one_mutation(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")

    await alice.like(video, "k")
    await bob.like(video, "k")
    unliked = await alice.unlike(video, "k")
    disliked = await alice.react("dislike", video, "k")

    assert unliked["target"]["viewerReaction"] is None
    assert disliked["target"]["viewerReaction"] == "DISLIKE"
    assert (await seen(bob, video))["viewerReaction"] == "LIKE"
    assert await journalled(system) == 4


async def test_invalid_input_does_not_use_its_key(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    bad = await alice.errors('mutation { like(input: {targetId: "v1", idempotencyKey: "k"}) { userErrors { code } } }')

    assert bad == [("BAD_INPUT", ["like"])]
    assert (await alice.like(video, "k"))["target"]["viewerReaction"] == "LIKE"


@pytest.mark.parametrize("key", ["", " k", "k ", "k" * 129, "k\n"])
async def test_a_key_has_at_most_128_characters_and_no_surrounding_space(system: System, key: str) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    query = (
        "mutation ($id: ID!, $k: String) { like(input: {targetId: $id, idempotencyKey: $k}) { userErrors { code } } }"
    )

    assert await alice.errors(query, id=video, k=key) == [("BAD_INPUT", ["like"])]
    assert await alice.errors(query, id=video, k="k" * 128) == []


async def test_a_record_lives_for_a_day(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    await alice.like(video, "done")
    await alice.like(video, "nothing to do")
    await alice.like("Entity:video:unknown", "refused")

    for key in ("done", "nothing to do", "refused"):
        assert DAY_MS - 60_000 < await record_life_ms(system, alice, "like", key) <= DAY_MS


async def test_a_like_whose_reply_was_lost_counts_once(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.ask("{ viewer { id } }")
    for lost in (1, 2):  # the first reply may be that the state is cold, the second that the like is recorded
        losing = LosingReplies(system.state.redis, CHANGE_OWN_SET, lost)
        monkeypatch.setattr(system.state.redis, "run", losing)

        assert (await alice.like(video))["target"]["likeCount"] == 1
        assert losing.left == 0
        monkeypatch.undo()

    await system.drain()
    assert (await seen(alice, video))["likeCount"] == 1
    assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]


async def test_alternating_likes_survive_lost_replies(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    for verb, reaction in (("like", "LIKE"), ("dislike", "DISLIKE"), ("undislike", None), ("like", "LIKE")):
        monkeypatch.setattr(system.state.redis, "run", LosingReplies(system.state.redis, CHANGE_OWN_SET, 1))
        assert (await alice.react(verb, video))["target"]["viewerReaction"] == reaction
        monkeypatch.undo()

    await system.drain()
    logged = await system.rows("SELECT verb FROM like_log ORDER BY version")
    assert logged == [("like",), ("dislike",), ("undislike",), ("like",)]


@pytest.mark.parametrize(("mutation", "counter"), [("recordViews", "viewCount"), ("recordShares", "shareCount")])
async def test_a_record_whose_reply_was_lost_counts_once(
    system: System, monkeypatch: pytest.MonkeyPatch, mutation: str, counter: str
) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    losing = LosingReplies(system.state.redis, COUNT_ACTIONS, 2)
    monkeypatch.setattr(system.state.redis, "run", losing)

    await alice.ask(RECORD_ONE % mutation, id=video)

    assert losing.left == 0
    assert (await seen(alice, video))[counter] == 1
    await system.drain()
    assert (await seen(alice, video))[counter] == 1


async def test_a_client_can_repeat_a_write_whose_response_it_never_received(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    query = 'mutation ($id: ID!) { like(input: {targetId: $id, idempotencyKey: "k"}) { userErrors { code } } }'
    monkeypatch.setattr(system.state.redis, "run", LosingReplies(system.state.redis, CHANGE_OWN_SET, 100))

    response = await alice.send(query, id=video)

    (error,) = response.json()["errors"]
    assert error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": Unavailable().retry_after}
    monkeypatch.undo()
    assert (await alice.like(video, "k"))["target"]["likeCount"] == 1
    assert await journalled(system) == 1
