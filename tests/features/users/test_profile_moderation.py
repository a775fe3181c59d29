"""Moderation of profile texts: texts are refused at once, or reset after the external reviewer's verdict."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from graphql import get_named_type

import workers.profile_reviews
from domain import handles
from domain.reserved_names import is_reserved
from identity import auth
from models.profiles import ProfileField
from settings import ModerationSettings, Settings
from store.moderation import profile_reviews
from tests.support.external_reviewer import Server, json_response, listening
from tests.support.handles import aged
from tests.support.reserved_names import RESERVED
from tests.support.schema_paths import SCHEMA
from tests.support.statements import statements
from tests.support.stores import standalone
from tests.support.system import LIMITLESS, Person, System, running
from workers import external_reviewer

UPDATE = """mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) {
  user { handle displayName bio } userErrors { code field } } }"""
PROFILE = "query ($handle: String!) { user(handle: $handle) { handle displayName bio } }"
NOTIFICATIONS = "{ viewer { notifications { nodes { kind message subject { id } } } } }"


async def update(person: Person, **fields: str) -> Any:
    return (await person.ask(UPDATE, input=fields))["updateProfile"]


async def refusals(person: Person, **fields: str) -> list[tuple[str, list[str]]]:
    answer = await update(person, **fields)
    assert answer["userErrors"] == [] or answer["user"] is None
    return [(error["code"], error["field"]) for error in answer["userErrors"]]


def signed_in(system: System, subject: str, **claims: Any) -> Person:
    """Returns a user whose token has additional claims."""
    token = auth.mint(system.settings, subject, **claims)
    return Person(system.http, subject, {"authorization": f"Bearer {token}"})


@standalone
@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"displayName": "Casino-Bonus"}, "displayName"),
        ({"bio": "I like it here.\nbuy\u2800followers"}, "bio"),
        ({"handle": "casino_bonus"}, "handle"),
        ({"bio": "see https://example.com"}, "bio"),  # a link of a new account
    ],
)
async def test_a_text_that_breaks_the_rules_is_refused_at_once(
    system: System, fields: dict[str, str], field: str
) -> None:
    alice = system.person("alice")
    await update(alice, bio="before")

    assert await refusals(alice, **fields) == [("TEXT_NOT_ALLOWED", [field])]

    assert (await alice.ask(PROFILE, handle="alice"))["user"]["bio"] == "before"


@standalone
async def test_an_old_text_that_breaks_the_rules_does_not_block_other_edits(system: System) -> None:
    alice = system.person("alice")
    await alice.id()
    await system.rows("UPDATE users SET display_name = 'casino bonus' RETURNING 1")

    assert await refusals(alice, bio="fine") == []


@standalone
async def test_invisible_characters_are_removed_from_profile_texts(system: System) -> None:
    alice = system.person("alice")

    answer = await update(alice, displayName="Al\u200bice\u202e", bio="\u3164\u2800")

    assert answer["user"] == {"handle": "alice", "displayName": "Alice", "bio": ""}
    assert await refusals(alice, displayName="\u3164") == [("INVALID", ["displayName"])]


@standalone
async def test_reserved_handles_and_similar_ones_are_refused(system: System) -> None:
    alice = system.person("alice")
    taken = ("admin", "ADM1N", "_admin_", "rn0derator", "m0d", "plaud1t", "admin1", "support_24", "plaudit_support")
    for handle in taken:
        assert await refusals(alice, handle=handle) == [("HANDLE_TAKEN", ["handle"])], handle
    for handle in ("administers", "modern7", "helpful"):
        assert await refusals(alice, handle=handle) == [], handle


def test_only_these_mutations_set_a_display_name() -> None:
    assert SCHEMA.mutation_type
    inputs = {
        mutation: get_named_type(argument.type)
        for mutation, field in SCHEMA.mutation_type.fields.items()
        for argument in field.args.values()
    }
    naming = {one for one, type_ in inputs.items() if "displayName" in getattr(type_, "fields", {})}

    assert naming == {"updateProfile", "registerUsers", "upsertUsers"}


@standalone
async def test_reserved_display_names_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=LIMITLESS)) as system:
        alice = system.person("alice")
        for name in RESERVED:
            assert await refusals(alice, displayName=name) == [("TEXT_NOT_ALLOWED", ["displayName"])], name
        assert await refusals(alice, displayName="Alice of Support") == []


@standalone
async def test_reserved_display_names_of_tokens_are_not_used(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=LIMITLESS)) as system:
        for i, name in enumerate(RESERVED):
            user = await signed_in(system, f"u{i}", name=name).ask("{ viewer { user { handle displayName } } }")
            shown = user["viewer"]["user"]
            assert shown["displayName"] == shown["handle"], name
            assert not is_reserved(shown["handle"], system.settings.people.reserved_handles), name


@standalone
async def test_a_service_may_give_reserved_display_names(system: System) -> None:
    service = system.person("registrar", "users:write")
    for i, mutation in enumerate(("registerUsers", "upsertUsers")):
        query = """mutation { %s(users: [{externalId: "%d", displayName: "PLAUDIT Support"}]) {
          users { displayName } userErrors { code } } }"""
        answer = await service.ask(query % (mutation, i))
        assert answer[mutation] == {"users": [{"displayName": "PLAUDIT Support"}], "userErrors": []}


@standalone
async def test_names_in_user_tokens_are_moderated_and_names_from_services_are_trusted(system: System) -> None:
    admin = signed_in(system, "admin", name="Casino Bonus")
    shown = (await admin.ask("{ viewer { user { handle displayName } } }"))["viewer"]["user"]
    assert not is_reserved(shown["handle"], system.settings.people.reserved_handles)
    assert shown["displayName"] == shown["handle"]

    answer = await system.person("registrar", "users:write").ask(
        """mutation { registerUsers(users: [{externalId: "s", handle: "support", displayName: "Support"}]) {
             users { handle displayName } userErrors { code } } }"""
    )
    assert answer["registerUsers"]["users"] == [{"handle": "support", "displayName": "Support"}]


@standalone
async def test_a_freed_handle_is_reserved_for_its_former_owner(system: System) -> None:
    alice, mallory = system.person("alice"), system.person("mallory")
    await update(alice, handle="alice_m")

    assert (await mallory.ask(PROFILE, handle="alice"))["user"]["handle"] == "alice_m"
    assert await refusals(mallory, handle="alice") == [("HANDLE_TAKEN", ["handle"])]
    newcomer = await signed_in(system, "other", name="Alice").ask("{ viewer { user { handle } } }")
    assert newcomer["viewer"]["user"]["handle"] != "alice"
    assert await refusals(alice, handle="alice") == []
    assert (await mallory.ask(PROFILE, handle="alice"))["user"]["handle"] == "alice"


@standalone
async def test_a_freed_handle_can_be_claimed_after_the_hold_time(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(people={"handle_hold_days": 2})) as system:
        alice, bob = system.person("alice"), system.person("bob")
        await bob.id()
        await update(alice, handle="alice_m")
        await aged(system, "alice", hours=47)
        assert await refusals(bob, handle="alice") == [("HANDLE_TAKEN", ["handle"])]
        await aged(system, "alice", hours=2)
        assert await refusals(bob, handle="alice") == []
        assert (await alice.ask(PROFILE, handle="alice"))["user"]["displayName"] == "bob"
        assert await refusals(alice, handle="alice") == [("HANDLE_TAKEN", ["handle"])]


@standalone
async def test_a_user_reserves_at_most_three_freed_handles(system: System) -> None:
    alice = system.person("alice")
    for i in range(10):
        assert await refusals(alice, handle=f"wanted{i}") == []

    reserved = await system.rows("SELECT handle FROM handles WHERE freed_at IS NOT NULL ORDER BY handle")

    assert reserved == [("wanted6",), ("wanted7",), ("wanted8",)]
    assert await refusals(system.person("bob"), handle="wanted0") == []


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with listening() as server:
        yield server


@pytest_asyncio.fixture
async def reviewed(make_settings: Callable[..., Settings], server: Server) -> AsyncIterator[System]:
    """Yields a system with an external reviewer."""
    async with running(
        make_settings(moderation=ModerationSettings(reviewer=server.settings()), local_cache_seconds=0)
    ) as system:
        yield system


async def review(system: System) -> int:
    """Lets a worker review all texts that are due. Returns the number of texts."""
    assert system.settings.moderation.reviewer
    async with external_reviewer.opened(system.settings.moderation.reviewer, system.state.labels) as external:
        return await workers.profile_reviews.step(system.state, external, range(system.settings.partitions))


@standalone
async def test_the_reviewer_gets_every_new_text_once(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    server.answer = json_response({"decision": "approve"})
    await alice.id()
    assert await review(reviewed) == 2
    await update(alice, bio="hello", displayName="Alice")
    await update(alice, bio="hello")
    assert await review(reviewed) == 2
    assert await review(reviewed) == 0

    asked = [(request.json["kind"], request.json["text"]) for request in server.requests]
    assert sorted(asked) == [
        ("bio", "hello"),
        ("display_name", "Alice"),
        ("display_name", "alice"),
        ("handle", "alice"),
    ]
    for request in server.requests:
        assert (request.json["business"], request.json["client"]) == ("user", {"network": None, "device": None})
        assert (request.json["author"]["rejections"], request.json["author"]["acceptedReports"]) == (0, 0)
    assert (await update(alice))["user"] == {"handle": "alice", "displayName": "Alice", "bio": "hello"}


@standalone
async def test_rejected_texts_are_reset_and_their_owner_is_notified(reviewed: System, server: Server) -> None:
    alice, bob = reviewed.person("alice"), reviewed.person("bob")
    await alice.id()
    await update(alice, bio="rude", displayName="Rude")
    await bob.ask(PROFILE, handle="alice")  # fills the cache
    server.answer = json_response({"decision": "reject", "reason": "rude"})

    await review(reviewed)

    handle = (await alice.ask("{ viewer { user { handle } } }"))["viewer"]["user"]["handle"]
    assert handle != "alice"
    assert (await bob.ask(PROFILE, handle=handle))["user"] == {"handle": handle, "displayName": handle, "bio": ""}
    assert (await bob.ask(PROFILE, handle="alice"))["user"]["handle"] != "alice"
    notifications = (await alice.ask(NOTIFICATIONS))["viewer"]["notifications"]["nodes"]
    assert {node["kind"] for node in notifications} == {"MODERATION"}
    assert {node["message"] for node in notifications} == {
        "Your bio was rejected: rude",
        "Your display name was rejected: rude",
        "Your handle was rejected: rude",
    }
    explained = [(one["restriction"], one["facts"], one["isAutomated"]) for one in await statements(alice)]
    assert explained == [("PROFILE_REJECTED", "rude", True)] * 3
    assert await reviewed.rows("SELECT count(*) FROM profile_reviews WHERE user_id = :id", id=await number(alice)) == [
        (0,)
    ]


@standalone
async def test_a_generated_handle_is_not_one_that_is_reserved_for_another_user(
    reviewed: System, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part, word in (("_ADJECTIVES", "quiet"), ("_ANIMALS", "otter")):
        monkeypatch.setattr(handles, part, (word,))
    alice, bob = reviewed.person("alice"), reviewed.person("bob")
    server.answer = json_response({"decision": "approve"})
    for handle in ("quiet_otter", "alice_m"):
        assert await refusals(alice, handle=handle) == []
    await review(reviewed)
    await bob.id()
    server.answer = json_response({"decision": "reject", "reason": "rude"})

    await review(reviewed)

    assert (await bob.ask(PROFILE, handle="quiet_otter"))["user"]["handle"] == "alice_m"
    assert await refusals(alice, handle="quiet_otter") == []


async def number(person: Person) -> int:
    return int((await person.id()).partition(":")[2])


@standalone
async def test_a_verdict_about_an_earlier_text_does_not_change_the_new_text(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    server.answer = json_response({"decision": "approve"})
    await update(alice, bio="rude")
    await review(reviewed)
    await update(alice, bio="rude again")
    (due,) = await reviewed.rows("SELECT version FROM profile_reviews")

    async def late(writer: asyncio.StreamWriter) -> None:
        await update(alice, bio="kind")
        await json_response({"decision": "reject", "reason": "rude"})(writer)

    server.answer = late
    await review(reviewed)

    assert (await update(alice))["user"]["bio"] == "kind"
    ((later,),) = await reviewed.rows("SELECT version FROM profile_reviews")
    assert (later,) > due


@standalone
async def test_a_verdict_does_not_change_a_new_text_of_the_same_millisecond(reviewed: System) -> None:
    postgres = reviewed.state.postgres
    async with postgres.transaction() as transaction:
        await profile_reviews.ask(transaction, 1, [ProfileField.BIO], 0, 7)
    (earlier,) = await profile_reviews.due(postgres, [0], 7, 1)

    async with postgres.transaction() as transaction:
        await profile_reviews.ask(transaction, 1, [ProfileField.BIO], 0, 7)
        assert not await profile_reviews.done(transaction, earlier)


@standalone
@pytest.mark.parametrize("answer", [{"something": "else"}, {"decision": "later"}])
async def test_a_text_waits_for_review_while_the_reviewer_does_not_answer(
    reviewed: System, server: Server, answer: object
) -> None:
    alice = reviewed.person("alice")
    server.answer = json_response({"decision": "approve"})
    await alice.id()
    await review(reviewed)
    await update(alice, bio="rude")
    server.answer = json_response(answer)

    assert await review(reviewed) == 1
    assert await review(reviewed) == 0  # the retry is not due yet
    await reviewed.rows("UPDATE profile_reviews SET version = 1 RETURNING 1")
    server.answer = json_response({"decision": "reject", "reason": "rude"})
    await review(reviewed)

    assert (await update(alice))["user"]["bio"] == ""
