"""Removes published changes from the pending changes of their actors, then from the journal. Pending changes are those
that an actor must see although some caches may lack them.

So a published change stays pending until no request can still use an older cached value. Until then, its batch is kept
in memory. If this worker dies, the next owner finds the entries in the journal and publishes them again.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile

from domain.versions import version_at
from models.patches import Published
from projections.events import RemovableChange
from state import State
from store.cache.log import written
from store.notifications.notifications import Marked
from store.other_site import OtherSite
from store.postgres.client import PostgresDown
from store.write_log import partition_leases
from store.write_log.pending import PublishedChange
from workers.ownership import Ownership, Partition

_TRIM_EVERY_MS = 10_000


async def remove_pending(state: State, changes: Sequence[RemovableChange]) -> None:
    """Removes published changes from the pending changes of their actors."""
    if of_states := [one for one in changes if isinstance(one, PublishedChange)]:
        await state.pending.sweep(of_states)
    if patches := [one for one in changes if isinstance(one, Published)]:
        await state.patches.sweep(patches)
    if read_marks := [one for one in changes if isinstance(one, Marked)]:
        await state.read_marks.sweep(read_marks)


@dataclass(frozen=True, slots=True)
class PublishedChanges:
    """The pending changes of one partition that were published together. `since` is the time of the publication, a time
    of `time.monotonic`. `through` is the version of the last entry.
    """

    since: float
    partition: Partition
    pending: Sequence[RemovableChange]
    through: int


class Sweeper:
    """Removes the published changes of one worker from the pending changes, some time after their publication."""

    def __init__(self, state: State, ownership: Ownership) -> None:
        self._state = state
        self._ownership = ownership
        self._waiting: deque[PublishedChanges] = deque()
        self._sweeping = asyncio.Lock()

    def add(self, changes: PublishedChanges) -> None:
        """Adds changes that were just published. `sweep` removes them later."""
        self._waiting.append(changes)

    async def sweep(self, now: float) -> None:
        """Removes the pending changes that were published at least `pending_seconds` before `now`, a time of
        `time.monotonic`.

        Leaves out changes that Postgres may have lost in a failover: the owner of the partition stores them again,
        publishes them again, and removes them then. Until then their authors need them. Does nothing while Postgres is
        down or another call runs.
        """
        if self._sweeping.locked():
            return
        async with self._sweeping:
            longest = self._state.settings.pending_seconds
            due = list(takewhile(lambda changes: now - changes.since >= longest, self._waiting))
            with suppress(PostgresDown):
                stored = await self._stored(due)
                await remove_pending(self._state, [change for changes in stored for change in changes.pending])
                for changes in stored:
                    changes.partition.swept = changes.through
                for _ in due:
                    self._waiting.popleft()

    async def _stored(self, published: Sequence[PublishedChanges]) -> list[PublishedChanges]:
        """Returns those of the published changes that Postgres still has (it may have lost its last commits in a
        failover), and whose partitions this worker has owned since it published them.
        """
        owned = self._ownership.partitions
        mine = [changes for changes in published if owned.get(changes.partition.p) is changes.partition]
        epochs = {changes.partition.p: changes.partition.epoch for changes in mine}
        heads = await partition_leases.heads(self._state.postgres, epochs) if epochs else {}
        return [changes for changes in mine if heads.get(changes.partition.p, 0) >= changes.through]

    async def trim(self, partitions: Sequence[Partition]) -> None:
        """Removes entries from the journals of these partitions if their changes are no longer pending. Keeps the
        entries of the last `journal_tail_seconds`, because Postgres may lose its last commits in a failover. If there
        are two sites, also keeps the entries whose rows the other site lacks.
        """
        kept = version_at(self._state.now_ms() - int(self._state.settings.journal_tail_seconds * 1000))
        due: dict[int, int] = {}
        for partition in partitions:
            through = min(partition.swept, kept)
            whole = through == partition.swept
            if through > partition.trimmed and (whole or through - partition.trimmed > version_at(_TRIM_EVERY_MS)):
                due[partition.p] = through
        if due and self._state.other_site:
            due = await self._at_both_sites(self._state.other_site, [one for one in partitions if one.p in due], due)
        if due:
            await self._state.journals.trim(due)
        for partition in partitions:
            partition.trimmed = due.get(partition.p, partition.trimmed)

    async def _at_both_sites(
        self, other: OtherSite, partitions: Sequence[Partition], due: Mapping[int, int]
    ) -> dict[int, int]:
        """Returns up to which version each of these journals may be trimmed, by partition: at most as in `due`, and
        only entries whose rows the other site has. In asynchronous mode, a journal that is half full is trimmed
        nevertheless, so that this site need not refuse writes while the other one is away.
        """
        replayed = (other.last and other.last.replayed) or 0
        if unknown := [one for one in partitions if one.expected is None]:
            position = await written(self._state.postgres)
            for one in unknown:
                one.expected = position, one.swept
        for one in partitions:
            assert one.expected
            if one.expected[0] <= replayed:
                one.replicated, one.expected = one.expected[1], None
        behind = [one.p for one in partitions if one.replicated < due[one.p]]
        lengths = await self._state.journals.lengths(behind) if behind else []
        most = self._state.settings.journal_max_entries // 2
        may = set[int]()
        if not self._state.write_mode.current.replicas:
            may = {p for p, length in zip(behind, lengths, strict=True) if length > most}
        known = {one.p: one.replicated for one in partitions if one.p not in may}
        limited = {p: min(through, known.get(p, through)) for p, through in due.items()}
        return {one.p: limited[one.p] for one in partitions if limited[one.p] > one.trimmed}
