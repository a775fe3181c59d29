"""Which journal partitions this worker owns: a fair share for every live worker, by leases in Postgres."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from store.postgres.client import Postgres, PostgresDown
from store.write_log import partitions as rows
from store.write_log.partitions import Fenced


@dataclass(slots=True)
class Partition:
    """A partition this worker owns, as versions of the entries that have come so far."""

    p: int
    epoch: int
    head: int
    """Committed."""
    done: int = 0
    """Committed and published."""
    swept: int = 0
    """Gone from the pending sets too."""
    trimmed: int = 0
    """Gone from the journal."""
    has_backlog: bool = False
    """The last read left entries behind."""
    turn: int = 0
    """How often it has had part in a batch of partitions with a backlog."""


class Ownership:
    """The partitions of one worker."""

    def __init__(self, postgres: Postgres, worker: str, lease: float) -> None:
        self._postgres = postgres
        self._worker = worker
        self._lease = lease
        self.partitions: dict[int, Partition] = {}

    async def renew(self) -> None:
        """Keeps what is ours, takes what nobody keeps, gives up what is more than our share.

        A partition starts to be read from the oldest entry its journal still has: what lies before `head` is
        published again and not applied again, in case the last owner died between the two. The same is done where
        the database has lost commits that we know of.
        """
        heads = {p: own.head for p, own in self.partitions.items()}
        held, claimed, share = await rows.renew_leases(self._postgres, self._worker, self._lease, self.partitions)
        epochs = {p: epoch for p, epoch, _ in held}
        self.partitions = {p: own for p, own in self.partitions.items() if epochs.get(p) == own.epoch}
        lost = [row for row in held if row.p in self.partitions and row.head < heads[row.p]]
        for p, epoch, head in [*lost, *claimed]:
            self.partitions[p] = Partition(p, epoch, head)
        await self.release(sorted(self.partitions)[share:])
        if missing := share - len(self.partitions):
            await self._claim_in_turn(missing)

    async def _claim_in_turn(self, count: int) -> None:
        """Those whose rows direct writers hand to one another, so that they are never free: waits for a part of the
        lease.
        """
        with suppress(PostgresDown):  # next time
            claimed = await rows.claim_in_turn(self._postgres, self._worker, self._lease, count)
            for p, epoch, head in claimed:
                self.partitions[p] = Partition(p, epoch, head)

    async def release(self, partitions: list[int]) -> None:
        """Gives partitions to whoever claims them next."""
        if partitions:
            await rows.release_leases(self._postgres, self._worker, partitions)
        for p in partitions:
            self.partitions.pop(p, None)

    @asynccontextmanager
    async def fenced(self) -> AsyncIterator[None]:
        """Lets go of partitions that turn out not to be where they were left: renewal finds where they are."""
        try:
            yield
        except Fenced as error:
            await self.release(error.partitions)
            raise

    async def leave(self) -> None:
        """Gives everything up at once, so that others need not wait for the leases to run out."""
        await self.release(list(self.partitions))
        await rows.forget_worker(self._postgres, self._worker)
