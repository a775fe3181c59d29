"""The external reviewer gets avatars, and names of public collections."""

import asyncio
from typing import Any

import pytest

from store.moderation import collection_reviews as stored
from tests.support.collections import created, own, public, update
from tests.support.external_reviewer import EVERY, Server, json_response
from tests.support.statements import statements, told
from tests.support.stores import standalone
from tests.support.system import System
from workers import collection_reviews, external_reviewer, profile_reviews

APPROVE, REJECT = json_response({"decision": "approve"}), json_response({"decision": "reject", "reason": "rude"})
MATCH = json_response({"decision": "match"})
AVATAR = """mutation ($url: String) { updateProfile(input: {avatarUrl: $url}) { user { avatarUrl } userErrors { code } }
}"""
URL = "https://images.example.com/me.png"
MESSAGES = "SELECT message FROM notifications WHERE kind = 6"
WAITING = "SELECT count(*) FROM collection_reviews"
LOG = "SELECT action, role, after FROM moderation_log"


async def review(system: System, worker: Any = collection_reviews) -> int:
    """Lets a worker review what is due. Returns how much was due."""
    await system.drain()
    assert system.settings.moderation.reviewer
    async with external_reviewer.opened(system.settings.moderation.reviewer, system.state.labels) as external:
        due: int = await worker.step(system.state, external, EVERY)
    await system.drain()
    return due


@standalone
async def test_the_reviewer_gets_names_of_public_collections(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    server.answer = APPROVE
    private, shown = await created(alice, "secret"), await created(alice, "cats", public=True)

    assert await review(reviewed) == 1
    assert await review(reviewed) == 0
    (request,) = server.requests
    assert request.json["id"] == shown.partition(".")[2]
    assert [request.json[name] for name in ("kind", "text", "business")] == ["collection", "cats", "user"]
    await update(alice, private, public=True)
    await update(alice, shown, name="dogs")
    assert await review(reviewed) == 2
    assert sorted(one.json["text"] for one in server.requests[1:]) == ["dogs", "secret"]
    assert await public(reviewed.person("bob"), "alice") == ["dogs", "secret"]


@standalone
async def test_a_collection_with_a_rejected_name_becomes_private(reviewed: System, server: Server) -> None:
    alice, bob = reviewed.person("alice"), reviewed.person("bob")
    server.answer = REJECT
    id_ = await created(alice, "rude cats", public=True)
    assert await public(bob, "alice") == ["rude cats"]
    assert await review(reviewed) == 1

    assert await public(bob, "alice") == []
    assert await own(alice) == [(id_, "rude cats", False)]
    assert await reviewed.rows(MESSAGES) == [("Your collection was made private: rude",)]
    assert await reviewed.rows(LOG) == [(3, 4, '{"public":false}')]
    assert await reviewed.rows("SELECT is_public FROM collections") == [(False,)]
    assert await told(alice) == [("MADE_PRIVATE", "rules")]
    server.answer = APPROVE
    assert (await update(alice, id_, name="cats", public=True))["userErrors"] == []
    await review(reviewed)
    assert await public(bob, "alice") == ["cats"]
    assert [bool(one["endedAt"]) for one in await statements(alice)] == [True]


@standalone
async def test_a_verdict_on_an_earlier_name_has_no_effect(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    id_ = await created(alice, "rude cats", public=True)
    await reviewed.drain()

    async def late(writer: asyncio.StreamWriter) -> None:
        await update(alice, id_, name="cats")
        await reviewed.drain()
        await REJECT(writer)

    server.answer = late
    await review(reviewed)

    assert await public(reviewed.person("bob"), "alice") == ["cats"]
    assert await reviewed.rows(MESSAGES) == []
    assert await reviewed.rows(WAITING) == [(1,)]


@standalone
async def test_a_verdict_on_a_name_that_was_just_changed_tells_nothing(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    id_ = await created(alice, "dogs", public=True)
    await reviewed.drain()

    async def late(writer: asyncio.StreamWriter) -> None:
        await update(alice, id_, name="cats")  # not stored yet
        await REJECT(writer)

    server.answer = late
    await review(reviewed)

    assert await public(reviewed.person("bob"), "alice") == ["cats"]
    assert await told(alice) == await reviewed.rows(MESSAGES) == []
    assert await reviewed.rows(WAITING) == [(1,)]


@standalone
async def test_a_name_waits_while_the_reviewer_decides_later(reviewed: System, server: Server) -> None:
    await created(reviewed.person("alice"), "cats", public=True)
    server.answer = json_response({"decision": "later"})

    assert [await review(reviewed) for _ in range(2)] == [1, 0]
    assert await reviewed.rows(WAITING) == [(1,)]


@standalone
async def test_a_matched_name_holds_the_data_of_its_owner(reviewed: System, server: Server) -> None:
    server.answer = MATCH
    id_ = await created(reviewed.person("alice"), "cats", public=True)
    await review(reviewed)

    assert await reviewed.rows("SELECT reason FROM legal_holds") == [(f"{id_} 'cats': known illegal content",)]


@standalone
async def test_the_reviewer_gets_avatars(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    server.answer = APPROVE
    await alice.id()
    await review(reviewed, profile_reviews)
    await alice.ask(AVATAR, url=URL)
    assert await review(reviewed, profile_reviews) == 1

    asked = server.requests[-1].json
    assert (asked["kind"], asked["text"], asked["images"], asked["avatar"]) == ("avatar", "", [URL], URL)
    assert all(one.json["avatar"] is None for one in server.requests[:-1])
    await alice.ask(AVATAR, url=None)
    asked_before = len(server.requests)
    await review(reviewed, profile_reviews)
    assert len(server.requests) == asked_before


@standalone
async def test_a_matched_avatar_is_removed_and_its_address_is_kept(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    server.answer = APPROVE
    await alice.id()
    await review(reviewed, profile_reviews)
    await alice.ask(AVATAR, url=URL)
    server.answer = MATCH
    await review(reviewed, profile_reviews)

    shown = (await alice.ask("{ viewer { user { avatarUrl } } }"))["viewer"]["user"]
    assert shown == {"avatarUrl": None}
    assert await reviewed.rows("SELECT reason FROM legal_holds") == [(f"avatar '{URL}': known illegal content",)]
    assert await reviewed.rows(MESSAGES) == [("Your avatar was rejected: rejected by the reviewer",)]
    assert await reviewed.rows(LOG) == [(3, 4, '{"field":"avatar_url","replaced":true,"match":true}')]


@standalone
async def test_a_crash_after_a_collection_became_private_loses_no_statement(
    reviewed: System, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = reviewed.person("alice")
    server.answer = REJECT
    await created(alice, "rude cats", public=True)

    async def crash(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched, pytest.raises(RuntimeError):
        patched.setattr(stored, "done", crash)
        await review(reviewed)
    assert await told(alice) == []
    await review(reviewed)

    assert await told(alice) == [("MADE_PRIVATE", "rules")]
    assert await reviewed.rows(MESSAGES) == [("Your collection was made private: rude",)]
    assert await reviewed.rows(WAITING) == [(0,)]
    assert len(server.requests) == 1
