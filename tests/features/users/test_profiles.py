"""updateProfile: the own profile, and unique handles."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from store.people import held_handles
from tests.support.handles import aged, held
from tests.support.stored_state import unchanged
from tests.support.system import Person, System, running

REGISTER = """mutation ($users: [UserInput!]!) { registerUsers(users: $users) { users { handle } } }"""
UPDATE = """mutation ($p: UpdateProfileInput!) { updateProfile(input: $p) {
  user { handle displayName avatarUrl bio } userErrors { code field } } }"""
PICTURE = "https://images.example.com/a.png"
HOLDER = "query ($h: String!) { user(handle: $h) { handle displayName } }"


async def update(person: Person, **profile: Any) -> Any:
    return unsigned((await person.ask(UPDATE, p=profile))["updateProfile"], "user")


def unsigned(answer: Any, name: str) -> Any:
    """Returns an answer without the signature of the avatar of one user."""
    user = answer[name]
    if user and user.get("avatarUrl"):
        user["avatarUrl"] = user["avatarUrl"].partition("?")[0]
    return answer


async def holder(person: Person, handle: str) -> str | None:
    """Returns the display name of the user with a handle."""
    user = (await person.ask(HOLDER, h=handle))["user"]
    return user and str(user["displayName"])


async def test_absent_fields_are_unchanged_and_only_the_avatar_can_be_null(system: System) -> None:
    alice = system.person("alice")
    full = {"handle": "alice_m", "displayName": "Alice", "avatarUrl": PICTURE, "bio": "Hello"}

    assert (await update(alice, **full))["user"] == full
    assert (await update(alice))["user"] == full
    assert (await update(alice, bio="Hi"))["user"] == {**full, "bio": "Hi"}
    assert (await update(alice, avatarUrl=None, bio=""))["user"] == {**full, "avatarUrl": None, "bio": ""}
    for field in ("handle", "displayName", "bio"):
        async with unchanged(system):
            assert await alice.errors(UPDATE, p={"avatarUrl": "https://images.example.com/c", field: None}) == [
                ("BAD_INPUT", ["updateProfile"])
            ]


async def test_display_names_are_trimmed_and_cannot_be_empty(system: System) -> None:
    alice = system.person("alice")

    assert (await update(alice, displayName="  Alice \n", bio=" Hello "))["user"]["displayName"] == "Alice"
    lines = await update(alice, displayName="Alice\r\n \tde\u3000la\u2028Cruz")
    assert lines["user"]["displayName"] == "Alice de\u3000la Cruz"
    async with unchanged(system):
        answer = await update(alice, displayName="  ")

    assert answer["userErrors"] == [{"code": "INVALID", "field": ["displayName"]}]


@pytest.mark.parametrize("handle", ["a", "a" * 31, "al-ice", "al ice", "älice", "", "alice.m", "@alice", "a" * 65])
async def test_a_chosen_handle_is_letters_digits_and_underscores(system: System, handle: str) -> None:
    alice = system.person("alice")

    async with unchanged(system):
        answer = await update(alice, handle=handle, bio="new")

    assert answer == {"user": None, "userErrors": [{"code": "INVALID", "field": ["handle"]}]}


async def test_the_error_tells_which_handles_users_may_choose(system: System) -> None:
    query = """mutation ($h: String!) { updateProfile(input: {handle: $h}) { userErrors { message } } }"""

    for handle in ("!", "alice.m", "a" * 31):
        (error,) = (await system.person("alice").ask(query, h=handle))["updateProfile"]["userErrors"]
        assert error["message"] == "A handle has 2 to 30 characters: letters, digits and `_`."


async def test_users_may_choose_the_separators_of_the_setting(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(people={"handle_separators": "."})) as system:
        alice = system.person("alice")
        assert (await update(alice, handle="Alice.M"))["user"]["handle"] == "alice.m"
        assert [await holder(alice, handle) for handle in ("alice.m", "ALICE.M", "alice")] == ["alice"] * 3

        async with unchanged(system):
            for handle in ("alice-m", "alice.", ".alice", "alice..m", "a." * 15 + "a"):
                answer = await update(alice, handle=handle, bio="new")
                assert answer == {"user": None, "userErrors": [{"code": "INVALID", "field": ["handle"]}]}, handle
            answer = await update(alice, handle="ad.min")
            assert answer == {"user": None, "userErrors": [{"code": "HANDLE_TAKEN", "field": ["handle"]}]}


async def test_a_user_keeps_and_takes_back_a_handle_that_only_services_may_assign(system: System) -> None:
    assigned = "ann.lee-" + "x" * 50
    service, ann, bob = system.person("service", "users:write"), system.person("ann"), system.person("bob")
    await service.ask(REGISTER, users=[{"externalId": "ann", "handle": assigned}])
    refused = {"user": None, "userErrors": [{"code": "INVALID", "field": ["handle"]}]}

    assert (await update(ann, handle=assigned, bio="new"))["user"]["handle"] == assigned
    assert (await update(ann, handle="ann"))["user"]["handle"] == "ann"
    assert await holder(bob, assigned) == assigned, "the former handle still finds the user"
    assert await update(bob, handle=assigned) == refused
    assert (await update(ann, handle=assigned.upper()))["user"]["handle"] == assigned

    await update(ann, handle="ann_lee")
    await aged(system, assigned, days=31)
    assert await update(ann, handle=assigned) == refused


async def test_a_handle_of_another_user_is_taken_in_upper_and_lower_case(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await bob.ask("{ viewer { id } }")

    async with unchanged(system):
        for handle in ("bob", "BOB", "Bob"):
            answer = await update(alice, handle=handle, bio="new")
            assert answer == {"user": None, "userErrors": [{"code": "HANDLE_TAKEN", "field": ["handle"]}]}


async def test_a_handle_is_stored_in_lower_case_and_found_in_any_case(system: System) -> None:
    alice = system.person("alice")

    assert (await update(alice, handle="Alice_M"))["user"]["handle"] == "alice_m"
    assert [await holder(alice, handle) for handle in ("alice_m", "ALICE_M", "alice")] == ["alice"] * 3


async def test_updating_to_the_own_handle_changes_nothing(system: System) -> None:
    alice = system.person("alice")

    assert (await update(alice, handle="ALICE"))["userErrors"] == []
    assert await holder(alice, "alice") == "alice"
    assert await system.rows("SELECT handle FROM handles") == [("alice",)]


async def test_a_freed_handle_can_be_taken_by_another_user_after_the_hold_time(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await bob.ask("{ viewer { id } }")
    assert await holder(bob, "alice") is None
    await alice.ask("{ viewer { id } }")
    assert await holder(bob, "alice") == "alice"

    await update(alice, handle="alice_2", displayName="Alice")
    assert await holder(bob, "alice") == "Alice"
    await aged(system, "alice", days=31)
    await update(bob, handle="alice")

    assert [await holder(bob, handle) for handle in ("alice", "alice_2", "bob")] == ["bob", "Alice", "bob"]


async def test_one_of_many_concurrent_requests_gets_the_handle(system: System) -> None:
    people = [system.person(f"person{i}") for i in range(6)]
    await asyncio.gather(*[person.ask("{ viewer { id } }") for person in people])

    answers = await asyncio.gather(*[update(person, handle="wanted") for person in people])

    winners = [person.handle for person, answer in zip(people, answers, strict=True) if answer["user"]]
    refusals = [answer["userErrors"] for answer in answers if not answer["user"]]
    assert len(winners) == 1
    assert refusals == [[{"code": "HANDLE_TAKEN", "field": ["handle"]}]] * 5
    assert await holder(people[0], "wanted") == winners[0]
    assert len(await held(system)) == 6


async def test_two_users_who_swap_handles_concurrently_never_share_one(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await asyncio.gather(alice.ask("{ viewer { id } }"), bob.ask("{ viewer { id } }"))

    for _ in range(5):
        await asyncio.gather(update(alice, handle="bob"), update(bob, handle="alice"))
        await asyncio.gather(update(alice, handle="spare"), update(bob, handle="spare"))

        assert len(await held(system)) == 2


async def test_concurrent_edits_of_one_profile_are_all_stored(system: System) -> None:
    alice, reader = system.person("alice"), system.person("bob")
    await alice.ask("{ viewer { id } }")

    await asyncio.gather(
        update(alice, bio="Hello"),
        update(alice, displayName="Alice"),
        update(alice, handle="alice_m"),
        update(alice, avatarUrl=PICTURE),
    )

    user = '{ user(handle: "alice_m") { handle displayName avatarUrl bio } }'
    assert unsigned(await reader.ask(user), "user")["user"] == {
        "handle": "alice_m",
        "displayName": "Alice",
        "avatarUrl": PICTURE,
        "bio": "Hello",
    }


async def test_all_users_see_an_edit_at_once_in_all_fields(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob", "users:read")
    (video,) = await system.videos("v1", owner="alice")
    await alice.like(video)
    await system.drain()
    viewer = await alice.id()
    all_fields = """query ($user: ID!) {
      node(id: $user) { ... on User { displayName } } users(externalIds: ["alice"]) { displayName }
      entity(business: "video", key: "v1") { owner { displayName } likers { nodes { displayName } } } }"""

    for name in ("alice", "Alice", "Alice M."):
        if name != "alice":
            await update(alice, displayName=name)
        shown = await bob.ask(all_fields, user=viewer)
        user = {"displayName": name}
        assert shown == {"node": user, "users": [user], "entity": {"owner": user, "likers": {"nodes": [user]}}}


async def test_concurrent_registrations_with_crossed_handles_do_not_deadlock(system: System) -> None:
    service = system.person("service", "users:write")
    await service.ask(REGISTER, users=[{"externalId": "taken", "handle": "mm"}])

    async def register(number: int, first: str, second: str) -> None:
        """Registers two users: one wants `first`, one wants the taken handle `mm` and has `second` as display name."""
        users = [
            {"externalId": f"{number} {first}", "handle": f"{first}{number}"},
            {"externalId": f"{number} {first} too", "handle": "mm", "displayName": f"{second}{number}"},
        ]
        answer = (await service.ask(REGISTER, users=users))["registerUsers"]
        assert [user["handle"][:2] for user in answer["users"]] == [first, "mm"]

    for number in range(30):
        await asyncio.gather(register(number, "aa", "bb"), register(number, "bb", "aa"))


async def test_a_failed_claim_of_a_handle_leaves_no_lock(system: System) -> None:
    for name in ("anna", "smith"):
        await system.person(name).id()
    postgres = system.state.postgres

    async with postgres.transaction() as one, postgres.transaction() as other:
        assert not await held_handles.claim(one, "anna", 1, hold=0)
        assert not await held_handles.claim(other, "smith", 2, hold=0)
        claims = held_handles.claim(one, "smith", 1, hold=0), held_handles.claim(other, "anna", 2, hold=0)
        assert not any(await asyncio.gather(*claims))
