"""Lookup of users by handle, by external id and by node id, the viewer, and registration."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from identity import auth
from settings import Settings
from tests.support.system import Person, System, running

PICTURE = "https://images.example.com/b.png"
REGISTER = """mutation ($u: [UserInput!]!) { registerUsers(users: $u) {
  users { id handle displayName avatarUrl } userErrors { code field } } }"""
USERS = "query ($ids: [String!]!) { users(externalIds: $ids) { handle } }"


def registrar(system: System) -> Person:
    return system.person("registrar", "users:write")


async def register(system: System, *users: dict[str, Any]) -> Any:
    return (await registrar(system).ask(REGISTER, u=list(users)))["registerUsers"]


async def test_registered_users_are_returned_in_order_with_their_fields(system: System) -> None:
    answer = await register(
        system,
        {"externalId": "2", "handle": "Bob", "displayName": " Bob ", "avatarUrl": PICTURE},
        {"externalId": "1", "handle": "alice"},
    )

    assert answer["userErrors"] == []
    signed = answer["users"][0]["avatarUrl"]
    assert signed.startswith(f"{PICTURE}?")
    assert [{**user, "id": None} for user in answer["users"]] == [
        {"id": None, "handle": "bob", "displayName": "Bob", "avatarUrl": signed},
        {"id": None, "handle": "alice", "displayName": "alice", "avatarUrl": None},
    ]


async def test_registering_an_existing_user_does_not_change_the_profile(system: System) -> None:
    first = await register(system, {"externalId": "1", "handle": "alice", "displayName": "Alice"})

    again = await register(system, {"externalId": "1", "handle": "other", "displayName": "Other"})
    twice = await register(system, {"externalId": "1"}, {"externalId": "1"})

    assert again == first
    assert twice["users"] == first["users"] * 2
    assert await system.rows("SELECT count(*) FROM users") == [(2,)]  # alice and the registrar


async def test_a_taken_handle_gets_a_suffix(system: System) -> None:
    answer = await register(system, *[{"externalId": str(i), "handle": "alice"} for i in range(30)])

    handles = [user["handle"] for user in answer["users"]]
    assert "alice" in handles
    assert len(set(handles)) == 30
    assert all(handle.startswith("alice") for handle in handles)


async def test_a_taken_handle_with_separators_gets_a_suffix_and_is_not_shortened(system: System) -> None:
    for handle in ("ann.lee", "ann.lee-" + "x" * 50, "x" * 63 + "y"):
        answer = await register(system, *[{"externalId": f"{handle}{i}", "handle": handle} for i in range(2)])

        one, other = sorted((user["handle"] for user in answer["users"]), key=lambda made: made != handle)
        assert one == handle
        assert re.fullmatch(rf"{re.escape(handle[:55])}x*[0-9]+", other)
        assert len(other) == max(len(handle), min(30, len(handle) + 2))


@pytest.mark.parametrize(
    ("bad", "code", "field"),
    [
        ({"handle": "!"}, "INVALID", "handle"),
        ({"handle": "ann.lee."}, "INVALID", "handle"),
        ({"displayName": "a" * 65}, "TEXT_TOO_LONG", "displayName"),
        ({"avatarUrl": "x"}, "IMAGE_NOT_ALLOWED", "avatarUrl"),
    ],
    ids=["handle", "dot", "name", "avatar"],
)
async def test_an_invalid_user_refuses_the_whole_registration(
    system: System, bad: dict[str, str], code: str, field: str
) -> None:
    answer = await register(system, {"externalId": "1", "handle": "alice"}, {"externalId": "2", **bad})

    assert answer == {"users": None, "userErrors": [{"code": code, "field": ["users", "1", field]}]}
    assert await system.rows("SELECT handle FROM users") == [("registrar",)]


async def test_a_registered_user_who_signs_in_is_the_same_user(system: System) -> None:
    (registered,) = (await register(system, {"externalId": "alice", "handle": "ally"}))["users"]

    viewer = (await system.person("alice").ask("{ viewer { user { id handle } } }"))["viewer"]

    assert viewer["user"] == {"id": registered["id"], "handle": "ally"}


async def test_users_are_returned_in_the_order_of_external_ids_with_null_for_unknown_ids(system: System) -> None:
    await register(system, *[{"externalId": name, "handle": name} for name in ("alice", "bob")])

    for person in (system.person("carol", "users:read"), registrar(system)):
        found = await person.ask(USERS, ids=["bob", "unknown", "alice", "bob"])
        assert found["users"] == [{"handle": "bob"}, None, {"handle": "alice"}, {"handle": "bob"}]


async def test_looking_up_external_ids_needs_a_token_with_the_scope(system: System) -> None:
    await register(system, {"externalId": "alice@example.com", "handle": "alice"})

    for person in (system.person("carol"), system.person("mia", "moderate", "entities:write")):
        assert await person.errors(USERS, ids=["alice@example.com"]) == [("FORBIDDEN", ["users"])]
    assert await system.person(None).errors(USERS, ids=["alice@example.com"]) == [("UNAUTHENTICATED", ["users"])]


async def test_external_ids_belong_to_the_issuer_of_the_token(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(jwt_issuer=("https://plaudit.local", "https://other.example"))) as system:
        await register(system, {"externalId": "alice", "handle": "alice"})
        settings = system.settings.model_copy(update={"jwt_issuer": ("https://other.example",)})
        token = auth.mint(settings, "service", scopes=["users:read"])

        other = Person(system.http, "service", {"authorization": f"Bearer {token}"})

        assert (await other.ask(USERS, ids=["alice"]))["users"] == [None]


async def test_a_new_user_is_found_at_once_after_earlier_failed_lookups(system: System) -> None:
    bob = system.person("bob", "users:read")
    query = """{ users(externalIds: ["alice", "carol"]) { handle }
                 a: user(handle: "alice") { handle } c: user(handle: "carol") { handle } }"""
    assert await bob.ask(query) == {"users": [None, None], "a": None, "c": None}

    await system.person("alice").ask("{ viewer { id } }")
    await register(system, {"externalId": "carol", "handle": "carol"})

    alice, carol = {"handle": "alice"}, {"handle": "carol"}
    assert await bob.ask(query) == {"users": [alice, carol], "a": alice, "c": carol}


async def test_concurrent_first_requests_of_one_subject_create_one_user(system: System) -> None:
    people = [system.person("alice") for _ in range(10)]

    viewers = await asyncio.gather(*[person.ask("{ viewer { id user { handle } } }") for person in people])

    assert len({viewer["viewer"]["id"] for viewer in viewers}) == 1
    assert {viewer["viewer"]["user"]["handle"] for viewer in viewers} == {"alice"}
    assert await system.rows("SELECT handle FROM users") == [("alice",)]
    assert await system.rows("SELECT handle FROM handles") == [("alice",)]


async def test_concurrent_first_requests_that_want_one_handle_create_different_users(system: System) -> None:
    handles = ["alice@a.example", "alice@b.example", "alice@c.example", "ALICE", "alice"]

    viewers = await asyncio.gather(*[system.person(h).ask("{ viewer { id user { handle } } }") for h in handles])

    assert len({viewer["viewer"]["id"] for viewer in viewers}) == 5
    assert len({viewer["viewer"]["user"]["handle"] for viewer in viewers}) == 5


async def test_concurrent_registrations_of_the_same_users_return_the_same_users(system: System) -> None:
    people = [system.person(name, "users:write") for name in ("anna", "bert")]
    await asyncio.gather(*[person.ask("{ viewer { id } }") for person in people])
    inputs = [{"externalId": f"u{i}", "handle": f"u{i}"} for i in range(20)]

    answers = await asyncio.gather(
        *[person.ask(REGISTER, u=order) for person, order in zip(people, (inputs, inputs[::-1]), strict=True)]
    )

    one, other = (answer["registerUsers"]["users"] for answer in answers)
    assert one == other[::-1]
    assert [user["handle"] for user in one] == [f"u{i}" for i in range(20)]


async def test_concurrent_registrations_of_the_same_handles_in_opposite_orders_both_succeed(system: System) -> None:
    people = [system.person(name, "users:write") for name in ("anna", "bert")]
    await asyncio.gather(*[person.ask("{ viewer { id } }") for person in people])
    handles = [f"h{i:02}" for i in range(20)]

    answers = await asyncio.gather(
        *[
            person.ask(REGISTER, u=[{"externalId": f"{person.handle}{i:02}", "handle": h} for i, h in enumerate(order)])
            for person, order in zip(people, (handles, handles[::-1]), strict=True)
        ]
    )

    made = [user["handle"] for answer in answers for user in answer["registerUsers"]["users"]]
    assert len(set(made)) == 40
    assert set(handles) <= set(made)


async def test_the_viewer_object_is_visible_to_its_user_only(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, anonymous = system.person("alice"), system.person("bob"), system.person(None)
    mine = (await alice.ask("{ viewer { id user { id } } }"))["viewer"]
    nodes = "query ($ids: [ID!]!) { viewer { id } nodes(ids: $ids) { id __typename } }"
    ids = [mine["user"]["id"], mine["id"], video, mine["user"]["id"]]
    user, entity = {"id": mine["user"]["id"], "__typename": "User"}, {"id": video, "__typename": "Entity"}

    viewer = {"id": mine["id"], "__typename": "Viewer"}
    assert (await alice.ask(nodes, ids=ids))["nodes"] == [user, viewer, entity, user]
    assert (await bob.ask(nodes, ids=ids))["nodes"] == [user, None, entity, user]
    assert await anonymous.ask(nodes, ids=ids) == {"viewer": None, "nodes": [user, None, entity, user]}
    for person, found in ((alice, viewer), (bob, None), (anonymous, None)):
        assert (await person.ask("query ($id: ID!) { node(id: $id) { id __typename } }", id=mine["id"]))[
            "node"
        ] == found


async def test_an_anonymous_request_creates_no_user(system: System) -> None:
    await system.person(None, device_id="d1").ask("{ viewer { id } }")

    assert await system.rows("SELECT count(*) FROM users") == [(0,)]
