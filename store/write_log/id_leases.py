"""Leases on node numbers. Each id contains the node number of the process that made it, so no two processes make the
same id.
"""

import asyncio
import secrets
from collections.abc import Callable

from sqlalchemy import text

from domain.errors import Unavailable
from domain.ids import NODES, IdGenerator
from observability.logs import Log
from store.backoff import rest
from store.postgres.client import Postgres

log = Log(__name__)

_SECONDS = 3600.0
"""Seconds from the last renewal of a lease to its end. Other processes do not take the number at once: see `_KEPT`."""
_RENEWAL = 60.0
_KEPT = 12 * 3600.0
"""Seconds for which a number is kept for its process after the lease has ended. So the process can make ids while
Postgres is down, although it cannot renew the lease. Processes that crash can use up all numbers. Then a number is
given to another process as soon as its lease has ended.
"""
UNUSED_SECONDS = _SECONDS - 5 * _RENEWAL
"""If a lease ends within this many seconds, its process no longer renews it, and so counts as dead."""

_TAKE = text("""
    INSERT INTO nodes AS n (node, owner, lease_until)
    SELECT free.node, :owner, now() + make_interval(secs => :seconds)
    FROM (SELECT g.node FROM generate_series(0, :last) AS g(node) LEFT JOIN nodes USING (node)
          WHERE nodes.lease_until IS NULL OR nodes.lease_until < now() - make_interval(secs => :kept)
          ORDER BY nodes.lease_until NULLS FIRST, g.node LIMIT 1) AS free
    ON CONFLICT (node) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
    WHERE n.lease_until < now() - make_interval(secs => :kept)
    RETURNING node
""")
_RENEW = text("""
    UPDATE nodes SET lease_until = now() + make_interval(secs => :seconds) WHERE node = :node AND owner = :owner
""")
_RELEASE = text("""
    UPDATE nodes SET lease_until = now() - make_interval(secs => :kept) WHERE node = :node AND owner = :owner
""")


class NodeLease:
    """The lease of one process on a node number: the part of each id that says which process made it. While the lease
    is valid, no other process makes ids with this number. The lease gives the number to the generator `ids`. `name` is
    the name of the process in the table of leases. While `only_reads` returns True, because Postgres is the standby of
    another site, the process makes no ids and leases nothing.
    """

    def __init__(
        self,
        postgres: Postgres,
        ids: IdGenerator,
        name: str,
        now_ms: Callable[[], int],
        only_reads: Callable[[], bool] = lambda: False,
    ) -> None:
        self._postgres = postgres
        self._ids = ids
        self._now_ms = now_ms
        self._only_reads = only_reads
        self._owner = f"{name}-{secrets.token_hex(4)}"

    async def renew(self) -> None:
        """Leases a node number, or renews the lease. Logs a failure and does not raise it. After more than
        twelve hours of failures, the generator raises Unavailable for new ids.
        """
        if self._only_reads():
            return
        ids = self._ids
        until = self._now_ms() + int((_KEPT + _SECONDS - _RENEWAL) * 1000)
        try:
            if ids.node is None or not await self._renewed(ids.node):
                ids.node = await self._take()
        except Exception as error:  # noqa: BLE001 - whatever the error is, the next attempt follows soon
            log.warning("node number not leased", error=repr(error))
        else:
            ids.valid_until_ms = until

    async def keep(self) -> None:
        """Renews the lease every minute, until this task is cancelled. Then ends the lease."""
        try:
            while True:
                await rest(1 if self._ids.node is None else _RENEWAL)
                await self.renew()
        finally:
            await asyncio.shield(self.release())

    async def release(self) -> None:
        """Ends the lease, so that another process can take the number at once."""
        if (node := self._ids.node) is not None:
            await self._postgres.write(_RELEASE, owner=self._owner, node=node, kept=_KEPT)

    async def _take(self) -> int:
        """Leases the node number that has been free for longest, and returns it. If all numbers are kept for their
        processes, takes the number whose lease ended first. Raises Unavailable if no lease has ended.
        """
        for kept in (_KEPT, 0.0):
            for _ in range(20):  # if another process takes the number first, try the next one
                if (node := await self._taken(kept)) is not None:
                    if kept == 0:
                        log.warning("a node number of another process was taken, because no other is free", node=node)
                    return node
        raise Unavailable("Every node number is leased.")

    async def _taken(self, kept: float) -> int | None:
        async with self._postgres.transaction() as transaction:
            rows = await transaction.execute(_TAKE, owner=self._owner, seconds=_SECONDS, kept=kept, last=NODES - 1)
        return int(rows[0].node) if rows else None

    async def _renewed(self, node: int) -> bool:
        """Renews the lease. Returns False if another process has taken the number."""
        return await self._postgres.write(_RENEW, owner=self._owner, node=node, seconds=_SECONDS) == 1
