"""The end of a change's way: out of its author's pending set, then out of the journal.

A published change stays pending until no copy of an older value can be in anybody's hands. That it waits is known
only here; should this worker die, the next one finds the entries still in the journal and publishes them again.
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
"""What its author need not be shown any more; None where nothing was pending."""


async def forget(state: State, seen: Sequence[Sweepable]) -> None:
    """Drops changes from what is pending."""
    await state.pending.sweep(one for one in seen if isinstance(one, PublishedChange))
    await state.patches.sweep(one for one in seen if isinstance(one, Published))
    await state.marks.sweep(one for one in seen if isinstance(one, Marked))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A published batch: when it was, what it settled, and how far it brought each partition."""

    since: float
    settled: Sequence[Sweepable]
    through: Sequence[tuple[Partition, int]]


class Sweeper:
    """The published batches of one worker that still wait."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._waiting: deque[Waiting] = deque()
        self._sweeping = asyncio.Lock()

    def add(self, batch: Waiting) -> None:
        """A batch that has just been published."""
        self._waiting.append(batch)

    async def sweep(self, now: float) -> None:
        """Ends the wait of batches published `settle` seconds ago or earlier, unless that is being done already."""
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
        """Forgets journal entries that are swept, but for the tail kept against a database losing its last commits."""
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
