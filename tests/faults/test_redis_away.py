"""Redis away for long, under load: writes go straight into the tables, and back when it returns (D2, D5)."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import httpx

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.faults.checker import assert_consistent
from tests.faults.deployment import Deployment
from tests.faults.load import History, working

Fault = Callable[[Valkey], Awaitable[None]]


async def mode(deployment: Deployment) -> float:
    """Whether the API writes directly, as it says itself."""
    async with httpx.AsyncClient(base_url=deployment.url, trust_env=False) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    (line,) = [line for line in lines if line.startswith("plaudit_direct ")]
    return float(line.split()[1])


async def until_direct(deployment: Deployment, *, is_direct: bool) -> float:
    """Returns after how many seconds it was so."""
    began = time.monotonic()
    async with asyncio.timeout(30):
        while await mode(deployment) != is_direct:
            await asyncio.sleep(0.05)
    return time.monotonic() - began


async def away(deployment: Deployment, history: History, back: Callable[[], None]) -> None:
    await until_direct(deployment, is_direct=True)
    await history.grows(60)
    back()
    await until_direct(deployment, is_direct=False)
    history.broken.clear()  # what was acknowledged in the last moment before is seen again from here on


async def test_a_redis_that_was_killed(stores: tuple[Postgres, Valkey], deployment: Deployment) -> None:
    _, valkey = stores
    deployment.start_api()
    deployment.start_worker()
    deployment.start_worker()
    await deployment.ready()
    async with working(deployment, "killed") as history:
        await history.grows(100)
        valkey.kill()
        await away(deployment, history, valkey.start)
        await history.grows(100)
    await assert_consistent(deployment, history)
