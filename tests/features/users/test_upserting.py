"""upsertUsers: profiles follow the product's own system."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from commands import user_upserts
from store.people import held_handles
from store.postgres.client import Transaction
from tests.support.metrics import metric
from tests.support.stored_state import unchanged
from tests.support.system import Person, System

UPSERT = """mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) {
  users { handle displayName avatarUrl bio isPrivate } userErrors { code field } } }"""
USER = "query ($h: String!) { user(handle: $h) { handle displayName bio } }"
FULL = {
    "handle": "alice",
    "displayName": "Alice Martin",
    "avatarUrl": "https://images.example.com/a.png",
    "bio": "Hello",
    "isPrivate": True,
}


def service(system: System) -> Person:
    return system.person("service", "users:write")


async def upsert(system: System, *users: dict[str, Any]) -> Any:
    """Returns the answer without the signatures of avatars."""
    answer = (await service(system).ask(UPSERT, u=list(users)))["upsertUsers"]
    for user in answer["users"]:
        if user and user["avatarUrl"]:
            user["avatarUrl"] = user["avatarUrl"].partition("?")[0]
    return answer


async def test_a_new_user_is_created_and_the_same_request_changes_nothing(system: System) -> None:
    item = {"externalId": "alice", **FULL}

    assert await upsert(system, item) == {"users": [FULL], "userErrors": []}
    async with unchanged(system):
        assert await upsert(system, item) == {"users": [FULL], "userErrors": []}

    viewer = (await system.person("alice").ask("{ viewer { user { handle } } }"))["viewer"]
    assert viewer["user"] == {"handle": "alice"}


async def test_a_new_user_without_a_profile_gets_one_and_keeps_it(system: System) -> None:
    (named,) = (await upsert(system, {"externalId": "li", "displayName": "李梅"}))["users"]
    (bare,) = (await upsert(system, {"externalId": "x"}))["users"]

    assert (named["handle"], named["displayName"], named["bio"]) == ("limei", "李梅", "")
    assert bare["displayName"] == bare["handle"]
    assert (await upsert(system, {"externalId": "li"}, {"externalId": "x"}))["users"] == [named, bare]


async def test_absent_fields_stay_and_null_removes_the_picture(system: System) -> None:
    await upsert(system, {"externalId": "alice", **FULL})

    assert (await upsert(system, {"externalId": "alice", "bio": ""}))["users"] == [{**FULL, "bio": ""}]
    (user,) = (await upsert(system, {"externalId": "alice", "avatarUrl": None, "isPrivate": False}))["users"]
    assert user == {**FULL, "bio": "", "avatarUrl": None, "isPrivate": False}


@pytest.mark.parametrize("field", ["handle", "displayName", "bio", "isPrivate"])
async def test_null_is_refused_where_a_profile_always_has_a_value(system: System, field: str) -> None:
    await service(system).ask("{ viewer { id } }")

    async with unchanged(system):
        found = await service(system).errors(UPSERT, u=[{"externalId": "alice", field: None}])

    assert found == [("BAD_INPUT", ["upsertUsers"])]


async def test_handles_with_separators_and_64_characters_are_assigned(system: System) -> None:
    assigned = ["ann.lee", "ann-lee", "ann", "a" * 64, "ann.lee-2_", "_ann_"]
    items = [{"externalId": one, "handle": one.upper()} for one in assigned]

    answer = await upsert(system, *items)

    assert ([user["handle"] for user in answer["users"]], answer["userErrors"]) == (assigned, [])
    for one in assigned:
        assert (await system.person(None).ask(USER, h=one.title()))["user"]["displayName"] == one
    async with unchanged(system):
        assert await upsert(system, *items) == answer
        for one in ("ann.", "-ann", "ann..lee", "ann.-lee", "a" * 65):
            bad = await upsert(system, {"externalId": "bad", "handle": one})
            assert bad["userErrors"] == [{"code": "INVALID", "field": ["users", "0", "handle"]}], one


async def test_a_former_handle_with_a_separator_still_finds_the_user(system: System) -> None:
    await upsert(system, {"externalId": "ann", "handle": "ann.lee"})
    reader = system.person("bob")
    assert (await reader.ask(USER, h="ann.lee"))["user"]["handle"] == "ann.lee"

    await upsert(system, {"externalId": "ann", "handle": "ann-lee"})

    assert (await reader.ask(USER, h="Ann.Lee"))["user"]["handle"] == "ann-lee"


async def test_refused_items_do_not_stop_the_others(system: System) -> None:
    await upsert(system, {"externalId": "bob", "handle": "bob"}, {"externalId": "dora", "handle": "dora"})
    items = [
        {"externalId": "annie", "handle": "BOB"},
        {"externalId": "dora", "handle": "bob", "bio": "new"},
        {"externalId": "carol", "handle": "carol"},
        {"externalId": "carol", "handle": "other"},
        {"externalId": "e", "handle": "no spaces"},
        {"externalId": "f", "displayName": "x" * 65},
        {"externalId": "g", "bio": "a\0"},
        {"externalId": "h", "displayName": " "},
        {"externalId": " ", "handle": "good"},
        {"externalId": "i", "avatarUrl": "javascript:alert(1)"},
    ]

    first = await upsert(system, *items)

    assert [user and user["handle"] for user in first["users"]] == [None, None, "carol", *[None] * 7]
    assert [(error["code"], *error["field"]) for error in first["userErrors"]] == [
        ("HANDLE_TAKEN", "users", "0", "handle"),
        ("HANDLE_TAKEN", "users", "1", "handle"),
        ("INVALID", "users", "3", "externalId"),
        ("INVALID", "users", "4", "handle"),
        ("TEXT_TOO_LONG", "users", "5", "displayName"),
        ("TEXT_INVALID", "users", "6", "bio"),
        ("INVALID", "users", "7", "displayName"),
        ("INVALID", "users", "8", "externalId"),
        ("IMAGE_NOT_ALLOWED", "users", "9", "avatarUrl"),
    ]
    async with unchanged(system):
        assert await upsert(system, *items) == first
    assert await system.rows("SELECT bio FROM users WHERE handle = 'dora'") == [("",)]
    assert await system.rows("SELECT subject FROM identities WHERE subject = 'annie'") == []


async def test_a_handle_that_another_user_gave_up_is_free_at_once(system: System) -> None:
    await upsert(system, {"externalId": "a", "handle": "ally"})
    await upsert(system, {"externalId": "a", "handle": "alison"})

    assert (await upsert(system, {"externalId": "b", "handle": "ally"}))["userErrors"] == []
    assert (await system.person(None).ask(USER, h="ally"))["user"]["displayName"] == "ally"


async def test_others_see_a_changed_profile_at_once(system: System) -> None:
    await upsert(system, {"externalId": "alice", **FULL})
    reader = system.person("bob")
    assert (await reader.ask(USER, h="alice"))["user"]["bio"] == "Hello"
    assert (await reader.ask(USER, h="alice_m"))["user"] is None

    await upsert(system, {"externalId": "alice", "handle": "alice_m", "bio": "Hi"})

    assert (await reader.ask(USER, h="alice_m"))["user"]["bio"] == "Hi"
    assert (await reader.ask(USER, h="alice"))["user"]["handle"] == "alice_m"


async def test_the_last_writer_of_a_field_wins(system: System) -> None:
    item = {"externalId": "alice", "handle": "alice", "bio": "from the product"}
    await upsert(system, item)
    alice = system.person("alice")
    await alice.ask('mutation { updateProfile(input: {bio: "mine", displayName: "Ally"}) { userErrors { code } } }')
    assert (await alice.ask(USER, h="alice"))["user"]["bio"] == "mine"

    (user,) = (await upsert(system, item))["users"]

    assert (user["bio"], user["displayName"]) == ("from the product", "Ally")


async def test_profile_texts_of_a_service_are_trusted(system: System) -> None:
    answer = await upsert(system, {"externalId": "s", "handle": "support", "displayName": "Support"})

    assert answer["userErrors"] == []
    assert answer["users"][0]["handle"] == "support"


async def test_only_services_upsert_and_only_a_hundred_users(system: System) -> None:
    people = [system.person("alice"), system.person("mia", "moderate", "users:read", "entities:write")]
    for person in (*people, service(system)):
        await person.ask("{ viewer { id } }")
    item = {"externalId": "alice", "handle": "alice_m"}

    async with unchanged(system):
        for person in people:
            assert await person.errors(UPSERT, u=[item]) == [("FORBIDDEN", ["upsertUsers"])]
        assert await system.person(None).errors(UPSERT, u=[item]) == [("UNAUTHENTICATED", ["upsertUsers"])]
        for users in ([], [{"externalId": str(i)} for i in range(101)]):
            assert await service(system).errors(UPSERT, u=users) == [("BAD_INPUT", ["upsertUsers"])]


async def test_two_services_that_upsert_the_same_users_in_opposite_orders_agree(system: System) -> None:
    services = [system.person(name, "users:write") for name in ("anna", "bert")]
    await asyncio.gather(*[one.ask("{ viewer { id } }") for one in services])
    await upsert(system, *[{"externalId": f"u{i}", "handle": f"old{i}"} for i in range(10)])
    items = [{"externalId": f"u{i}", "handle": f"h{i}"} for i in range(20)]

    answers = await asyncio.gather(
        *[one.ask(UPSERT, u=order) for one, order in zip(services, (items, items[::-1]), strict=True)]
    )

    one, other = (answer["upsertUsers"] for answer in answers)
    assert one["userErrors"] == other["userErrors"] == []
    assert one["users"] == other["users"][::-1]
    assert [user["handle"] for user in one["users"]] == [f"h{i}" for i in range(20)]


@pytest.mark.parametrize("in_order", [True, False], ids=["in order", "repeated after a deadlock"])
async def test_two_services_that_create_users_of_the_same_names_without_handles_succeed(
    system: System, monkeypatch: pytest.MonkeyPatch, in_order: bool
) -> None:
    """Each request has claimed one handle before the other claims its second one, if the order allows that."""
    services = [system.person(name, "users:write") for name in ("anna", "bert")]
    await asyncio.gather(*[one.ask("{ viewer { id } }") for one in services])
    claim, claimed, both = held_handles.claim, list[str](), asyncio.Event()

    async def claim_and_wait(transaction: Transaction, handle: str, user_id: int, hold: float) -> bool:
        done = await claim(transaction, handle, user_id, hold)
        claimed.append(handle)
        if len(claimed) > 1:
            both.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await both.wait()
        return done

    monkeypatch.setattr(held_handles, "claim", claim_and_wait)
    if not in_order:
        monkeypatch.setattr(user_upserts._Batch, "in_order", lambda batch: list(batch.changes.items()))

    answers = await asyncio.gather(
        *[
            one.ask(UPSERT, u=[{"externalId": f"{one.handle}{i}", "displayName": name} for i, name in enumerate(names)])
            for one, names in zip(services, (("Xavier", "Yara"), ("Yara", "Xavier")), strict=True)
        ]
    )

    assert [answer["upsertUsers"]["userErrors"] for answer in answers] == [[], []]
    names = [user["displayName"] for answer in answers for user in answer["upsertUsers"]["users"]]
    assert sorted(names) == ["Xavier", "Xavier", "Yara", "Yara"]


async def test_a_handle_that_a_user_gave_up_stays_with_the_user_who_claims_it_during_the_next_change(
    system: System,
) -> None:
    """The fifth handle makes the user's oldest one free for good. Another user claims it at the same time."""
    await upsert(system, {"externalId": "bob", "handle": "bob"})
    for handle in ("a0", "a1", "a2", "a3", "a4"):
        await upsert(system, {"externalId": "alice", "handle": f"{handle}_x"})
    ((bob,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'bob'")
    changes = None
    async with system.state.postgres.transaction() as transaction:
        assert await held_handles.claim(transaction, "a1_x", bob, 0)
        changes = asyncio.create_task(upsert(system, {"externalId": "alice", "handle": "a5_x"}))
        await asyncio.sleep(0.5)
        assert not changes.done()

    assert (await changes)["userErrors"] == []
    assert await system.rows("SELECT user_id FROM handles WHERE handle = 'a1_x'") == [(bob,)]


async def test_two_services_that_give_one_handle_to_different_users_do_not_both_succeed(system: System) -> None:
    services = [system.person(name, "users:write") for name in ("anna", "bert")]
    await asyncio.gather(*[one.ask("{ viewer { id } }") for one in services])
    handles = [f"h{i:02}" for i in range(20)]

    answers = await asyncio.gather(
        *[
            one.ask(UPSERT, u=[{"externalId": f"{one.handle}{h}", "handle": h} for h in order])
            for one, order in zip(services, (handles, handles[::-1]), strict=True)
        ]
    )

    made = [user["handle"] for answer in answers for user in answer["upsertUsers"]["users"] if user]
    assert sorted(made) == handles
    assert sum(len(answer["upsertUsers"]["userErrors"]) for answer in answers) == 20


async def test_a_first_sign_in_during_the_upsert_is_the_same_user(system: System) -> None:
    await service(system).ask("{ viewer { id } }")

    answers, _ = await asyncio.gather(
        upsert(system, {"externalId": "alice", **FULL}), system.person("alice").ask("{ viewer { id } }")
    )

    assert answers == {"users": [FULL], "userErrors": []}
    assert await system.rows("SELECT count(*) FROM users WHERE handle <> 'service'") == [(1,)]


async def test_an_upsert_of_unchanged_users_takes_three_statements(system: System) -> None:
    items = [{"externalId": f"u{i}", "handle": f"h{i}"} for i in range(100)]
    await upsert(system, *items)
    before = metric("sql_queries_total")

    await upsert(system, *items)

    assert metric("sql_queries_total") - before == 3  # claim and read the identities, read the profiles
