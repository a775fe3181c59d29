"""Random sequences of saves and collections by two users, compared with a model.

Replies of scripts are lost, requests are repeated, two workers store the changes and crash between commit and
publication, Redis loses its data, writes go to Postgres directly, with and without entries that are left in journals,
and some saves are written while nobody knows what was saved before.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from store.own_sets.own_sets import OwnSets
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown
from tests.features.saves.walk_model import WalkModel
from tests.support import fallback_mode
from tests.support.collections import SAVE_INTO, create, delete, items, own, places, public, update
from tests.support.comments import added
from tests.support.crashing_workers import CrashingWorkers
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.saves import change, saved, seen
from tests.support.system import LENIENT, LIMITLESS, System, running
from workers.empty_collections import empty_collections

NAMES = "alice", "bob"
VERBS = (*["save"] * 6, *["move"] * 6, *["unsave"] * 4, "create", "create", "update", "delete")


class Walk:
    """A random walk over one system."""

    def __init__(self, system: System, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        self._system = system
        self._random = random.Random(seed)
        self._model = WalkModel()
        self._people = {name: system.person(name) for name in NAMES}
        self._targets: list[str] = []
        self._workers = CrashingWorkers(system, self._random)
        self._loses, self._is_blind = False, False
        monkeypatch.setattr(OwnSets, "change", self._losing(OwnSets.change))
        monkeypatch.setattr(OwnSets, "from_rows", self._blinded(OwnSets.from_rows))

    def _losing(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that loses the first reply of some requests."""

        async def call(*args: Any, **more: Any) -> Any:
            answer = await original(*args, **more)
            if self._loses:
                self._loses = False
                raise RedisDown
            return answer

        return call

    def _blinded(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that reads no rows while Postgres counts as down."""

        async def call(*args: Any, **more: Any) -> Any:
            if self._is_blind:
                raise PostgresDown
            return await original(*args, **more)

        return call

    async def run(self, steps: int) -> None:
        await self._begin()
        for step in range(steps):
            draw = self._random.random()
            if draw < 0.12:
                await self._store()
            elif draw < 0.16:
                await self._write_directly(step)
            else:
                await self.request(f"{step}")
                await self._check_views(f"after step {step}")
        await self._store()

    async def _begin(self) -> None:
        alice, bob = self._people.values()
        videos = await self._system.videos("v1", "v2", "v3")
        posts = [*await published(alice, "one"), *await published(bob, "two")]
        await self._system.drain()
        comments = [await added(bob, posts[0], "well"), await added(alice, videos[0], "so")]
        await self._system.drain()
        assert self._system._drainer
        await self._system._drainer.ownership.leave()
        self._targets = [*videos, *posts, *comments]
        for name in NAMES:
            await self._people[name].id()

    async def request(self, key: str, *, verbs: tuple[str, ...] = VERBS) -> None:
        """Sends one request, and maybe repeats it."""
        who, verb = self._random.choice(NAMES), self._random.choice(verbs)
        # A direct change of a collection that Postgres does not know is unavailable, not refused.
        collections = [id_ for id_, *_ in self._model.own(who)] if self._model.direct else self._model.known(who)
        into = self._random.choice(collections or [None]) if verb != "save" else None
        target, is_public = self._random.choice(self._targets), self._random.random() < 0.5
        # If nobody knows the state, a repeated save may move the target to the top, which the model does not do.
        repeats = verb == "save" and self._model.now.get((who, target), "") is None
        self._is_blind = verb in ("save", "unsave") and self._random.random() < 0.2 and not repeats
        for _ in range(1 + (self._random.random() < 0.3)):
            self._loses = not self._model.direct and self._random.random() < 0.3
            codes = await self._send(who, verb, target, into, is_public, key)
            self._loses = False
            assert codes == self._model.codes, (who, verb, into)
        if self._is_blind:
            self._model.blind.add((who, target))
        self._is_blind = False

    async def _send(self, who: str, verb: str, target: str, into: str | None, is_public: bool, key: str) -> list[str]:
        """Sends a request, and applies its effect to the model. Returns the codes of the user errors."""
        person, key = self._people[who], f"{who} {verb} {key}"
        if verb == "create":
            payload = await create(person, key, key, public=is_public)
            id_ = payload["collection"] and payload["collection"]["id"]
            self._model.create(who, id_, key, is_public)
        elif verb == "update" and into:
            payload = await update(person, into, name=key, public=is_public, key=key)
            self._model.update(who, into, key, is_public)
        elif verb == "delete" and into:
            payload = await delete(person, into, key)
            self._model.delete(who, into, key)
        elif verb == "unsave":
            payload = await change(person, "unsave", target, key)
            self._model.unsave(who, target, key)
        else:
            payload = (await person.ask(SAVE_INTO, id=target, into=into, key=key))["save"]
            self._model.save(who, target, into, key)
        return [error["code"] for error in payload["userErrors"]]

    async def _store(self) -> None:
        """Lets two workers store and publish everything, and empties deleted collections. Then compares everything."""
        for _ in range(3):
            await self._workers.store()
            self._model.stored()
            await self._check_views("stored")
            await empty_collections(self._system.state, lambda: True)
            self._model.emptied()
        await self._workers.store()
        self._model.stored()
        await self._check_views("emptied")
        await self._check_rows()
        assert await drift(self._system) == {}
        first = self._system.state.write_mode.current.generation == 0  # later ones are recorded in the journals
        if first and self._random.random() < 0.4:
            await self._system.empty_redis()
            await self._check_views("from rows")

    async def _write_directly(self, step: int) -> None:
        """Writes to Postgres directly for some requests. Entries may be left in the journals before."""
        late = self._random.random() < 0.5
        if not late:
            await self._store()
        await fallback_mode.begin(self._system)
        self._model.direct = True
        for more in range(self._random.randint(1, 6)):
            await self.request(f"{step} {more}", verbs=("save", "unsave") if late else VERBS)
            if not late:
                self._model.stored()
                await self._check_views("direct")
        await fallback_mode.end(self._system)
        self._model.direct = False
        self._model.stored()
        self._workers = CrashingWorkers(self._system, self._random)
        await self._check_views("after direct writes")

    async def _check_views(self, when: str) -> None:
        """Compares what the users see of a random target, and of all their saves and collections."""
        for who, person in self._people.items():
            model = self._model
            assert await saved(person, first=self._random.choice([2, 100])) == model.saved(who), (when, who)
            assert await places(person) == model.places(who), (when, who)
            assert await own(person) == model.own(who), (when, who)
            assert await public(self._people["bob"], who) == model.public(who), (when, who)
            target = self._random.choice(self._targets)
            count, is_saved = await seen(person, target)
            expected = model.count(who, target)
            assert count in ((None, expected) if (who, target) in model.blind else (expected,)), (when, who, target)
            assert is_saved == ((who, target) in model.now), (when, who, target)
            for id_, _, _ in model.own(who)[:2]:
                assert await items(person, id_) == model.items(who, id_), (when, who)

    async def _check_rows(self) -> None:
        """Compares the rows with the model."""
        ((saves, counted, collections, left),) = await self._system.rows(
            """SELECT (SELECT count(*) FROM saves WHERE collection_id <> 0),
              (SELECT coalesce(sum(value), 0) FROM counters WHERE kind = 13),
              (SELECT count(*) FROM collections WHERE NOT deleted),
              (SELECT count(*) FROM collections WHERE deleted AND NOT emptied)"""
        )
        total = sum(len(self._model.own(who)) for who in NAMES)
        assert (saves, counted, collections, left) == (len(self._model.now), len(self._model.now), total, 0)


async def walked(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int, *, steps: int
) -> None:
    settings = make_settings(limits=LIMITLESS, moderation=LENIENT, caches={"saves": 3 if seed % 2 else 1000})
    with monkeypatch.context() as patches:
        async with running(settings) as system:
            await Walk(system, patches, seed).run(steps)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("seed", range(1))
async def test_random_sequences_agree_with_a_model(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await walked(make_settings, monkeypatch, seed, steps=20)


@pytest.mark.prove
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [1, 2, *range(100, 140)])
async def test_many_random_sequences_agree_with_a_model(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    await walked(make_settings, monkeypatch, seed, steps=60)
