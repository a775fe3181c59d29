"""Leases of workers on journal partitions, and the head of each partition: the tables `workers` and `partitions`.

The head of a partition is the version of the last journal entry that is stored. The epoch of a partition grows each
time a worker claims it. The owner commits a batch of entries only if both are still as the owner knows them. So a
worker that lost its lease, because it was suspended for a while, commits nothing.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import text

from store.postgres.client import Postgres, Rows, Transaction
from store.postgres.columns import columns

_LATEST = "now() + make_interval(secs => 100 * :lease)"
"""If a lease ends later than this, the clock was set back after the lease was made. Then its worker does not run any
more, because it would have renewed the lease.
"""
_SEEN = text(f"""
    WITH gone AS (DELETE FROM workers WHERE worker <> :me AND seen_until > {_LATEST})
    INSERT INTO workers (worker, seen_until) VALUES (:me, now() + make_interval(secs => :lease))
    ON CONFLICT (worker) DO UPDATE SET seen_until = excluded.seen_until
""")  # noqa: S608 - constants
_FORGET = text("DELETE FROM workers WHERE worker = :me OR seen_until < now() - interval '1 day'")
_SHARE = text("""
    SELECT ceil((SELECT count(*) FROM partitions)::numeric
                / greatest(1, (SELECT count(*) FROM workers WHERE seen_until > now())))::int
""")
_RUNS = text("SELECT 1 FROM workers WHERE seen_until > now() LIMIT 1")
_RENEW = text("""
    UPDATE partitions SET lease_until = now() + make_interval(secs => :lease)
    WHERE p IN (SELECT p FROM partitions WHERE owner = :me AND p = ANY(CAST(:ps AS smallint[])) ORDER BY p FOR UPDATE)
    RETURNING p, epoch, head
""")
_CLAIM, _CLAIM_IN_TURN = (
    text(f"""
        UPDATE partitions SET owner = :me, epoch = epoch + 1, lease_until = now() + make_interval(secs => :lease)
        WHERE p IN (
            SELECT p FROM partitions WHERE lease_until NOT BETWEEN now() AND {_LATEST}
            ORDER BY p LIMIT :count FOR UPDATE {locked}
        )
        RETURNING p, epoch, head
    """)  # noqa: S608 - constants
    for locked in ("SKIP LOCKED", "")
)
_WAIT = text("SELECT set_config('lock_timeout', :most, true)")
_RELEASE = text("""
    UPDATE partitions SET owner = NULL, lease_until = now() - interval '1 second'
    WHERE owner = :me AND p = ANY(CAST(:ps AS smallint[]))
""")
_LOCK = text("SELECT 1 FROM partitions WHERE p = :p FOR UPDATE")
_DRAINED = text("""
    UPDATE partitions SET drained = :generation
    WHERE p IN (
        SELECT p FROM partitions
        JOIN unnest(CAST(:ps AS smallint[]), CAST(:epochs AS bigint[])) AS mine(own_p, own_epoch)
          ON p = own_p AND epoch = own_epoch
        WHERE drained <> :generation ORDER BY p FOR UPDATE OF partitions
    )
""")
_HEADS = text("""
    SELECT p, head FROM partitions
    JOIN unnest(CAST(:ps AS smallint[]), CAST(:epochs AS bigint[])) AS mine(own_p, own_epoch)
      ON p = own_p AND epoch = own_epoch
