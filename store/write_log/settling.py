"""Whether the processes of a deployment agree about `settle`.

A worker takes a published change out of its author's pending changes after its own `settle`. An API trusts what it
has read from Postgres for its own `settle`. So no API may have a longer one than any worker. Each process writes its
own beside its lease before it looks at those of the others: of two that start at once, at least one sees the other.
"""

from sqlalchemy import text

from store.postgres.client import Postgres

_OF_API = text("UPDATE nodes SET settle_ms = :settle_ms WHERE node = :node AND lease_until > now()")
_SHORTEST = text("SELECT min(settle_ms) FROM workers WHERE seen_until > now()")
_OF_WORKER = text("""
    INSERT INTO workers (worker, seen_until, settle_ms) VALUES (:me, now() + make_interval(secs => :lease), :settle_ms)
    ON CONFLICT (worker) DO UPDATE SET settle_ms = excluded.settle_ms
""")
_LONGEST = text("SELECT max(settle_ms) FROM nodes WHERE lease_until > now()")
_FORGET = text("DELETE FROM workers WHERE worker = :me")


async def problem_of_api(postgres: Postgres, node: int, settle_ms: int) -> str | None:
    """Returns why a process that makes ids with this node number must not start, if it must not."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_OF_API, node=node, settle_ms=settle_ms)
    ((shortest,),) = await postgres.read(_SHORTEST)
    if shortest is None or settle_ms <= shortest:
        return None
    return (
        f"PLAUDIT_SETTLE is {settle_ms / 1000:g} here and {shortest / 1000:g} for a worker: raise it for workers first"
    )


async def problem_of_worker(postgres: Postgres, worker: str, lease: float, settle_ms: int) -> str | None:
    """Returns why a worker must not start, if it must not."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_OF_WORKER, me=worker, lease=lease, settle_ms=settle_ms)
    ((longest,),) = await postgres.read(_LONGEST)
    if longest is None or longest <= settle_ms:
        return None
    async with postgres.transaction() as transaction:
        await transaction.execute(_FORGET, me=worker)
    return f"PLAUDIT_SETTLE is {settle_ms / 1000:g} here and {longest / 1000:g} for an API: lower it for APIs first"
