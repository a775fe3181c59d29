"""Who owns which journal partition: leases in Postgres, a fair share for every live worker.

Owning a partition means holding its epoch. Every batch moves `head` only under that epoch and only from where this
owner knows it to be, so a worker that was thought dead and wakes up commits nothing.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from sqlalchemy import text

from store.postgres.client import Postgres, PostgresDown, Transaction

_SEEN = text("""
    INSERT INTO workers (worker, seen_until) VALUES (:me, now() + make_interval(secs => :lease))
    ON CONFLICT (worker) DO UPDATE SET seen_until = excluded.seen_until
""")
_FORGET = text("DELETE FROM workers WHERE worker = :me OR seen_until < now() - interval '1 day'")
_SHARE = text("""
    SELECT ceil((SELECT count(*) FROM partitions)::numeric
                / greatest(1, (SELECT count(*) FROM workers WHERE seen_until > now())))::int
""")
_RENEW = text("""
    UPDATE partitions SET lease_until = now() + make_interval(secs => :lease)
    WHERE p IN (SELECT p FROM partitions WHERE owner = :me AND p = ANY(CAST(:ps AS smallint[])) ORDER BY p FOR UPDATE)
    RETURNING p, epoch, head
""")
_CLAIM, _CLAIM_IN_TURN = (
    text(f"""
        UPDATE partitions SET owner = :me, epoch = epoch + 1, lease_until = now() + make_interval(secs => :lease)
        WHERE p IN (SELECT p FROM partitions WHERE lease_until < now() ORDER BY p LIMIT :count FOR UPDATE {locked})
        RETURNING p, epoch, head
    """)  # noqa: S608 - constants
    for locked in ("SKIP LOCKED", "")
)
_WAIT = text("SELECT set_config('lock_timeout', :most, true)")
_RELEASE = text("""
    UPDATE partitions SET owner = NULL, lease_until = now() - interval '1 second'
    WHERE owner = :me AND p = ANY(CAST(:ps AS smallint[]))
""")
_DRAINED = text("""
    UPDATE partitions SET drained = :generation
    WHERE p IN (
        SELECT p FROM partitions
        JOIN unnest(CAST(:ps AS smallint[]), CAST(:epochs AS bigint[])) AS mine(own_p, own_epoch)
          ON p = own_p AND epoch = own_epoch
        WHERE drained <> :generation ORDER BY p FOR UPDATE OF partitions
    )
""")
# Locks in the order in which renewal locks, so that the two never wait for each other in a circle.
_ADVANCE = text("""
    WITH ordered AS (SELECT p FROM partitions WHERE p = ANY(CAST(:ps AS smallint[])) ORDER BY p FOR UPDATE)
    UPDATE partitions SET head = n.new_head
    FROM unnest(CAST(:ps AS smallint[]), CAST(:epochs AS bigint[]), CAST(:old AS bigint[]), CAST(:new AS bigint[]))
         AS n(p, epoch, old_head, new_head)
    JOIN ordered USING (p)
    WHERE partitions.p = n.p AND partitions.epoch = n.epoch AND partitions.head = n.old_head
    RETURNING partitions.p, partitions.direct
""")


class Fenced(Exception):
    """Somebody else owns a partition now, or its head is not where this worker left it: nothing was committed."""

    def __init__(self, partitions: list[int]) -> None:
        super().__init__(partitions)
        self.partitions = partitions
        """Those of the batch of which that is so."""


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
    deep: bool = False
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
        async with self._postgres.transaction() as transaction:
            await transaction.execute(_SEEN, me=self._worker, lease=self._lease)
            held = await transaction.execute(_RENEW, me=self._worker, lease=self._lease, ps=list(self.partitions))
            share: int = (await transaction.execute(_SHARE))[0][0]
            spare = share - len(held)
            claimed = await transaction.execute(_CLAIM, me=self._worker, lease=self._lease, count=max(0, spare))
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
            async with self._postgres.transaction() as transaction:
                await transaction.execute(_WAIT, most=f"{int(self._lease * 500)}ms")
                claimed = await transaction.execute(_CLAIM_IN_TURN, me=self._worker, lease=self._lease, count=count)
            for p, epoch, head in claimed:
                self.partitions[p] = Partition(p, epoch, head)

    async def release(self, partitions: list[int]) -> None:
        """Gives partitions to whoever claims them next."""
        if partitions:
            async with self._postgres.transaction() as transaction:
                await transaction.execute(_RELEASE, me=self._worker, ps=partitions)
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
        async with self._postgres.transaction() as transaction:
            await transaction.execute(_FORGET, me=self._worker)


async def drained(postgres: Postgres, generation: int, owned: Mapping[int, Partition]) -> None:
    """Says that nothing is left in the journals of these partitions that is not in the tables."""
    async with postgres.transaction() as transaction:
        ps, epochs = list(owned), [own.epoch for own in owned.values()]
        await transaction.execute(_DRAINED, generation=generation, ps=ps, epochs=epochs)


async def advance(transaction: Transaction, moved: dict[int, tuple[int, int, int]]) -> dict[int, int]:
    """Moves heads, by partition (epoch, from, to), within the transaction that writes the data. Returns the newest
    version of each that was written directly.

    Raises Fenced with the partitions that are not where this worker left them.
    """
    ps = sorted(moved)
    advanced = await transaction.execute(
        _ADVANCE,
        ps=ps,
        epochs=[moved[p][0] for p in ps],
        old=[moved[p][1] for p in ps],
        new=[moved[p][2] for p in ps],
    )
    if lost := sorted(set(ps) - {row.p for row in advanced}):
        raise Fenced(lost)
    return {row.p: row.direct for row in advanced}
