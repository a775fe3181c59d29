"""follow and unfollow as clients call them: what they answer, what they refuse, and that refusing writes nothing."""

import asyncio

import pytest

from tests.support.follows import FOLLOW, change, follow, refusal
from tests.support.journal_entries import journalled, someone
from tests.support.stored_state import unchanged
from tests.support.system import System

VERBS = ("follow", "unfollow")
MALFORMED = ("", "bob", "User:", "User:0", "User:-1", "User:007", "User:99999999999999999999", "User:1\0", "Post:x")
LITERAL = 'mutation { follow(input: {userId: "User:7", idempotencyKey: %s}) { userErrors { code } } }'

standalone = pytest.mark.parametrize("redis_mode", ["standalone"])


async def rows_written(system: System) -> int:
    """Everything there is about follows in Postgres, once nothing waits any more."""
    await system.drain()
    tables = ("follows", "following", "followers", "follow_log")
    return sum([(await system.rows(f"SELECT count(*) FROM {table}"))[0][0] for table in tables])  # noqa: S608 - our own


async def test_a_follow_answers_with_both_as_they_are_now(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    bobs = await bob.id()
    seen = {"id": bobs, "handle": "bob", "followerCount": 1, "friendCount": 0, "viewerRelation": "FOLLOWING"}

    followed = await change(alice, "follow", bobs)
    again = await change(alice, "follow", bobs)
    unfollowed = await change(alice, "unfollow", bobs)

    own = {"handle": "alice", "followingCount": 1, "friendCount": 0}
    assert followed == again == {"user": seen, "viewer": {"user": own}, "userErrors": []}
    assert unfollowed == {
        "user": seen | {"followerCount": 0, "viewerRelation": "NONE"},
        "viewer": {"user": own | {"followingCount": 0}},
        "userErrors": [],
    }
    assert await journalled(system) == 2


@standalone
@pytest.mark.parametrize("drained", [False, True], ids=["at once", "persisted"])
async def test_whoever_follows_back_is_told_that_they_are_friends(system: System, drained: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(bob, await alice.id())
    await system.drain()

    payload = await change(alice, "follow", await bob.id())
    if drained:
        await system.drain()
        payload = await change(alice, "follow", await bob.id())

    assert payload["user"]["viewerRelation"] == "FRIENDS"
    assert (payload["user"]["friendCount"], payload["viewer"]["user"]["friendCount"]) == (1, 1)


@standalone
async def test_unfollowing_somebody_never_followed_succeeds_and_changes_nothing(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")

    payload = await change(alice, "unfollow", await bob.id())

    assert (payload["user"]["viewerRelation"], payload["userErrors"]) == ("NONE", [])
    assert await journalled(system) == 0


@standalone
async def test_text_that_is_no_id_is_bad_input(system: System) -> None:
    alice = system.person("alice")

    async with unchanged(system):
        for verb in VERBS:
            for text in MALFORMED:
                assert await alice.errors(FOLLOW % verb, id=text, key="k") == [("BAD_INPUT", [verb])], text


@standalone
async def test_an_id_of_nobody_or_of_something_else_is_not_found(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    bob = await someone(system, "bob")
    viewer = (await alice.ask("{ viewer { id } }"))["viewer"]["id"]

    async with unchanged(system):
        for verb in VERBS:
            for id_ in ("User:7", video, "Entity:video:nothing", viewer, f"Viewer:{bob.user_id}"):
                assert refusal(await change(alice, verb, id_)) == ("TARGET_NOT_FOUND", ["userId"])


@standalone
async def test_nobody_follows_themselves(system: System) -> None:
    alice = system.person("alice")
    mine = await alice.id()

    async with unchanged(system):
        for verb in VERBS:
            assert refusal(await change(alice, verb, mine)) == ("CANNOT_FOLLOW_SELF", ["userId"])


@standalone
async def test_nobody_follows_without_signing_in(system: System) -> None:
    bobs = await system.person("bob").id()

    async with unchanged(system):
        for verb in VERBS:
            for id_ in (bobs, "User:7", "bob"):
                answer = await system.person(None, device_id="d1").errors(FOLLOW % verb, id=id_, key="k")
                assert answer == [("UNAUTHENTICATED", [verb])]


@standalone
@pytest.mark.parametrize("key", ["", " k", "k ", "k" * 129, "k\n", "\0", "a\0b"])
async def test_a_key_that_cannot_be_one_is_bad_input(system: System, key: str) -> None:
    alice, bobs = system.person("alice"), await system.person("bob").id()

    async with unchanged(system):
        for verb in VERBS:
            assert await alice.errors(FOLLOW % verb, id=bobs, key=key) == [("BAD_INPUT", [verb])]

    assert (await change(alice, "follow", bobs, "k" * 128))["userErrors"] == []


@standalone
async def test_half_a_surrogate_pair_is_no_key(system: System) -> None:
    alice = system.person("alice")
    headers = alice.headers | {"content-type": "application/json"}
    body = r'{"query": "mutation ($k: String) { QUERY }", "variables": {"k": "\ud800"}}'.replace(
        "QUERY", 'follow(input: {userId: \\"User:7\\", idempotencyKey: $k}) { userErrors { code } }'
    )

    async with unchanged(system):
        assert await alice.errors(LITERAL % r'"\ud800"') == [("GRAPHQL_PARSE_FAILED", None)]
        response = await system.http.post("/graphql", content=body, headers=headers)

    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["BAD_INPUT"]


@standalone
@pytest.mark.parametrize("verb", VERBS)
async def test_a_repeated_key_is_done_once_and_shows_how_things_are_now(system: System, verb: str) -> None:
    alice, bobs = system.person("alice"), await system.person("bob").id()
    other = "unfollow" if verb == "follow" else "follow"
    await change(alice, other, bobs)
    await change(alice, verb, bobs, "k")
    before = await journalled(system)
    then = await change(alice, other, bobs)

    replayed = await change(alice, verb, bobs, "k")

    assert replayed == then
    assert await journalled(system) == before + 1


@standalone
async def test_many_devices_under_one_key_are_one_change(system: System) -> None:
    devices, bobs = [system.person("alice", device_id=f"d{i}") for i in range(2)], await system.person("bob").id()

    answers = await asyncio.gather(*[change(devices[i % 2], "follow", bobs, "k") for i in range(20)])

    assert {answer["user"]["followerCount"] for answer in answers} == {1}
    assert await journalled(system) == 1


@standalone
async def test_a_key_with_another_input_is_a_mismatch(system: System) -> None:
    alice, bobs = system.person("alice"), await system.person("bob").id()
    await change(alice, "follow", bobs, "k")

    for id_ in (await system.person("carol").id(), await alice.id(), "User:7"):
        assert refusal(await change(alice, "follow", id_, "k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])

    assert await journalled(system) == 1
    assert await rows_written(system) == 4  # the one follow's


@standalone
async def test_a_key_belongs_to_one_person_and_one_verb(system: System) -> None:
    alice, bob, carols = system.person("alice"), system.person("bob"), await system.person("carol").id()

    await change(alice, "follow", carols, "k")
    await change(bob, "follow", carols, "k")
    unfollowed = await change(alice, "unfollow", carols, "k")

    assert unfollowed["user"]["followerCount"] == 0
    await system.drain()
    assert (await change(bob, "follow", carols, "k"))["user"]["followerCount"] == 1


@standalone
async def test_a_refusal_is_repeated_under_its_key_whatever_has_changed(system: System) -> None:
    alice = system.person("alice")
    mine = await alice.id()

    for id_, code in ((mine, "CANNOT_FOLLOW_SELF"), ("User:7", "TARGET_NOT_FOUND")):
        for _ in range(2):
            assert refusal(await change(alice, "follow", id_, code)) == (code, ["userId"])
        bobs = await system.person("bob").id()
        assert refusal(await change(alice, "follow", bobs, code)) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])

    assert await rows_written(system) == 0


@standalone
async def test_of_two_in_one_request_the_good_one_is_done(system: System) -> None:
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    mine, bobs, carols = [await one.id() for one in (alice, bob, carol)]
    outcome = "{ user { handle } userErrors { code } }"
    both = f"""mutation ($one: ID!, $two: ID!) {{
      one: follow(input: {{userId: $one}}) {outcome} two: follow(input: {{userId: $two}}) {outcome} }}"""

    refused = await alice.ask(both, one=mine, two=bobs)
    bad = (await alice.send(both, one=carols, two="carol")).json()

    assert refused["one"] == {"user": None, "userErrors": [{"code": "CANNOT_FOLLOW_SELF"}]}
    assert refused["two"] == {"user": {"handle": "bob"}, "userErrors": []}
    assert bad["data"] == {"one": {"user": {"handle": "carol"}, "userErrors": []}, "two": None}
    assert [(error["extensions"]["code"], error["path"]) for error in bad["errors"]] == [("BAD_INPUT", ["two"])]
    assert await journalled(system) == 2
