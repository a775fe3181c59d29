"""People who follow each other while two workers commit at the same time."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest

import workers.persist
from models.counters import EntityRef
from projections.apply import apply
from projections.events import Event
from state import State
from store.postgres.client import Transaction
from store.write_log.journal import Entry
from tests.support.concurrent_reactions import code_of
from tests.support.follow_checks import check_log, check_rows, counts, follow, pages_of_rows, relation, shown
from tests.support.follow_model import Acknowledged, Request
from tests.support.journal_entries import Someone, someone
from tests.support.reaction_harness import Crash
from tests.support.system import System
from workers.ownership import Partition
from workers.worker import Worker

CASES = list(product((False, True), (False, True), ("follow", "unfollow"), ("follow", "unfollow")))
"""Whether the first person follows the second, whether the second follows the first, and the request of each."""

Batch = tuple[dict[int, Partition], list[Entry]]
"""The partitions that a worker owns, and the entries that it has read."""


@dataclass
class Crossing:
    """Pairs of people. The partition of the first belongs to the first worker, that of the second to the second."""

    system: System
    workers: tuple[Worker, Worker]
    pairs: list[tuple[Someone, Someone]]
    acknowledged: Acknowledged = field(default_factory=Acknowledged)

    @classmethod
    async def of(cls, system: System, pairs: int) -> "Crossing":
        both = await two_workers(system)
        one, other = (_people(system, worker) for worker in both)
        return cls(system, both, [(await anext(one), await anext(other)) for _ in range(pairs)])

    @property
    def people(self) -> list[Someone]:
        return [one for pair in self.pairs for one in pair]

    @property
    def names(self) -> dict[int, str]:
        return {one.user_id: one.person.handle for one in self.people}

    async def change(self, verb: str, follower: Someone, followee: Someone) -> None:
        """Sends a follow or unfollow, which must succeed."""
        payload = await follow(follower.person, verb, followee.user_id)
        assert code_of(payload) is None
        self.acknowledged.apply(Request(follower.person.handle, "", verb, followee.person.handle))

    async def cross(self) -> None:
        """Sends the requests of every case from a pair of its own, after the first state has settled."""
        for (follows, followed, _, _), (one, other) in zip(CASES, self.pairs, strict=True):
            if follows:
                await self.change("follow", one, other)
            if followed:
                await self.change("follow", other, one)
        await self.settle()
        await self.warm_cache()
        for (_, _, there, back), (one, other) in zip(CASES, self.pairs, strict=True):
            await self.change(there, one, other)
            await self.change(back, other, one)

    async def read_batches(self) -> list[Batch]:
        """Returns what both workers have read and not yet handled."""
        owned = [dict(worker.owned) for worker in self.workers]
        return [(own, await worker.read(own)) for worker, own in zip(self.workers, owned, strict=True)]

    async def handle(self, batches: Sequence[Batch]) -> None:
        """Lets both workers handle their batches at the same time."""
        await asyncio.gather(*[worker.handle(*batch) for worker, batch in zip(self.workers, batches, strict=True)])

    async def replace_workers(self) -> None:
        """Lets the leases of both workers run out and starts two others."""
        await self.system.rows("UPDATE partitions SET lease_until = now() - interval '1 second' RETURNING p")
        await self.system.rows("DELETE FROM workers RETURNING worker")
        self.workers = await two_workers(self.system)

    async def settle(self) -> None:
        """Handles all entries, and lets the settle time pass."""
        for worker in self.workers:
            while await worker.step():
                pass
            await worker.sweeper.sweep(time.monotonic() + self.system.settings.pending_seconds)
            await worker.sweeper.trim(list(worker.owned.values()))

    async def warm_cache(self) -> None:
        """Lets all people read the people of their pair, so that these are cached."""
        for one in self.people:
            await shown(one.person, self.names, self._met(one.person.handle))

    def _met(self, user: str) -> set[str]:
        return {user, *(one for direction in self.acknowledged.changes if user in direction for one in direction)}

    async def check(self) -> None:
        """Checks rows, log, and responses."""
        follows, names = self.acknowledged.follows, self.names
        await check_rows(self.system, names, follows)
        await check_log(self.system, names, self.acknowledged.changes)
        await self.check_shown()

    async def check_shown(self) -> None:
        """Checks what all people are shown about themselves and the people of their pair."""
        follows, names, pages = self.acknowledged.follows, self.names, await pages_of_rows(self.system, self.names)
        for one in self.people:
            viewer = one.person.handle
            for user, seen in (await shown(one.person, names, self._met(viewer))).items():
                assert seen == (relation(follows, viewer, user), counts(follows, user), pages[user]), (viewer, user)


async def two_workers(system: System) -> tuple[Worker, Worker]:
    """Starts two workers that own half of the partitions each."""
    first, second = system.worker(), system.worker()
    for worker in (first, second, first, second):
        await worker.ownership.renew()
    assert len(first.owned) == len(second.owned) == system.settings.partitions // 2
    return first, second


async def _people(system: System, worker: Worker) -> AsyncIterator[Someone]:
    """Yields new people whose changes this worker stores."""
    for number in itertools.count():
        one = await someone(system, f"person{min(worker.owned)}x{number}")
        if one.partition in worker.owned:
            yield one


@asynccontextmanager
async def paused_before_commit(
    monkeypatch: pytest.MonkeyPatch, worker: Worker, batch: Batch, *, dies: bool
) -> AsyncIterator[None]:
    """Holds the worker before its commit while the block runs. Afterwards the worker commits or crashes."""
    written, go = asyncio.Event(), asyncio.Event()

    async def hold(state: State, transaction: Transaction, events: Sequence[Event], *traced: Any) -> set[EntityRef]:
        moved = await apply(state, transaction, events, *traced)
        written.set()
        await go.wait()
        if dies:
            raise Crash
        return moved

    with monkeypatch.context() as held:
        held.setattr(workers.persist, "apply", hold)
        handling = asyncio.create_task(worker.handle(*batch))
        await asyncio.wait([handling, waiting := asyncio.create_task(written.wait())], return_when="FIRST_COMPLETED")
        assert waiting.done(), handling.result()
    yield
    go.set()
    (end,) = await asyncio.gather(handling, return_exceptions=True)
    assert isinstance(end, Crash) if dies else end is None, end
