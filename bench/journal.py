"""Waits until workers have stored changes from the journals."""

import asyncio
import time

from sqlalchemy import text

from bench.machine import Machine
from store.write_log.journal import heads

_REACTIONS = text("SELECT coalesce(sum(value), 0)::bigint FROM counters WHERE kind IN (1, 2)")
_PATIENCE = 60.0


async def persisted(machine: Machine) -> int:
    """Returns the number of likes and dislikes that the counters in Postgres include."""
    return int((await machine.state.postgres.read(_REACTIONS))[0][0])


async def until_persisted(machine: Machine, total: int) -> float:
    """Waits until the counters in Postgres include `total` likes and dislikes. Returns the seconds that this took.
    Raises TimeoutError after a minute.
    """
    started = time.perf_counter()
    while await persisted(machine) < total:
        if time.perf_counter() - started > _PATIENCE:
            raise TimeoutError(f"{total} reactions were acknowledged, {await persisted(machine)} are persisted")
        await asyncio.sleep(0.02)
    return time.perf_counter() - started


async def until_stored(machine: Machine) -> None:
    """Waits until workers have stored all entries that the journals have now. Raises TimeoutError after a minute."""
    started, journals = time.perf_counter(), await machine.state.journals.opened(range(machine.settings.partitions))
    while any(journals[p].last > head for p, head in (await heads(machine.state.postgres)).items()):
        if time.perf_counter() - started > _PATIENCE:
            raise TimeoutError("not all changes are stored")
        await asyncio.sleep(0.02)
