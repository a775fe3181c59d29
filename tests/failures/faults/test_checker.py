"""The checker notices what it is there for: workers that lose, repeat or reorder changes."""

from collections.abc import Iterator

import pytest

from runner.process import Process
from tests.failures.faults.broken_worker import WAYS
from tests.failures.faults.checker import violations
from tests.failures.faults.load import working
from tests.support.deployment import Deployment

HARMLESS = [way for way in WAYS if way.endswith(" guarded")]
BROKEN = [way for way in WAYS if way not in HARMLESS]


@pytest.fixture(scope="module", autouse=True)
def api(deployment: Deployment) -> Process:
    return deployment.start_api()


@pytest.fixture
def started(deployment: Deployment) -> Iterator[list[Process]]:
    """Workers of one test, which must not work for the next. What others have spoilt before is repaired."""
    deployment.run("reconcile", "--repair")
    workers: list[Process] = []
    yield workers
    for worker in workers:
        worker.kill()


async def found(deployment: Deployment, started: list[Process], sabotage: str) -> list[str]:
    """What the checker says of a sabotaged worker under load, killed in the midst of it and followed by its like.

    One that dies by itself is followed by an honest one: its damage is done.
    """
    await deployment.ready()
    started.append(deployment.start_worker(sabotage, batch_window_seconds=0.05))
    await deployment.workers_started(*started)
    async with working(deployment, f"way{list(WAYS).index(sabotage)}") as history:
        await history.grows(300)
        dead = not started[0].running
        started[0].kill()
        started.append(deployment.start_worker(None if dead else sabotage, batch_window_seconds=0.05))
        await history.grows(100)
    return await violations(deployment, history)


@pytest.mark.prove
@pytest.mark.parametrize("sabotage", BROKEN)
async def test_a_worker_without_one_of_its_guards_is_found_out(
    deployment: Deployment, started: list[Process], sabotage: str
) -> None:
    complaints = await found(deployment, started, sabotage)

    print(len(complaints), *complaints[:5], sep="\n")
    assert complaints


@pytest.mark.prove
@pytest.mark.parametrize("sabotage", HARMLESS)
async def test_what_a_guard_makes_harmless_is_not_complained_of(
    deployment: Deployment, started: list[Process], sabotage: str
) -> None:
    assert await found(deployment, started, sabotage) == []
