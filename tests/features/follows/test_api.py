"""follow and unfollow through the API: answers, and refusals that write nothing."""

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
    """Drains the system. Returns the number of all rows about follows."""
    await system.drain()
    tables = ("follows", "following", "followers", "follow_log")
    return sum([(await system.rows(f"SELECT count(*) FROM {table}"))[0][0] for table in tables])  # noqa: S608 - our own


async def test_a_follow_returns_the_present_target_and_viewer(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    bob_id = await bob.id()
    seen = {"id": bob_id, "handle": "bob", "followerCount": 1, "friendCount": 0, "viewerRelation": "FOLLOWING"}

    followed = await change(alice, "follow", bob_id)
    again = await change(alice, "follow", bob_id)
    unfollowed = await change(alice, "unfollow", bob_id)

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
async def test_a_follow_back_returns_the_relation_friends(system: System, drained: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await follow(bob, await alice.id())
    await system.drain()

    payload = await change(alice, "follow", await bob.id())
    if drained:
        await system.drain()
        payload = await change(alice, "follow", await bob.id())

    assert payload["user"]["viewerRelation"] == "FRIENDS"
    assert (payload["user"]["friendCount"], payload["viewer"]["user"]["friendCount"]) == (int(drained), 1)


@standalone
async def test_an_unfollow_without_a_follow_succeeds_and_changes_nothing(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")

    payload = await change(alice, "unfollow", await bob.id())

    assert (payload["user"]["viewerRelation"], payload["userErrors"]) == ("NONE", [])
    assert await journalled(system) == 0


@standalone
async def test_a_malformed_id_is_bad_input(system: System) -> None:
    alice = system.person("alice")

    async with unchanged(system):
        for verb in VERBS:
            for text in MALFORMED:
                assert await alice.errors(FOLLOW % verb, id=text, key="k") == [("BAD_INPUT", [verb])], text


@standalone
async def test_an_id_that_does_not_name_a_user_is_not_found(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    bob = await someone(system, "bob")
    viewer = (await alice.ask("{ viewer { id } }"))["viewer"]["id"]

    async with unchanged(system):
        for verb in VERBS:
            for id_ in (video, "Entity:video:nothing", viewer, f"Viewer:{bob.user_id}"):
                assert refusal(await change(alice, verb, id_)) == ("TARGET_NOT_FOUND", ["userId"])
        assert refusal(await change(alice, "follow", "User:7")) == ("TARGET_NOT_FOUND", ["userId"])
        assert (await change(alice, "unfollow", "User:7"))["userErrors"] == []  # as for a hidden user


@standalone
async def test_users_cannot_follow_themselves(system: System) -> None:
    alice = system.person("alice")
    mine = await alice.id()

    async with unchanged(system):
        for verb in VERBS:
            assert refusal(await change(alice, verb, mine)) == ("CANNOT_FOLLOW_SELF", ["userId"])


@standalone
async def test_following_needs_a_signed_in_user(system: System) -> None:
    bob_id = await system.person("bob").id()

    async with unchanged(system):
        for verb in VERBS:
            for id_ in (bob_id, "User:7", "bob"):
                answer = await system.person(None, device_id="d1").errors(FOLLOW % verb, id=id_, key="k")
                assert answer == [("UNAUTHENTICATED", [verb])]


@standalone
@pytest.mark.parametrize("key", ["", " k", "k ", "k" * 129, "k\n", "\0", "a\0b"])
async def test_an_invalid_idempotency_key_is_bad_input(system: System, key: str) -> None:
    alice, bob_id = system.person("alice"), await system.person("bob").id()

    async with unchanged(system):
        for verb in VERBS:
            assert await alice.errors(FOLLOW % verb, id=bob_id, key=key) == [("BAD_INPUT", [verb])]

    assert (await change(alice, "follow", bob_id, "k" * 128))["userErrors"] == []


@standalone
async def test_half_a_surrogate_pair_is_an_invalid_key(system: System) -> None:
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
async def test_a_repeated_key_changes_nothing_and_returns_the_present_state(system: System, verb: str) -> None:
    alice, bob_id = system.person("alice"), await system.person("bob").id()
    other = "unfollow" if verb == "follow" else "follow"
    await change(alice, other, bob_id)
    await change(alice, verb, bob_id, "k")
    before = await journalled(system)
    then = await change(alice, other, bob_id)

    replayed = await change(alice, verb, bob_id, "k")

    assert replayed == then
    assert await journalled(system) == before + 1


@standalone
async def test_concurrent_requests_of_two_devices_with_one_key_are_one_change(system: System) -> None:
    devices, bob_id = [system.person("alice", device_id=f"d{i}") for i in range(2)], await system.person("bob").id()

    answers = await asyncio.gather(*[change(devices[i % 2], "follow", bob_id, "k") for i in range(20)])

    assert {answer["user"]["followerCount"] for answer in answers} == {1}
    assert await journalled(system) == 1


@standalone
async def test_a_key_with_another_input_is_a_mismatch(system: System) -> None:
    alice, bob_id = system.person("alice"), await system.person("bob").id()
    await change(alice, "follow", bob_id, "k")

    for id_ in (await system.person("carol").id(), await alice.id(), "User:7"):
        assert refusal(await change(alice, "follow", id_, "k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])

    assert await journalled(system) == 1
    assert await rows_written(system) == 4  # the rows of the one follow


@standalone
async def test_a_key_belongs_to_one_user_and_one_mutation(system: System) -> None:
    alice, bob, carol_id = system.person("alice"), system.person("bob"), await system.person("carol").id()

    await change(alice, "follow", carol_id, "k")
    await change(bob, "follow", carol_id, "k")
    unfollowed = await change(alice, "unfollow", carol_id, "k")

    assert unfollowed["user"]["followerCount"] == 0
    await system.drain()
    assert (await change(bob, "follow", carol_id, "k"))["user"]["followerCount"] == 1


@standalone
async def test_a_repeated_key_repeats_its_refusal(system: System) -> None:
    alice = system.person("alice")
    mine = await alice.id()

    for id_, code in ((mine, "CANNOT_FOLLOW_SELF"), ("User:7", "TARGET_NOT_FOUND")):
        for _ in range(2):
            assert refusal(await change(alice, "follow", id_, code)) == (code, ["userId"])
        bob_id = await system.person("bob").id()
        assert refusal(await change(alice, "follow", bob_id, code)) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])

    assert await rows_written(system) == 0


@standalone
async def test_a_valid_follow_beside_a_refused_one_in_the_same_request_succeeds(system: System) -> None:
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    mine, bob_id, carol_id = [await person.id() for person in (alice, bob, carol)]
    outcome = "{ user { handle } userErrors { code } }"
    both = f"""mutation ($one: ID!, $two: ID!) {{
      one: follow(input: {{userId: $one}}) {outcome} two: follow(input: {{userId: $two}}) {outcome} }}"""

    refused = await alice.ask(both, one=mine, two=bob_id)
    bad = (await alice.send(both, one=carol_id, two="carol")).json()

    assert refused["one"] == {"user": None, "userErrors": [{"code": "CANNOT_FOLLOW_SELF"}]}
    assert refused["two"] == {"user": {"handle": "bob"}, "userErrors": []}
    assert bad["data"] == {"one": {"user": {"handle": "carol"}, "userErrors": []}, "two": None}
    assert [(error["extensions"]["code"], error["path"]) for error in bad["errors"]] == [("BAD_INPUT", ["two"])]
    assert await journalled(system) == 2
