"""Requests to follow a private user: asking, accepting, rejecting, withdrawing, and what each of the two sees."""

from collections.abc import Mapping
from typing import Any

import pytest

from store.people.follows import drop_lists
from tests.support import boundaries
from tests.support.journal_entries import journalled
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.system import Person, System

CHANGE = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { id viewerRelation followerCount } userErrors { code field } } }"""
PRIVATE = (
    "mutation ($is: Boolean) { updateProfile(input: {isPrivate: $is}) { user { isPrivate } userErrors { code } } }"
)
SEEN = """query ($id: ID!) {
  viewer { followRequests { nodes { handle } } notifications { nodes { kind message actorCount } }
    user { followerCount followingCount following { nodes { handle } } followers { nodes { handle } } } }
  node(id: $id) { ... on User { viewerRelation posts { nodes { text } } } } }"""
SUSPEND = """mutation ($id: ID!) { suspendUser(input: {userId: $id, mode: HIDDEN, reason: "spam"}) {
  userErrors { code } } }"""
REINSTATE = "mutation ($id: ID!) { reinstateUser(input: {userId: $id}) { userErrors { code } } }"
POST = 'mutation { publishPost(input: {text: "secret", idempotencyKey: "k"}) { post { id } } }'


class Pair:
    """bob, whose account is private, and alice."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob = system.person("alice"), system.person("bob")
        self.ids: dict[str, str] = {}

    async def made(self) -> "Pair":
        for person in (self.alice, self.bob):
            self.ids[str(person.handle)] = (await person.ask("{ viewer { user { id } } }"))["viewer"]["user"]["id"]
        await self.bob.ask(POST)
        await self.set_private(True)
        await self.system.drain()
        return self

    async def set_private(self, is_private: bool) -> None:
        assert (await self.bob.ask(PRIVATE, **{"is": is_private}))["updateProfile"] == {
            "user": {"isPrivate": is_private},
            "userErrors": [],
        }

    async def change(self, person: Person, verb: str, key: str | None = None) -> Mapping[str, Any]:
        other = "bob" if person is self.alice else "alice"
        payload: Mapping[str, Any] = (await person.ask(CHANGE % verb, id=self.ids[other], key=key))[verb]
        return payload

    async def done(self, person: Person, verb: str, relation: str) -> None:
        payload = await self.change(person, verb)
        assert payload["userErrors"] == []
        assert payload["user"]["viewerRelation"] == relation

    async def refused(self, person: Person, verb: str) -> str:
        payload = await self.change(person, verb)
        assert payload["user"] is None
        (error,) = payload["userErrors"]
        code: str = error["code"]
        return code

    async def seen(self, person: Person) -> Any:
        return await person.ask(SEEN, id=self.ids["bob" if person is self.alice else "alice"])

    async def check(self, *, requested: bool = False, follows: bool = False) -> None:
        """Checks what both see at a quiet point."""
        for_alice, for_bob = await self.seen(self.alice), await self.seen(self.bob)
        relation = "FOLLOWING" if follows else "REQUESTED" if requested else "NONE"
        assert for_alice["node"]["viewerRelation"] == relation
        assert for_bob["node"]["viewerRelation"] == ("FOLLOWED_BY" if follows else "NONE")
        assert bool(for_alice["node"]["posts"]["nodes"]) == follows
        assert handles(for_bob["viewer"]["followRequests"]) == ["alice"] * requested
        assert handles(for_bob["viewer"]["user"]["followers"]) == ["alice"] * follows
        assert handles(for_alice["viewer"]["user"]["following"]) == ["bob"] * follows
        assert for_bob["viewer"]["user"]["followerCount"] == int(follows)
        assert for_alice["viewer"]["user"]["followingCount"] == int(follows)

    async def check_settled(self, *, requested: bool = False, follows: bool = False) -> None:
        """Checks what both see from caches, from rows, and from filled caches, and that reconcile finds nothing."""
        await self.system.drain()
        await self.check(requested=requested, follows=follows)
        assert await drift(self.system) == {}
        await self.system.empty_redis()
        await self.check(requested=requested, follows=follows)
        await self.check(requested=requested, follows=follows)
        assert await drift(self.system) == {}

    async def notified(self, person: Person) -> list[tuple[str, str]]:
        nodes = (await self.seen(person))["viewer"]["notifications"]["nodes"]
        return [(node["kind"], node["message"]) for node in nodes]


def handles(page: Mapping[str, Any]) -> list[str]:
    return [node["handle"] for node in page["nodes"]]


async def test_a_private_user_accepts_a_request(system: System) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.check_settled(requested=True)
    assert await pair.notified(pair.bob) == [("FOLLOW_REQUEST", "alice asked to follow you.")]

    await pair.done(pair.bob, "acceptFollow", "FOLLOWED_BY")
    await pair.done(pair.bob, "acceptFollow", "FOLLOWED_BY")
    assert handles((await pair.seen(pair.bob))["viewer"]["followRequests"]) == []
    await pair.check_settled(follows=True)
    assert await pair.notified(pair.alice) == [("FOLLOW_ACCEPTED", "bob accepted your request to follow.")]
    assert await pair.notified(pair.bob) == [("FOLLOW_REQUEST", "alice asked to follow you.")]


@standalone
async def test_a_rejected_user_can_ask_again_and_is_not_notified(system: System) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.bob, "rejectFollow", "NONE")
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.done(pair.bob, "rejectFollow", "NONE")
    await pair.check_settled()
    assert await pair.refused(pair.bob, "acceptFollow") == "REQUEST_NOT_FOUND"
    assert await pair.notified(pair.alice) == []
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.check_settled(requested=True)


