"""`plaudit api --processes`: several processes share a port, and each drains by itself."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from runner.process import Process
from settings import Settings
from tests.support.deployment import Deployment, deployed

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
PATIENCE = 50


@asynccontextmanager
async def two_processes(folder: Path, settings: Settings) -> AsyncIterator[tuple[Deployment, Process]]:
    own = {"drain_seconds": 0.5, "partitions": settings.partitions}
    with deployed(folder, settings.database_url, settings.redis_url, **own) as deployment:
        words = ("plaudit", "api", "--processes", "2", "--host", "127.0.0.1", "--port", str(deployment.port))
        parent = deployment.start(*words)
        async with asyncio.timeout(PATIENCE):
            while parent.output().count("Application startup complete") < 2:
                await asyncio.sleep(0.05)
            async with httpx.AsyncClient(trust_env=False) as http:
                while not await is_alive(http, deployment.url):
                    await asyncio.sleep(0.02)
        yield deployment, parent


async def is_alive(http: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await http.get(f"{url}/livez")).status_code == 200
    except httpx.TransportError:
        return False


def children(parent: int) -> set[int]:
    """Returns the ids of the running children of a process."""
    return {int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()}


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


async def until_gone(pids: set[int]) -> None:
    async with asyncio.timeout(PATIENCE):
        while any(map(is_running, pids)):
            await asyncio.sleep(0.02)


async def test_a_process_drains_and_is_replaced_while_the_other_serves(make_settings: Make, tmp_path: Path) -> None:
    async with (
        two_processes(tmp_path, make_settings()) as (deployment, parent),
        httpx.AsyncClient(base_url=deployment.url, trust_env=False) as http,
    ):
        before = children(parent.pid)
        assert len(before) == 2
        os.kill(min(before), signal.SIGTERM)
        statuses = []
        async with asyncio.timeout(PATIENCE):
            while parent.output().count("Application startup complete") < 3:
                statuses.append((await http.get("/livez", headers={"connection": "close"})).status_code)
                await asyncio.sleep(0.02)
        now = children(parent.pid)
        assert (len(now), now & before) == (2, {max(before)})
        assert set(statuses) == {200}

        os.kill(parent.pid, signal.SIGTERM)
        assert parent.wait(PATIENCE) == 0, parent.output()
        await until_gone(now)


async def test_processes_end_when_their_parent_is_killed(make_settings: Make, tmp_path: Path) -> None:
    async with two_processes(tmp_path, make_settings()) as (_, parent):
        pids = children(parent.pid)
        os.kill(parent.pid, signal.SIGKILL)
        await until_gone(pids)


async def test_processes_that_cannot_start_end_the_parent(make_settings: Make, tmp_path: Path) -> None:
    settings = make_settings()
    with deployed(
        tmp_path, settings.database_url, settings.redis_url, partitions=2 * settings.partitions
    ) as deployment:
        parent = deployment.start("plaudit", "api", "--processes", "2", "--port", str(deployment.port))

        assert parent.wait(PATIENCE) == 3, parent.output()
