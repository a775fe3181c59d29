"""Random sequences of follows, requests, blocks, mutes, removals, suspensions, likes, comments and pins by three users,
compared with a model whenever all changes are stored.

The users' partitions have clocks set apart. Second scripts are lost, repeated and late. Two workers store the changes,
and crash between commit and publication. The account of carol is private.
"""

import itertools
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from domain.ids import parse_id
from models.counters import EntityRef
from models.follows import FollowState
from settings import USERS, Settings
from store.own_sets.boundaries import BoundaryStore
from store.redis.client import RedisDown
from store.write_log.operations import Outcome
from tests.features.boundaries.walk_model import NAMES, PRIVATE, Model
from tests.support import reconciliation
from tests.support.boundaries import change, mute
from tests.support.crashing_workers import CrashingWorkers
from tests.support.follows import change as change_follow
from tests.support.pinned_posts import pin_post
from tests.support.posts import published
from tests.support.system import LENIENT, LIMITLESS, System, running

VERBS = (
    *("follow", "follow", "unfollow", "acceptFollow", "acceptFollow", "rejectFollow", "removeFollower"),
    *("block", "block", "unblock", "mute", "unmute", "like", "unlike", "comment", "suspend", "reinstate"),
    *("pinPost", "pinPost", "unpinPost"),
)
MODES = ("READ_ONLY", "HIDDEN", "SHADOW")
SEEN = """query ($id: ID!, $post: ID!) {
  node(id: $id) { ... on User { viewerRelation viewerMutes followerCount pinnedPosts { id } } }
  post: node(id: $post) { id } }"""
OWN = """query ($post: ID!) { viewer { followRequests { nodes { handle } } user { pinnedPosts { id } } }
  node(id: $post) { ... on Post { likeCount commentCount } } }"""
_MUTATIONS = {
    "acceptFollow": "mutation ($id: ID!) { acceptFollow(input: {userId: $id}) { userErrors { code } } }",
    "rejectFollow": "mutation ($id: ID!) { rejectFollow(input: {userId: $id}) { userErrors { code } } }",
    "comment": """mutation ($id: ID!, $key: String!) {
      comment: addComment(input: {subjectId: $id, text: "well", idempotencyKey: $key}) { userErrors { code } } }""",
    "suspend": """mutation ($id: ID!, $mode: SuspensionMode!) {
      suspend: suspendUser(input: {userId: $id, mode: $mode, reason: "test", ground: "spam"}) {
        userErrors { code } } }""",
    "reinstate": "mutation ($id: ID!) { reinstate: reinstateUser(input: {userId: $id}) { userErrors { code } } }",
}


