"""Snapshots of everything stored, to check that a request changes nothing."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.system import System

_STATE_KEY = re.compile(rb"\{\d+\}:")
_LEASES = {"nodes", "partitions", "workers", "alembic_version"}


@asynccontextmanager
async def unchanged(system: System) -> AsyncIterator[None]:
    """Checks that the requests of the block change no row, journal entry, idempotency record or other state."""
    await system.person("alice").ask(
        "{ viewer { blocks(first: 1) { pageInfo { hasNextPage } } } }"
    )  # caches alice's boundaries
    before = await _everything(system)
    yield
    after = await _everything(system)
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == set()


async def _everything(system: System) -> dict[str, object]:
    """Returns every row of every table, and every state key of a standalone Redis."""
    tables = await system.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    found: dict[str, object] = {}
    for (table,) in tables:
        if table not in _LEASES:
            found[table] = await system.rows(f"SELECT t::text FROM {table} t ORDER BY 1")  # noqa: S608 - our own names
    client = system.state.redis.client
    for key in sorted(filter(_STATE_KEY.match, await client.keys("*"))):
        found[key.decode()] = await client.dump(key)
    return found


async def redis_state(system: System) -> dict[bytes, bytes | None]:
    """Returns every state key of Redis with its value."""
    client = system.state.redis.client
    return {key: await client.dump(key) async for key in client.scan_iter("{[0-9]*}:*")}