@standalone
async def test_a_user_withdraws_a_request(system: System) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.alice, "follow", "REQUESTED")
    await system.drain()
    await pair.done(pair.alice, "unfollow", "NONE")
    await pair.check_settled()
    assert await pair.refused(pair.bob, "acceptFollow") == "REQUEST_NOT_FOUND"


@standalone
@pytest.mark.parametrize("verb", ["unfollow", "removeFollower"])
async def test_a_former_follower_who_asks_in_the_same_batch_does_not_follow(system: System, verb: str) -> None:
    pair = await Pair(system).made()
    await pair.set_private(False)
    await pair.done(pair.alice, "follow", "FOLLOWING")
    await pair.set_private(True)
    await system.drain()
    if verb == "unfollow":
        await pair.done(pair.alice, verb, "NONE")
    else:
        assert (await boundaries.change(pair.bob, verb, pair.ids["alice"]))["userErrors"] == []
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.check_settled(requested=True)


@standalone
@pytest.mark.parametrize(("who", "verb"), [("alice", "block"), ("bob", "block"), ("bob", "removeFollower")])
async def test_a_block_and_a_removal_end_a_request(system: System, who: str, verb: str) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.alice, "follow", "REQUESTED")
    person, other = (pair.alice, "bob") if who == "alice" else (pair.bob, "alice")
    assert (await boundaries.change(person, verb, pair.ids[other]))["userErrors"] == []
    if verb == "block":
        assert (await boundaries.change(person, "unblock", pair.ids[other]))["userErrors"] == []
    await pair.check_settled()
    assert await pair.refused(pair.bob, "acceptFollow") == "REQUEST_NOT_FOUND"


@standalone
async def test_requests_of_a_hidden_user_are_left_out_until_the_suspension_ends(system: System) -> None:
    pair = await Pair(system).made()
    moderator = system.person("mod", "moderate")
    await pair.done(pair.alice, "follow", "REQUESTED")
    await system.drain()
    await moderator.ask(SUSPEND, id=pair.ids["alice"])
    assert handles((await pair.seen(pair.bob))["viewer"]["followRequests"]) == []
    assert await pair.refused(pair.bob, "acceptFollow") == "TARGET_NOT_FOUND"
    await moderator.ask(REINSTATE, id=pair.ids["alice"])
    await pair.check_settled(requested=True)


@standalone
async def test_a_request_stays_open_when_the_account_becomes_public(system: System) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.set_private(False)
    await system.drain()
    assert handles((await pair.seen(pair.bob))["viewer"]["followRequests"]) == ["alice"]
    await pair.done(pair.alice, "follow", "FOLLOWING")
    await pair.check_settled(follows=True)


@standalone
async def test_followers_stay_when_an_account_becomes_private(system: System) -> None:
    pair = await Pair(system).made()
    await pair.set_private(False)
    await pair.done(pair.alice, "follow", "FOLLOWING")
    await pair.set_private(True)
    await pair.done(pair.alice, "follow", "FOLLOWING")
    await system.drain()
    await pair.done(pair.bob, "rejectFollow", "FOLLOWED_BY")
    await pair.check_settled(follows=True)


@standalone
async def test_a_repeated_acceptance_returns_the_first_outcome(system: System) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.alice, "follow", "REQUESTED")
    assert (await pair.change(pair.bob, "acceptFollow", "k"))["userErrors"] == []
    await pair.done(pair.alice, "unfollow", "NONE")
    await pair.done(pair.alice, "follow", "REQUESTED")
    assert (await pair.change(pair.bob, "acceptFollow", "k"))["userErrors"] == []
    await pair.check_settled(requested=True)


@pytest.mark.parametrize(("verb", "relation"), [("acceptFollow", "FOLLOWED_BY"), ("rejectFollow", "NONE")])
@standalone
async def test_a_key_with_another_user_counts_as_a_new_key(system: System, verb: str, relation: str) -> None:
    pair = await Pair(system).made()
    carol = system.person("carol")
    asking = [pair.ids["alice"], await carol.id()]
    for person in (pair.alice, carol):
        await person.ask(CHANGE % "follow", id=pair.ids["bob"], key=None)
    await system.drain()
    for id_ in asking:
        answered = (await pair.bob.ask(CHANGE % verb, id=id_, key="k"))[verb]
        assert (answered["user"]["viewerRelation"], answered["userErrors"]) == (relation, [])
    await system.drain()
    assert (await pair.seen(pair.bob))["viewer"]["followRequests"]["nodes"] == []


@standalone
async def test_a_repeated_acceptance_does_not_show_a_former_follower(system: System) -> None:
    pair = await Pair(system).made()
    await pair.done(pair.alice, "follow", "REQUESTED")
    await pair.change(pair.bob, "acceptFollow", "k")
    await pair.done(pair.alice, "unfollow", "NONE")
    await system.drain()
    await drop_lists(system.state.cache, [int(id_.removeprefix("User:")) for id_ in pair.ids.values()])
    await pair.check()
    assert (await pair.change(pair.bob, "acceptFollow", "k"))["userErrors"] == []
    await pair.check()
    assert await drift(system) == {}


@standalone
async def test_invalid_answers_are_refused_and_change_nothing(system: System) -> None:
    pair = await Pair(system).made()
    for verb in ("acceptFollow", "rejectFollow"):
        own = (await pair.bob.ask(CHANGE % verb, id=pair.ids["bob"], key=None))[verb]
        assert [error["code"] for error in own["userErrors"]] == ["INVALID"]
        missing = (await pair.bob.ask(CHANGE % verb, id="User:1", key=None))[verb]
        refused = ["TARGET_NOT_FOUND"] if verb == "acceptFollow" else []  # a rejection also reaches hidden users
        assert [error["code"] for error in missing["userErrors"]] == refused
    assert await journalled(system) == 0
