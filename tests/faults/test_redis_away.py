"""Redis away for long, or back without what it knew, under load: writes go straight into the tables, and back (D2, D5).

What is acknowledged in the last moment before Redis goes is seen again when it is back, and is then what everything
else was done upon.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from state import opened
from tests.faults.checker import assert_consistent, drained
from tests.faults.deployment import Deployment
from tests.faults.load import History, working


class Away:
    """One Redis and one deployment, to which something happens under load."""

    def __init__(self, valkey: Valkey, deployment: Deployment, history: History, folder: Path) -> None:
        self.valkey = valkey
        self.deployment = deployment
        self.history = history
        self.folder = folder

    async def killed(self) -> None:
        """It comes back with all it knew."""
        self.valkey.kill()
        await self._written_directly()
        self.valkey.start()

    async def suspended(self) -> None:
        """What was sent to it before, it does when it wakes up: others have repeated that meanwhile."""
        assert self.valkey.pid
        os.kill(self.valkey.pid, signal.SIGSTOP)
        await self._written_directly()
        os.kill(self.valkey.pid, signal.SIGCONT)

    async def restored(self) -> None:
        """From a copy that lacks what has been stored since."""
        copy = self.folder / "copy"
        assert self.valkey.pid
        os.kill(self.valkey.pid, signal.SIGSTOP)
        shutil.copytree(self.valkey.data_dir, copy)
        os.kill(self.valkey.pid, signal.SIGCONT)
        await self.history.grows(100)
        await self._rest()
        self.valkey.kill()
        shutil.rmtree(self.valkey.data_dir)
        copy.rename(self.valkey.data_dir)
        self.history.going.set()
        self.valkey.start()
        await self._until(direct=True)

    async def emptied(self) -> None:
        """In place, and nothing of what it knew is anywhere but in the tables."""
        await self._rest()
        self.valkey.command("FLUSHALL")
        self.history.going.set()
        await self._until(direct=True)

    async def back(self) -> None:
        """Writes go through Redis again."""
        await self._until(direct=False)
        self.history.broken.clear()

    async def _rest(self) -> None:
        """Until nothing waits to be stored: what does is lost with a Redis that loses what it has acknowledged."""
        self.history.going.clear()
        await asyncio.sleep(2)  # for what is under way
        async with opened(self.deployment.settings, "resting", makes_ids=False) as state:
            await drained(state)

    async def _written_directly(self) -> None:
        await self._until(direct=True)
        await self.history.grows(60)

    async def _until(self, *, direct: bool) -> None:
        async with asyncio.timeout(30):
            while await is_direct(self.deployment) != direct:
                await asyncio.sleep(0.05)


async def is_direct(deployment: Deployment) -> bool:
    """Whether writes are, as the API tells it."""
    async with httpx.AsyncClient(base_url=deployment.url, trust_env=False) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    return "plaudit_direct 1.0" in lines


FAULTS: list[Callable[[Away], Awaitable[None]]] = [Away.killed, Away.suspended, Away.restored, Away.emptied]


@pytest.fixture(scope="module")
async def running(deployment: Deployment) -> Deployment:
    """An API and two workers, for all tests."""
    deployment.start_api()
    workers = [deployment.start_worker() for _ in range(2)]
    await deployment.ready()
    await deployment.at_work(*workers)
    return deployment


@pytest.mark.timeout(150)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_everything_acknowledged_is_there_once(
    stores: tuple[Postgres, Valkey], running: Deployment, tmp_path: Path, fault: Callable[[Away], Awaitable[None]]
) -> None:
    async with working(running, fault.__name__) as history:
        away = Away(stores[1], running, history, tmp_path)
        await history.grows(100)
        await fault(away)
        await away.back()
        await history.grows(60)

    await assert_consistent(running, history)
