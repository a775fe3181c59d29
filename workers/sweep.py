"""Removes published changes from the pending sets of their actors, then from the journal.

A published change stays pending until no request can use an older cached value any more. The waiting batches are
kept in memory; if this worker dies, the next one finds the entries in the journal and publishes them again.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from state import State
from store.content.patches import Published
from store.notifications.notifications import Marked
from store.write_log.journal import version_at
from store.write_log.pending import PublishedChange
from workers.partitions import Partition

_TRIM_EVERY_MS = 10_000


Sweepable = PublishedChange | Published | Marked | None
"""A pending change that may be removed; None if an event leaves none."""


async def forget(state: State, seen: Sequence[Sweepable]) -> None:
    """Removes published changes from the pending sets."""
    await state.pending.sweep(one for one in seen if isinstance(one, PublishedChange))
    await state.patches.sweep(one for one in seen if isinstance(one, Published))
    await state.read_marks.sweep(one for one in seen if isinstance(one, Marked))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A published batch: the time of its publication, its changes, and the last version of each partition in it."""

    since: float
    settled: Sequence[Sweepable]
    through: Sequence[tuple[Partition, int]]


class Sweeper:
    """The published batches of one worker that wait to be swept."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._waiting: deque[Waiting] = deque()
        self._sweeping = asyncio.Lock()

    def add(self, batch: Waiting) -> None:
        """Adds a batch that was published just now."""
        self._waiting.append(batch)

    async def sweep(self, now: float) -> None:
        """Removes the changes of batches that were published `pending_seconds` ago from the pending sets.

        Does nothing if another call is doing this already.
        """
        if self._sweeping.locked():
            return
        async with self._sweeping:
            await self._sweep(now)

    async def _sweep(self, now: float) -> None:
        while self._waiting and now - self._waiting[0].since >= self._state.settings.pending_seconds:
            batch = self._waiting[0]
            await forget(self._state, batch.settled)
            for partition, version in batch.through:
                partition.swept = version
            self._waiting.popleft()

    async def trim(self, partitions: Sequence[Partition]) -> None:
        """Removes swept entries from the journals, except those of the last `journal_tail_seconds`: Postgres may still
        lose its last commits in a failover.
        """
        kept = version_at(self._state.now_ms() - int(self._state.settings.journal_tail_seconds * 1000))
        due: dict[int, int] = {}
        for partition in partitions:
            through = min(partition.swept, kept)
            whole = through == partition.swept
            if through > partition.trimmed and (whole or through - partition.trimmed > version_at(_TRIM_EVERY_MS)):
                due[partition.p] = through
        if due:
            await self._state.journals.trim(due)
        for partition in partitions:
            partition.trimmed = due.get(partition.p, partition.trimmed)
