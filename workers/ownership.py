"""Leases partitions (journals with their users) in Postgres, so that each live worker owns a fair share of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from store.postgres.client import Postgres, PostgresDown
from store.write_log import partition_leases
from store.write_log.partition_leases import Fenced


@dataclass(slots=True)
class Partition:
    """A partition that this worker owns, and how far the worker has processed its journal. Progress is given as
    versions of journal entries (docs/internals/write-path.md shows when each moves). `p` is the number of the
    partition; `epoch` counts its owners, so that an earlier owner cannot commit.
    """

    p: int
    epoch: int
    head: int
    """The version of the last entry that is committed to Postgres."""
    done: int = 0
    """The version of the last entry that is committed and published."""
    publish_again: bool = False
    """Whether the next step publishes all entries again, because Redis may have lost what was published."""
    swept: int = 0
    """The version of the last entry whose change is removed from its actor's pending changes."""
    replicated: int = 0
    """If there are two sites: the version of the last entry whose rows both have, as far as this worker knows."""
    expected: tuple[int, int] | None = None
    """A position of the WAL, and the version of the last entry whose rows it includes. The other site may lack them."""
    trimmed: int = 0
    """The version of the last entry that is removed from the journal."""
    has_backlog: bool = False
    """Whether entries were left in the journal after the last read."""
    turn: int = 0
    """The number of batches that the partition was part of while it had a backlog."""


class Ownership:
    """The partitions that one worker owns, by number, under leases of `lease` seconds."""

    def __init__(self, postgres: Postgres, worker: str, lease: float) -> None:
        self._postgres = postgres
        self._worker = worker
        self._lease = lease
        self.partitions: dict[int, Partition] = {}

    async def renew(self) -> None:
        """Renews the leases of this worker, claims free partitions, and releases the partitions beyond its fair share.

        The journal of a claimed partition is read from its oldest entry. Entries up to `head` are published again but
        not applied again, in case the last owner died before publishing them. The journal is also read from the oldest
        entry if Postgres has lost commits of this worker.
        """
        heads = {p: own.head for p, own in self.partitions.items()}
        held, claimed, share = await partition_leases.renew(self._postgres, self._worker, self._lease, self.partitions)
        epochs = {p: epoch for p, epoch, _ in held}
        self.partitions = {p: own for p, own in self.partitions.items() if epochs.get(p) == own.epoch}
        lost = [row for row in held if row.p in self.partitions and row.head < heads[row.p]]
        for p, epoch, head in [*lost, *claimed]:
            self.partitions[p] = Partition(p, epoch, head)
        await self.release(sorted(self.partitions)[share:])
        if missing := share - len(self.partitions):
            await self._claim_in_turn(missing)

    async def _claim_in_turn(self, count: int) -> None:
        """Claims up to `count` partitions whose rows are locked by direct writes. Waits for the locks, at most for a
        part of the duration of a lease.
        """
        with suppress(PostgresDown):  # the next renewal tries again
            claimed = await partition_leases.claim_in_turn(self._postgres, self._worker, self._lease, count)
            for p, epoch, head in claimed:
                self.partitions[p] = Partition(p, epoch, head)

    async def release(self, partitions: list[int]) -> None:
        """Releases partitions, so that other workers can claim them."""
        if partitions:
            await partition_leases.release(self._postgres, self._worker, partitions)
        for p in partitions:
            self.partitions.pop(p, None)

    @asynccontextmanager
    async def fenced(self) -> AsyncIterator[None]:
        """Runs the block. If the block raises Fenced, because this worker has lost partitions, releases these
        partitions and raises Fenced again. The next renewal may claim these partitions again.
        """
        try:
            yield
        except Fenced as error:
            await self.release(error.partitions)
            raise

    async def leave(self) -> None:
        """Releases all partitions, so that other workers need not wait until the leases expire."""
        await self.release(list(self.partitions))
        await partition_leases.forget_worker(self._postgres, self._worker)
