"""The checker finds workers that lose, repeat or reorder changes."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from sqlalchemy import text

from runner.process import Process
from state import opened
from tests.failures.faults.broken_worker import WAYS
from tests.failures.faults.checker import violations
from tests.failures.faults.load import working
from tests.support.deployment import Deployment

HARMLESS = [way for way in WAYS if way.endswith(" guarded")]
BROKEN = [way for way in WAYS if way not in HARMLESS]
WRONG = {
    "setPostNotifications": "UPDATE bells SET stands = NOT stands",
    "followTopic": "UPDATE content_follows SET stands = NOT stands",
    "hidePost": "UPDATE hidden_posts SET state = (state + 1) % 3",
    "muteWords": "UPDATE muted_words SET version = version * 2",
    "setDiscoverable": "UPDATE preferences SET stands = NOT stands",
    "setLanguage": "UPDATE users SET language = 'fr'",
    "setLabels": "UPDATE posts SET moderator_labels = moderator_labels # 6",
    "notice": "DELETE FROM notices",
    "registerEntities": "UPDATE entities SET title = 'third', removed = NOT removed, erased = false",
}
"""Statements that make rows wrong, by the first mutation of the entry whose check must notice it."""


@pytest.fixture(scope="module", autouse=True)
def api(deployment: Deployment) -> Process:
    return deployment.start_api()


@pytest_asyncio.fixture
async def started(deployment: Deployment) -> AsyncIterator[list[Process]]:
    """Yields the list of workers that a test starts, over data without traces of earlier broken workers. Afterwards
    stops the workers.
    """
    deployment.run("reconcile", "--repair")
    async with (
        opened(deployment.settings, "cleaning", makes_ids=False) as stores,
        stores.postgres.transaction() as transaction,
    ):
        await transaction.execute(text("DELETE FROM dead_letters"))
    workers: list[Process] = []
    yield workers
    for worker in workers:
        worker.kill()


async def found(deployment: Deployment, started: list[Process], sabotage: str) -> list[str]:
    """Returns the violations under a broken worker, which is killed under load and replaced by an equal one.

    A broken worker that stops by itself is replaced by a correct one.
    """
    await deployment.ready()
    started.append(deployment.start_worker(sabotage, batches={"window_seconds": 0.05}))
    await deployment.workers_started(*started)
    async with working(deployment, f"way{list(WAYS).index(sabotage)}", leavers=12) as history:
        await history.grows(300)
        dead = not started[0].running
        started[0].kill()
        started.append(deployment.start_worker(None if dead else sabotage, batches={"window_seconds": 0.05}))
        await history.grows(100)
        await history.has_rare_changes()
    return await violations(deployment, history)


@pytest.mark.prove
@pytest.mark.timeout(180)
@pytest.mark.parametrize("sabotage", BROKEN)
async def test_the_checker_finds_a_worker_without_one_of_its_guards(
    deployment: Deployment, started: list[Process], sabotage: str
) -> None:
    complaints = await found(deployment, started, sabotage)

    print(len(complaints), *complaints[:5], sep="\n")
    assert complaints


@pytest.mark.prove
@pytest.mark.parametrize("sabotage", HARMLESS)
async def test_the_checker_accepts_behaviour_that_a_guard_makes_harmless(
    deployment: Deployment, started: list[Process], sabotage: str
) -> None:
    assert await found(deployment, started, sabotage) == []


@pytest.mark.prove
@pytest.mark.timeout(180)
async def test_the_checker_finds_values_that_are_not_as_acknowledged(
    deployment: Deployment, started: list[Process]
) -> None:
    await deployment.ready()
    started.append(deployment.start_worker())
    async with working(deployment, "wrong", users=1, authors=False, changes=True) as history, asyncio.timeout(120):
        while any(history.broken.acknowledged[mutation] < 2 for mutation in WRONG):  # once before the load
            await asyncio.sleep(0.1)
    assert await violations(deployment, history) == []

    async with opened(deployment.settings, "breaking", makes_ids=False) as stores:
        for statement in WRONG.values():
            await stores.postgres.write(text(statement))
    found = await violations(deployment, history)
    assert [mutation for mutation in WRONG if not any(mutation in line for line in found)] == []