""")
_DIRECT = text("SELECT p, direct FROM partitions WHERE p = ANY(CAST(:ps AS smallint[]))")
# Locks the rows in the same order as a renewal does, so that the two cannot deadlock.
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
    """Raised for a batch of journal entries if another worker owns one of its partitions, or if the head of one is not
    where this worker left it. Nothing was committed.
    """

    def __init__(self, partitions: list[int]) -> None:
        super().__init__(partitions)
        self.partitions = partitions
        """The partitions that this worker has lost."""


class Leases(NamedTuple):
    """The result of a renewal of leases: the partitions that the worker has kept (`held`) and those that it has newly
    claimed, each as a row (p, epoch, head); and the worker's fair share, as a number of partitions.
    """

    held: Rows
    claimed: Rows
    share: int


async def renew(postgres: Postgres, worker: str, lease: float, partitions: Collection[int]) -> Leases:
    """Renews the leases that a worker still holds on these partitions, and claims free partitions up to the worker's
    fair share. `lease` is the duration of a lease in seconds. Also records that the worker runs.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_SEEN, me=worker, lease=lease)
        held = await transaction.execute(_RENEW, me=worker, lease=lease, ps=list(partitions))
        share: int = (await transaction.execute(_SHARE))[0][0]
        spare = share - len(held)
        claimed = await transaction.execute(_CLAIM, me=worker, lease=lease, count=max(0, spare))
    return Leases(held, claimed, share)


async def claim_in_turn(postgres: Postgres, worker: str, lease: float, count: int) -> Rows:
    """Claims up to `count` partitions whose leases have expired. Unlike `renew`, waits for rows that are locked: up to
    half of `lease`, the duration of a lease in seconds.

    Returns rows (p, epoch, head). Raises PostgresDown if the wait was too long.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_WAIT, most=f"{int(lease * 500)}ms")
        return await transaction.execute(_CLAIM_IN_TURN, me=worker, lease=lease, count=count)


async def release(postgres: Postgres, worker: str, partitions: Collection[int]) -> None:
    """Ends a worker's leases on these partitions, so that any worker can claim them."""
    await postgres.write(_RELEASE, me=worker, ps=list(partitions))


async def forget_worker(postgres: Postgres, worker: str) -> None:
    """Removes the row of a worker that stops, and the rows of workers that were last seen more than a day ago."""
    await postgres.write(_FORGET, me=worker)


async def any_worker_runs(postgres: Postgres) -> bool:
    """Returns whether any worker runs: it has renewed its leases, and they have not expired."""
    return bool(await postgres.read(_RUNS))


async def mark_drained(postgres: Postgres, generation: int, epochs: Mapping[int, int]) -> None:
    """Records that, in this generation, Postgres has stored all entries of the journals of these partitions. `epochs`
    has, by partition, the epoch that the caller knows. Skips partitions whose epoch has changed: another worker has
    claimed them.
    """
    await postgres.write(_DRAINED, generation=generation, **columns(epochs.items(), "ps", "epochs"))


async def heads(postgres: Postgres, epochs: Mapping[int, int]) -> dict[int, int]:
    """Returns the heads of partitions: the version of the last stored entry, by partition. Leaves out partitions whose
    epoch is no longer the one in `epochs`, because another worker has claimed them.
    """
    rows = await postgres.read(_HEADS, **columns(epochs.items(), "ps", "epochs"))
    return {row.p: row.head for row in rows}


async def direct_versions(postgres: Postgres, partitions: Collection[int]) -> dict[int, int]:
    """Returns, by partition, the newest version that was given to a direct write."""
    return {row.p: row.direct for row in await postgres.read(_DIRECT, ps=sorted(partitions))}


async def lock(transaction: Transaction, partition: int) -> None:
    """Locks the row of a partition until the end of the transaction. Workers' batches and direct writes also lock it
    before they store changes of the partition.
    """
    await transaction.execute(_LOCK, p=partition)


async def advance_heads(transaction: Transaction, moved: dict[int, tuple[int, int, int]]) -> dict[int, int]:
    """Moves the heads of partitions: records up to which version their journal entries are stored. Call this function
    in the transaction that stores the entries. `moved` has (epoch, old head, new head) for each partition.

    Returns, by partition, the newest version that was given to a direct write. Raises Fenced with the partitions that
    this worker has lost.
    """
    rows = [(p, *moved[p]) for p in sorted(moved)]
    advanced = await transaction.execute(_ADVANCE, **columns(rows, "ps", "epochs", "old", "new"))
    if lost := sorted(moved.keys() - {row.p for row in advanced}):
        raise Fenced(lost)
    return {row.p: row.direct for row in advanced}
