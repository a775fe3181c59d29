"""Leases on node numbers, so that no two processes make the same id."""

import asyncio
import secrets
from collections.abc import Callable

import structlog
from sqlalchemy import text

from domain.errors import Unavailable
from domain.ids import NODES, IdGenerator
from store.backoff import rest
from store.postgres.client import Postgres

log = structlog.get_logger(__name__)

_SECONDS = 3600.0
_RENEWAL = 60.0
UNUSED_SECONDS = _SECONDS - 5 * _RENEWAL
"""A lease that ends sooner than this is not being renewed: its process has died."""

_TAKE = text("""
    INSERT INTO nodes AS n (node, owner, lease_until)
    SELECT free.node, :owner, now() + make_interval(secs => :seconds)
    FROM (SELECT g.node FROM generate_series(0, :last) AS g(node) LEFT JOIN nodes USING (node)
          WHERE nodes.lease_until IS NULL OR nodes.lease_until < now()
          ORDER BY nodes.lease_until NULLS FIRST, g.node LIMIT 1) AS free
    ON CONFLICT (node) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
    WHERE n.lease_until < now()
    RETURNING node
""")
_RENEW = text("""
    UPDATE nodes SET lease_until = now() + make_interval(secs => :seconds) WHERE node = :node AND owner = :owner
""")
_RELEASE = text("UPDATE nodes SET lease_until = now() WHERE node = :node AND owner = :owner")


class NodeLease:
    """One process's: what it makes ids with has a number nobody else holds, for as long as the number is kept."""

    def __init__(self, postgres: Postgres, ids: IdGenerator, name: str, now_ms: Callable[[], int]) -> None:
        self._postgres = postgres
        self._ids = ids
        self._now_ms = now_ms
        self._owner = f"{name}-{secrets.token_hex(4)}"

    async def renew(self) -> None:
        """Leases a number, or keeps it. While there is none, making ids raises Unavailable."""
        ids = self._ids
        until = self._now_ms() + int((_SECONDS - _RENEWAL) * 1000)
        try:
            if ids.node is None or not await renew(self._postgres, self._owner, ids.node, _SECONDS):
                ids.node = await lease(self._postgres, self._owner, _SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever it was, trying again is all there is to do
            log.warning("node number not leased", error=repr(error))
        else:
            ids.valid_until_ms = until

    async def keep(self) -> None:
        """Renews in time, and gives the number back when this is cancelled."""
        try:
            while True:
                await rest(1 if self._ids.node is None else _RENEWAL)
                await self.renew()
        finally:
            if (node := self._ids.node) is not None:
                await asyncio.shield(release(self._postgres, self._owner, node))


async def lease(postgres: Postgres, owner: str, seconds: float) -> int:
    """A number nobody else holds: the one free for longest. Raises Unavailable when all are taken."""
    for _ in range(20):  # losing a race for one number means that another process got it: try the next
        async with postgres.transaction() as transaction:
            rows = await transaction.execute(_TAKE, owner=owner, seconds=seconds, last=NODES - 1)
            if rows:
                return int(rows[0].node)
    raise Unavailable("Every node number is leased.")


async def renew(postgres: Postgres, owner: str, node: int, seconds: float) -> bool:
    """Keeps the number; False when it has been lost."""
    async with postgres.transaction() as transaction:
        return await transaction.changed(_RENEW, owner=owner, node=node, seconds=seconds) == 1


async def release(postgres: Postgres, owner: str, node: int) -> None:
    """Gives the number back."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_RELEASE, owner=owner, node=node)
