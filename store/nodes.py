"""Leases on node numbers, so that no two processes make the same id."""

from sqlalchemy import text

from errors import Unavailable
from ids import NODES
from store.postgres import Postgres

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
