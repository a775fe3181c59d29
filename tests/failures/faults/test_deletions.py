"""Workers are killed in each phase of deletions. Nothing of deleted users is left, and the others lose nothing."""

import asyncio
import time

import pytest

from runner.process import Process
from tests.failures.faults.broken_worker import DYING_WAYS
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.load import working
from tests.support.deployment import Deployment

LEAVERS = 60
SECONDS = 180
"""Seconds in which a deletion must reach each phase."""


async def killed(worker: Process) -> None:
    """Returns when a worker was killed."""
    async with asyncio.timeout(SECONDS):
        while worker.running:
            await asyncio.sleep(0.05)


@pytest.mark.prove
@pytest.mark.timeout(900)
async def test_workers_that_are_killed_in_each_phase_of_a_deletion_leave_nothing(deployment: Deployment) -> None:
    deployment.start_api()
    await deployment.ready()
    started = [deployment.start_worker()]
    await deployment.workers_started(*started)
    async with working(deployment, "leave", leavers=LEAVERS) as history:
        await history.grows(50)
        started[0].kill()
        for way in DYING_WAYS:
            began = time.monotonic()
            await killed(deployment.start_worker(way))
            print(f"{way}: {time.monotonic() - began:.1f} s", flush=True)
        deployment.start_worker()
        await history.grows(50)
    await assert_consistent(deployment, history)
    (deleting,) = history.deleting
    print(f"{sum(one.is_done for one in deleting.leavers)} users have decided", flush=True)
    assert deleting.has_deleted_a_post
