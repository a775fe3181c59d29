"""Removes published changes from the pending sets of their actors, then from the journal.

A published change stays pending until no request can still use an older cached value. Until then, its batch is kept in
memory. If this worker dies, the next owner finds the entries in the journal and publishes them again.
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
from workers.ownership import Partition

_TRIM_EVERY_MS = 10_000


RemovableChange = PublishedChange | Published | Marked | None
"""A pending change that may be removed, or None if an event leaves no pending change."""


async def remove_pending(state: State, changes: Sequence[RemovableChange]) -> None:
    """Removes published changes from the pending sets."""
    await state.pending.sweep(one for one in changes if isinstance(one, PublishedChange))
    await state.patches.sweep(one for one in changes if isinstance(one, Published))
    await state.read_marks.sweep(one for one in changes if isinstance(one, Marked))


@dataclass(frozen=True, slots=True)
class PublishedBatch:
    """A published batch: the time of its publication, its pending changes, and for each of its partitions the version
    of the last entry in the batch.
    """

    since: float
    settled: Sequence[RemovableChange]
    through: Sequence[tuple[Partition, int]]


class Sweeper:
    """The published batches of one worker whose changes are still pending."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._waiting: deque[PublishedBatch] = deque()
        self._sweeping = asyncio.Lock()

    def add(self, batch: PublishedBatch) -> None:
        """Adds a batch that was just published to those that `sweep` processes."""
        self._waiting.append(batch)

    async def sweep(self, now: float) -> None:
        """Removes the pending changes of batches that were published at least `pending_seconds` before `now`.

        Does nothing while another call runs.
        """
        if self._sweeping.locked():
            return
        async with self._sweeping:
            while self._waiting and now - self._waiting[0].since >= self._state.settings.pending_seconds:
                batch = self._waiting[0]
                await remove_pending(self._state, batch.settled)
                for partition, version in batch.through:
                    partition.swept = version
                self._waiting.popleft()

    async def trim(self, partitions: Sequence[Partition]) -> None:
        """Removes swept entries from the journals, except entries of the last `journal_tail_seconds`, because Postgres
        may lose its last commits in a failover.
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
