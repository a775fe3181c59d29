"""Random sequences of follows, blocks, mutes and removals by three users, with lost and repeated second scripts,
compared with a model whenever all changes are stored.
"""

import itertools
import random
from collections.abc import Callable

import pytest

from domain.ids import parse_id
from settings import Settings
from store.people.boundaries import BoundaryStore
from store.redis.client import RedisDown
from store.write_log.operations import Outcome
from tests.support.boundaries import change, mute
from tests.support.follows import change as change_follow
from tests.support.system import LIMITLESS, System, running

NAMES = ("alice", "bob", "carol")
VERBS = ("follow", "follow", "unfollow", "block", "block", "unblock", "removeFollower", "mute", "unmute")
Pair = tuple[str, str]
RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation viewerMutes followerCount } } }"
RELATIONS = {
    (False, False): "NONE",
    (True, False): "FOLLOWING",
    (False, True): "FOLLOWED_BY",
    (True, True): "FRIENDS",
}


class Model:
    """What users expect: which users follow, block and mute each other."""

    def __init__(self) -> None:
        self.follows: set[Pair] = set()
        self.blocks: set[Pair] = set()
        self.mutes: set[Pair] = set()
        self.known: set[Pair] = set()
        """The blocks that the slots of the blocked users know."""
        self.ends_by_block: set[Pair] = set()
        """Follows that end when a worker writes the block to the follower's slot, unless an unblock comes first."""
        self.ends_by_removal: set[Pair] = set()
        """Follows that end when a worker writes the removal to the slot of the follower."""

    def apply(self, verb: str, actor: str, other: str, lost: bool) -> str | None:
        """Applies a request. Returns the code of the refusal, if it must be refused."""
        pair, back = (actor, other), (other, actor)
        if verb in ("follow", "unfollow"):
            if pair in self.blocks or back in self.known:
                return "TARGET_NOT_FOUND"
            (self.follows.add if verb == "follow" else self.follows.discard)(pair)
        elif verb in ("mute", "unmute"):
            (self.mutes.add if verb == "mute" else self.mutes.discard)(pair)
        elif verb == "removeFollower":
            self._end(back, lost, self.ends_by_removal)
        elif (verb == "block") != (pair in self.blocks):
            self.blocks ^= {pair}
            if verb == "block":
                self.follows.discard(pair)
                self._end(back, lost, self.ends_by_block)
            if not lost:
                self.ends_by_block.discard(back)
                self.learn(pair)
        return None

    def _end(self, follow: Pair, lost: bool, later: set[Pair]) -> None:
        if lost:
            later.add(follow)
        else:
            self.follows.discard(follow)

    def learn(self, pair: Pair) -> None:
        """Tells the slot of the second user whether the first one blocks them."""
        (self.known.add if pair in self.blocks else self.known.discard)(pair)

    def worker_ran(self) -> None:
        """All slots know everything."""
        self.follows -= self.ends_by_block | self.ends_by_removal
        self.ends_by_block.clear()
        self.ends_by_removal.clear()
        self.known = set(self.blocks)


class Walk:
    """A random walk over one system."""

    def __init__(self, system: System, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        self._system = system
        self._random = random.Random(seed)
        self._model = Model()
        self._people = {name: system.person(name) for name in NAMES}
        self._ids: dict[str, str] = {}
        self._lost = False
        receive = BoundaryStore.receive

        async def unreliable(store: BoundaryStore, *args: int) -> Outcome:
            if self._lost:
                raise RedisDown
            outcome = await receive(store, *args)  # type: ignore[arg-type]
            if self._random.random() < 0.3:  # a repeated delivery
                await receive(store, *args)  # type: ignore[arg-type]
            return outcome

        monkeypatch.setattr(BoundaryStore, "receive", unreliable)

    async def run(self, steps: int) -> None:
        for name, person in self._people.items():
            self._ids[name] = await person.id()
        for step in range(steps):
            if self._random.random() < 0.15:
                await self._system.drain()
                self._model.worker_ran()
                await self.check(f"after {step} steps")
            else:
                await self.request()
        await self._system.drain()
        self._model.worker_ran()
        await self._system.empty_redis()
        await self.check("from rows")

    async def request(self) -> None:
        verb = self._random.choice(VERBS)
        actor, other = self._random.sample(NAMES, 2)
        self._lost = self._random.random() < 0.4
        expected = self._model.apply(verb, actor, other, self._lost)
        person, other_id = self._people[actor], self._ids[other]
        if verb == "mute":
            payload = await mute(person, other_id)
        elif verb in ("follow", "unfollow"):
            payload = await change_follow(person, verb, other_id)
        else:
            payload = await change(person, verb, other_id)
        self._lost = False
        codes = [error["code"] for error in payload["userErrors"]]
        assert codes == ([expected] if expected else []), (verb, actor, other)

    async def check(self, when: str) -> None:
        """Compares the model with the API, the rows and Redis."""
        model, numbers = self._model, {name: self._number(name) for name in NAMES}
        names = {number: name for name, number in numbers.items()}
        for actor, other in itertools.permutations(NAMES, 2):
            seen = (await self._people[actor].ask(RELATION, id=self._ids[other]))["node"]
            hidden = {(actor, other), (other, actor)} & model.blocks
            assert (seen is None) == bool(hidden), (when, actor, other)
            if seen:
                relation = RELATIONS[(actor, other) in model.follows, (other, actor) in model.follows]
                followers = sum(followee == other for _, followee in model.follows)
                expected = {
                    "viewerRelation": relation,
                    "viewerMutes": (actor, other) in model.mutes,
                    "followerCount": followers,
                }
                assert seen == expected, (when, actor, other)
        rows = self._system.rows
        for table, columns in (("blocks", "user_id, blocked_id"), ("blocked_by", "blocker_id, user_id")):
            stored = await rows(f"SELECT {columns} FROM {table} WHERE stands")  # noqa: S608 - our own names
            assert {(names[a], names[b]) for a, b in stored} == model.blocks, (when, table)
        muted = await rows("SELECT user_id, muted_id FROM mutes WHERE until_ms > 0")
        assert {(names[a], names[b]) for a, b in muted} == model.mutes, when
        for table, columns in (("following", "user_id, followee_id"), ("followers", "follower_id, user_id")):
            stored = await rows(f"SELECT {columns} FROM {table}")  # noqa: S608 - our own names
            assert {(names[a], names[b]) for a, b in stored} == model.follows, (when, table)
        for name, number in numbers.items():
            followed = await self._system.state.follows.followees(number)
            if followed is not None:
                assert {(name, names[one]) for one in followed} == {p for p in model.follows if p[0] == name}, when

    def _number(self, name: str) -> int:
        parsed = parse_id(self._ids[name])
        return int(parsed.id)  # type: ignore[union-attr]


async def walked(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    with monkeypatch.context() as patches:
        async with running(make_settings(limits=LIMITLESS)) as system:
            await Walk(system, patches, seed).run(60)


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("seed", range(4))
async def test_random_sequences_agree_with_a_model(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await walked(make_settings, monkeypatch, seed)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 140))
async def test_many_random_sequences_agree_with_a_model(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await walked(make_settings, monkeypatch, seed)
