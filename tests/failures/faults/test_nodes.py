"""Faults of the nodes of a distributed Postgres under load: each acknowledged change is stored once."""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from tests.failures.faults.checker import assert_consistent, violations
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.failures.faults.node_scene import NodeScene, node_scene

pytestmark = [pytest.mark.prove, pytest.mark.timeout(1800)]
ROUNDS = int(os.environ.get("PLAUDIT_FAULT_ROUNDS", "10"))
NORMAL = 2.0, 3.0
"""Seconds of normal load before the fault."""
DOWN = 3.0
"""Seconds until a killed server starts again."""
MORE = 50
"""How many writes are acknowledged after the fault."""


class NodeFault(NamedTuple):
    """A fault. `happens` returns the number of transactions that were undecided after the killed server started."""

    name: str
    happens: Callable[[NodeScene], Awaitable[int]]


async def _start(scene: NodeScene, victim: Postgres) -> int:
    await asyncio.sleep(DOWN)
    await asyncio.to_thread(victim.start)
    return await scene.undecided()


async def _kill_node(scene: NodeScene) -> int:
    victim = random.choice(scene.cluster.workers)
    victim.kill()
    return await _start(scene, victim)


async def _kill_coordinator(scene: NodeScene) -> int:
    scene.cluster.coordinator.kill()
    return await _start(scene, scene.cluster.coordinator)


async def _kill_node_that_has_prepared(scene: NodeScene) -> int:
    await scene.kill_prepared(scene.cluster.workers[0])
    return await _start(scene, scene.cluster.workers[0])


async def _kill_coordinator_of_prepared(scene: NodeScene) -> int:
    await scene.kill_prepared(scene.cluster.coordinator)
    return await _start(scene, scene.cluster.coordinator)


FAULTS = [
    NodeFault("worker node killed", _kill_node),
    NodeFault("coordinator killed", _kill_coordinator),
    NodeFault("worker node killed after PREPARE", _kill_node_that_has_prepared),
    NodeFault("coordinator killed after PREPARE", _kill_coordinator_of_prepared),
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[NodeScene]:
    async with node_scene(tmp_path_factory.mktemp("nodes")) as one:
        yield one


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_killed_server_loses_no_part_of_a_transaction(scene: NodeScene, fault: NodeFault) -> None:
    acknowledged = undecided = 0
    for number in range(ROUNDS):
        async with working(scene.deployment, f"n{FAULTS.index(fault)}x{number}") as history:
            await asyncio.sleep(random.uniform(*NORMAL))
            undecided += await fault.happens(scene)
            await history.grows(MORE)
        acknowledged += history.acknowledged
        await assert_consistent(scene.deployment, history)
    print(f"| {fault.name} | {ROUNDS} | {acknowledged} | 0 | 0 | {undecided} |", flush=True)

    async with asyncio.timeout(60):
        while await scene.undecided():
            await asyncio.sleep(0.2)


async def test_a_synchronous_standby_loses_nothing_in_a_failover(tmp_path: Path) -> None:
    async with node_scene(tmp_path) as scene:
        primary = scene.cluster.workers[0]
        standby, _ = await scene.standby(primary)
        await scene.value(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        await scene.value(primary, "SELECT pg_reload_conf()")

        history = await _failover(scene, primary, standby)

        await assert_consistent(scene.deployment, history)
        print(f"| failover to a synchronous standby | 1 | {history.acknowledged} | 0 | 0 | |", flush=True)


async def test_an_asynchronous_standby_loses_parts_of_transactions(tmp_path: Path) -> None:
    async with node_scene(tmp_path) as scene:
        primary = scene.cluster.workers[0]
        standby, network = await scene.standby(primary)

        history = await _failover(scene, primary, standby, network.hold)

        found = await violations(scene.deployment, history)
        lost = [line for line in found if line.startswith(("the row of", "the log of", "counter "))]
        print(f"{len(lost)} rows and counters of {history.acknowledged} changes, such as {lost[:3]}", flush=True)
        assert lost


async def _failover(
    scene: NodeScene, primary: Postgres, standby: Postgres, before: Callable[[], Awaitable[None]] | None = None
) -> History:
    """Lets users work, and a standby take the place of a killed node. `before` happens two seconds before."""
    async with working(scene.deployment, "failover") as history:
        await asyncio.sleep(random.uniform(*NORMAL))
        if before:
            await before()
            await asyncio.sleep(2)
        primary.kill()
        await scene.promote(primary, standby)
        await history.grows(MORE)
    return history
