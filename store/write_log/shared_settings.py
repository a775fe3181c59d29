"""Checks that the setting `pending_seconds` of a process fits that of the other processes of the deployment.

A worker removes a change from the pending changes when this many seconds have passed since the change was published. An
API process trusts what it has read from Postgres for this many seconds. So the value of an API process must not be
greater than that of any worker. Each process stores its value in Postgres before it reads the values of the others. So
if two processes start at the same time, at least one reads the value of the other.
"""

from sqlalchemy import text

from store.postgres.client import Postgres
from store.write_log.id_leases import UNUSED_SECONDS

_OF_API = text("UPDATE nodes SET settle_ms = :settle_ms WHERE node = :node AND lease_until > now()")
_SHORTEST = text("SELECT min(settle_ms) FROM workers WHERE seen_until > now()")
_OF_WORKER = text("""
    INSERT INTO workers (worker, seen_until, settle_ms) VALUES (:me, now() + make_interval(secs => :lease), :settle_ms)
    ON CONFLICT (worker) DO UPDATE SET settle_ms = excluded.settle_ms
""")
_LONGEST = text("SELECT max(settle_ms) FROM nodes WHERE lease_until > now() + make_interval(secs => :unused)")
_FORGET = text("DELETE FROM workers WHERE worker = :me")


async def problem_of_api(postgres: Postgres, node: int, pending_ms: int) -> str | None:
    """Stores the setting `pending_seconds`, in milliseconds, of the API process that has this node number. Returns an
    error text if the value is greater than that of a worker, so that the process must not start; None if it may start.
    """
    await postgres.write(_OF_API, node=node, settle_ms=pending_ms)
    ((shortest,),) = await postgres.read(_SHORTEST)
    if shortest is None or pending_ms <= shortest:
        return None
    here, there = pending_ms / 1000, shortest / 1000
    return f"PLAUDIT_PENDING_SECONDS is {here:g} here and {there:g} for a worker: raise it for workers first"


async def problem_of_worker(postgres: Postgres, worker: str, lease: float, pending_ms: int) -> str | None:
    """Stores the setting `pending_seconds`, in milliseconds, of a worker. Returns an error text if the value is less
    than that of an API process, so that the worker must not start; None if it may start. `lease` is the duration of a
    worker's lease, in seconds.
    """
    await postgres.write(_OF_WORKER, me=worker, lease=lease, settle_ms=pending_ms)
    ((longest,),) = await postgres.read(_LONGEST, unused=UNUSED_SECONDS)
    if longest is None or longest <= pending_ms:
        return None
    await postgres.write(_FORGET, me=worker)
    here, there = pending_ms / 1000, longest / 1000
    return f"PLAUDIT_PENDING_SECONDS is {here:g} here and {there:g} for an API: lower it for APIs first"
