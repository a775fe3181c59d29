"""A worker process with a handler that takes five seconds of CPU time for one user's change."""

import asyncio
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

import state
from tests.failures.faults.broken_worker import SLOW_WAYS
from tests.support.deployment import Deployment
from tests.support.system import Api

_LIKES = text("SELECT count(*) FROM reactions WHERE state = 1")
_DEAD = text("SELECT error FROM dead_letters")
_MOST_CPU_SECONDS = 2.0
"""Half a second for the slow change, which is tried twice alone, and what else a worker needs in a few seconds."""


@pytest.mark.prove
@pytest.mark.parametrize("defect", SLOW_WAYS)
async def test_other_changes_are_stored_and_only_the_slow_one_becomes_a_dead_letter(
    deployment: Deployment, defect: str
) -> None:
    deployment.start_api()
    await deployment.ready()
    async with (
        httpx.AsyncClient(base_url=deployment.urls[0], trust_env=False, timeout=30) as http,
        state.opened(deployment.settings, "slow", makes_ids=False) as stores,
    ):
        api = Api(http, deployment.settings)
        (video,) = await api.videos("slow")
        slow, *others = [api.person(f"slow{number}") for number in range(12)]
        await slow.react("dislike", video)
        await asyncio.gather(*(one.like(video) for one in others))
        worker = deployment.start_worker(defect)
        await deployment.workers_started(worker)
        began = _cpu_seconds(worker.pid)

        async with asyncio.timeout(30):
            while await stores.postgres.read(_LIKES) != [(len(others),)]:
                await asyncio.sleep(0.05)
            while not (dead := await stores.postgres.read(_DEAD)):
                await asyncio.sleep(0.05)
        spent = _cpu_seconds(worker.pid) - began

        assert [error for (error,) in dead] == ["handling this took too much CPU time"]
        assert spent < _MOST_CPU_SECONDS
        await slow.react("undislike", video)
        await slow.like(video)  # the worker goes on
        async with asyncio.timeout(30):
            while await stores.postgres.read(_LIKES) != [(len(others) + 1,)]:
                await asyncio.sleep(0.05)


def _cpu_seconds(pid: int) -> float:
    """Returns the CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:13])) / 100
