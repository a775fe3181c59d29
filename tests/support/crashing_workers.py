"""Two workers that store the changes of a random walk, and may crash between commit and publication."""

import asyncio
import random
import time

from tests.support.reconciliation import execute
from tests.support.system import System
from workers.persist import persist
from workers.worker import Worker


class CrashingWorkers:
    """Two workers that share the partitions. A new worker takes the place of one that has crashed."""

    def __init__(self, system: System, source: random.Random) -> None:
        self._system = system
        self._random = source
        self._workers: list[Worker] = []

    async def store(self) -> None:
        """Lets both workers store, publish and sweep everything. Before that, one of them may crash."""
        if self._workers and self._random.random() < 0.4:
            await self._crash(self._workers.pop())
        while len(self._workers) < 2:
            self._workers.append(self._system.worker())
        for _ in range(3):  # workers share the partitions after a few renewals
            for worker in self._workers:
                await worker.ownership.renew()
        assert all(worker.owned for worker in self._workers)
        while any(await asyncio.gather(*[worker.step() for worker in self._workers])):
            pass
        for worker in self._workers:
            await worker.sweeper.sweep(time.monotonic() + self._system.settings.pending_seconds)
            await worker.sweeper.trim(list(worker.owned.values()))

    async def _crash(self, worker: Worker) -> None:
        """Lets a worker commit what is in its journals, and then end without publishing or leaving."""
        owned = dict(worker.owned)
        if entries := [entry for entry in await worker.read(owned) if entry.version > owned[entry.partition].head]:
            await persist(self._system.state, owned, entries)
        await execute(
            self._system,
            "UPDATE partitions SET lease_until = now() - interval '1 second'",
            "UPDATE workers SET seen_until = now() - interval '1 second'",
        )