class Walk:
    """A random walk over one system."""

    def __init__(self, system: System, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        self._system = system
        self._random = random.Random(seed)
        self._model = Model()
        self._people = {name: system.person(name) for name in NAMES}
        self._moderator = system.person("mod", "moderate")
        self._ids: dict[str, str] = {}
        self._posts: dict[str, str] = {}
        self._workers = CrashingWorkers(system, self._random)
        self._lost = False
        self._told: list[tuple[Any, ...]] = []
        """The arguments of all calls of second scripts so far."""
        self._receive = receive = BoundaryStore.receive

        async def unreliable(store: BoundaryStore, *args: Any) -> Outcome:
            self._told.append(args)
            if self._lost:
                raise RedisDown
            outcome = await receive(store, *args)
            if self._random.random() < 0.3:
                await receive(store, *args)
            return outcome

        monkeypatch.setattr(BoundaryStore, "receive", unreliable)

    async def run(self, steps: int) -> None:
        await self._begin()
        for step in range(steps):
            if self._random.random() < 0.15:
                await self._store()
                await self.check(f"after {step} steps")
            else:
                await self.request(step)
        await self._store()
        assert await reconciliation.drift(self._system) == {}
        await self._system.empty_redis()
        await self.check("from rows")

    async def _begin(self) -> None:
        for name, person in self._people.items():
            self._ids[name] = await person.id()
            (self._posts[name],) = await published(person, f"post of {name}")
        private = "mutation { updateProfile(input: {isPrivate: true}) { userErrors { code } } }"
        await self._people[PRIVATE].ask(private)
        await self._set_clocks_apart()
        await self._store()

    async def _set_clocks_apart(self) -> None:
        """Sets the ids of half the journals ahead by some minutes."""
        state = self._system.state
        for partition in range(self._system.settings.partitions):
            if partition % 2:
                key = state.keys.journal(partition)
                ahead = f"{int(time.time() * 1000) + self._random.randrange(60_000, 300_000)}-0"
                await state.redis("XADD", key, ahead, "kind", "none", write=True)
                await state.redis("XDEL", key, ahead, write=True)

    async def _store(self) -> None:
        """Lets two workers store and publish everything. One may crash between commit and publication."""
        await self._workers.store()
        self._model.worker_ran()
        for args in self._random.sample(self._told, min(3, len(self._told))):  # deliveries that were late
            await self._receive(self._system.state.boundaries, *args)

    async def request(self, step: int) -> None:
        verb, mode = self._random.choice(VERBS), self._random.choice(MODES)
        actor, other = self._random.sample(NAMES, 2)
        self._lost = self._random.random() < 0.4
        expected = self._model.apply(verb, actor, other, self._lost, mode)
        payload = await self._sent(verb, actor, other, mode, f"{step}")
        self._lost = False
        codes = [error["code"] for error in payload["userErrors"]]
        assert codes == ([expected] if expected else []), (verb, actor, other)

    async def _sent(self, verb: str, actor: str, other: str, mode: str, key: str) -> Any:
        person, id_, post = self._people[actor], self._ids[other], self._posts[other]
        if verb in _MUTATIONS:
            query, variables = _MUTATIONS[verb], {"id": post if verb == "comment" else id_, "mode": mode, "key": key}
            sender = self._moderator if verb in ("suspend", "reinstate") else person
            given = {name: value for name, value in variables.items() if f"${name}:" in query}
            return (await sender.ask(query, **given))[verb]
        if verb in ("follow", "unfollow"):
            return await change_follow(person, verb, id_)
        if verb in ("pinPost", "unpinPost"):
            return await pin_post(person, self._posts[actor], verb)
        if verb in ("like", "unlike"):
            return await person.react(verb, post)
        return await (mute(person, id_) if verb == "mute" else change(person, verb, id_))

    async def check(self, when: str) -> None:
        """Compares the model with the API, the rows and Redis."""
        for actor, other in itertools.permutations(NAMES, 2):
            await self._check_pair(actor, other, when)
        for name in NAMES:
            await self._check_own(name, when)
        await self._check_rows(when)

    async def _check_pair(self, actor: str, other: str, when: str) -> None:
        model, pair = self._model, (actor, other)
        seen = await self._people[actor].ask(SEEN, id=self._ids[other], post=self._posts[other])
        assert (seen["post"] is None) == model.hides_post(actor, other), (when, actor, other)
        if model.hides_user(actor, other):
            assert seen["node"] is None, (when, actor, other)
            return
        assert seen["node"] == {
            "viewerRelation": model.relation(pair),
            "viewerMutes": pair in model.mutes,
            "followerCount": sum(followee == other for _, followee in model.follows),
            "pinnedPosts": [] if model.hides_post(actor, other) else self._pinned(other),
        }, (when, actor, other)

    async def _check_own(self, name: str, when: str) -> None:
        model = self._model
        own = await self._people[name].ask(OWN, post=self._posts[name])
        asking = {user for user, asked in model.requests if asked == name and not model.hides_user(name, user)}
        assert {node["handle"] for node in own["viewer"]["followRequests"]["nodes"]} == asking, (when, name)
        assert own["viewer"]["user"]["pinnedPosts"] == self._pinned(name), (when, name)
        likes = sum(owner == name for _, owner in model.likes)
        assert own["node"] == {"likeCount": likes, "commentCount": model.comments[name]}, (when, name)
        others = [EntityRef(USERS, self._number(other)) for other in NAMES if other != name]
        held = await self._system.state.own_sets.held("follow", self._number(name), others)
        if held.floor is not None:
            expected = {self._number(b): FollowState.FOLLOWS for a, b in model.follows if a == name}
            expected |= {self._number(b): FollowState.REQUESTED for a, b in model.requests if a == name}
            assert held.states == {EntityRef(USERS, b): state for b, state in expected.items()}, (when, name)

    async def _check_rows(self, when: str) -> None:
        model, names = self._model, {self._number(name): name for name in NAMES}
        for query, expected in (
            ("SELECT user_id, blocked_id FROM blocks WHERE stands", model.blocks),
            ("SELECT blocker_id, user_id FROM blocked_by WHERE stands", model.blocks),
            ("SELECT user_id, muted_id FROM mutes WHERE until_ms > 0", model.mutes),
            ("SELECT user_id, followee_id FROM following", model.follows),
            ("SELECT follower_id, user_id FROM followers", model.follows),
            ("SELECT user_id, followee_id FROM requested_follows", model.requests),
            ("SELECT follower_id, user_id FROM follow_requests", model.requests),
        ):
            stored = await self._system.rows(query)
            assert {(names[a], names[b]) for a, b in stored} == expected, (when, query)

    def _pinned(self, name: str) -> list[dict[str, str]]:
        return [{"id": self._posts[name]}] if name in self._model.pinned else []

    def _number(self, name: str) -> int:
        return int(parse_id(self._ids[name]).id)  # type: ignore[union-attr]


async def walked(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    with monkeypatch.context() as patches:
        async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
            await Walk(system, patches, seed).run(60)


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("seed", range(2))
async def test_random_sequences_agree_with_a_model(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await walked(make_settings, monkeypatch, seed)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [2, 3, *range(100, 140)])
async def test_many_random_sequences_agree_with_a_model(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await walked(make_settings, monkeypatch, seed)
