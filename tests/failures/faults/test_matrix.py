"""Under load and faults, each acknowledged change is stored once, and no other change is.

Changes that were acknowledged just before Redis died are visible again when Redis is back, below later changes.
"""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from operator import attrgetter
from typing import Any, get_args

import pytest
import pytest_asyncio

from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.failures.faults.matrix import FAULTS, Fault
from tests.failures.faults.measures import Seen, measured
from tests.failures.faults.scene import Kind, Scene, started_scene

ROUNDS = int(os.environ.get("PLAUDIT_FAULT_ROUNDS", "10"))
SHORT = 1.5
"""The maximum duration of a fault in `make test`, in seconds."""
LEAVERS = 20
"""The number of users who delete their accounts in the first round of each fault, and during ten faults of a sequence.
The check waits some seconds for the end of their deletions.
"""
NOTICED = 2.0
"""Seconds until writes become direct, if they do. After a short fault that may be when the fault is over."""
NORMAL = 2.0, 3.0
"""Seconds of normal load before the fault."""
_ALWAYS = "was answered with", "the suspension of"
"""Parts of the deviations that are not allowed even while acknowledged writes may be invisible."""

BY_KIND = sorted(FAULTS, key=lambda fault: (fault.kind != "plain", fault.kind))
NAME = attrgetter("name")
DAILY = {
    "APIs and workers killed",
    "Postgres killed, nothing cached",
    "Postgres and Redis killed",
    "zombie worker",
    "Redis cut off, for one API",
    "Redis silent, for all",
    "Redis restored",
    "Redis lacks replicas",
    "workers killed, Redis restarted",
    "standby promoted",
    "cache killed",
    "cache flushed",
    "Postgres's disk full",
}
"""The faults of the short sequences. `make test` runs those of a small disk; `make prove` runs all."""

Row = tuple[str, list[Seen]]


class CurrentScene:
    """Keeps one scene for all faults of a kind."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._kind: Kind | None = None
        self._scene = AsyncExitStack()

    async def scene(self, kind: Kind) -> Scene:
        if kind != self._kind:
            await self.close()
            self._set = await self._scene.enter_async_context(started_scene(self._folders.mktemp("scene"), kind))
            self._kind = kind
        return self._set

    async def close(self) -> None:
        """Stops the scene. The next fault gets another."""
        self._kind = None
        await self._scene.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def current(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[CurrentScene]:
    one = CurrentScene(tmp_path_factory)
    yield one
    await one.close()


@pytest.fixture(scope="module")
def table() -> Any:
    """Collects the results of all rounds and prints them at the end."""
    rows: list[Row] = []
    yield rows
    print("\n" + "\n".join(_line(name, seen) for name, seen in rows))


@asynccontextmanager
async def scene_of(current: CurrentScene, kind: Kind) -> AsyncIterator[Scene]:
    """Yields a ready scene. Closes the scene if the block fails."""
    try:
        scene = await current.scene(kind)
        await scene.ready()
        yield scene
    except BaseException:
        await current.close()
        raise


async def run_fault(scene: Scene, history: History, fault: Fault, seconds: float, more: int) -> tuple[float, float]:
    """Runs a fault under load, and waits for `more` acknowledgements. Returns when the fault began and ended."""
    await fault.before(scene)
    known, began = len(history.broken), time.time()
    async with fault.happens(scene):
        history.going.set()
        await asyncio.sleep(seconds)
    ended = time.time()
    if fault.forgets:
        await asyncio.sleep(NOTICED)
    await scene.ready()
    if fault.forgets:
        history.broken[known:] = [line for line in history.broken[known:] if any(word in line for word in _ALWAYS)]
    await history.grows(more)
    return began, ended


async def round_of(current: CurrentScene, fault: Fault, name: str, leavers: int) -> Seen:
    """Runs load before, during and after a fault. Returns the measurements. `leavers` is the number of users who delete
    their accounts.
    """
    async with scene_of(current, fault.kind) as scene:
        loaded = working(scene.deployment, name, leavers=leavers, changes=True)
        async with loaded as history, measured(scene, history) as measures:
            scene.history = history
            await asyncio.sleep(random.uniform(*NORMAL))
            measures.began, measures.ended = await run_fault(scene, history, fault, fault.seconds, 100)
        seen = measures.seen()
        print(_line(fault.name, [seen]), history.broken.acknowledged.total(), "acknowledged in all", flush=True)
        await assert_consistent(scene.deployment, history)
        return seen


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind == "small disk" else pytest.mark.prove) for kind in get_args(Kind)]
)
@pytest.mark.parametrize(
    "names", [DAILY, pytest.param(set(map(NAME, FAULTS)), marks=pytest.mark.prove)], ids=["some", "all"]
)
async def test_a_sequence_of_faults_leaves_each_acknowledged_change_stored_once(
    current: CurrentScene, kind: Kind, names: set[str]
) -> None:
    assert names <= set(map(NAME, FAULTS))
    pause = 0.2 if kind == "small disk" else 0.5  # users who write notice a full disk
    async with scene_of(current, kind) as scene:
        name, leavers = f"{kind.replace(' ', '')}{len(names)}", LEAVERS * len(names) // 10
        async with working(scene.deployment, name, pause=pause, leavers=leavers, changes=True) as history:
            scene.history = history
            for fault in FAULTS:
                if fault.kind == kind and fault.name in names:
                    before = history.broken.acknowledged.total()
                    print(f"{time.time():.3f} {fault.name}", flush=True)
                    await run_fault(scene, history, fault, min(SHORT, fault.seconds), 20)
                    print(history.broken.acknowledged.total() - before, "acknowledged changes", flush=True)
        acknowledged = history.broken.acknowledged
        print(f"{acknowledged.total()} changes were acknowledged, of {len(acknowledged)} mutations: {acknowledged}")
        await assert_consistent(scene.deployment, history)


@pytest.mark.prove
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("fault", BY_KIND, ids=NAME)
async def test_repeated_faults_leave_each_acknowledged_change_stored_once(
    current: CurrentScene, fault: Fault, table: list[Row]
) -> None:
    names = [f"f{FAULTS.index(fault)}x{number}" for number in range(ROUNDS)]
    seen = [await round_of(current, fault, name, LEAVERS * (number == 0)) for number, name in enumerate(names)]
    table.append((fault.name, seen))


def _line(name: str, seen: list[Seen]) -> str:
    """Returns a row of the table: the worst value of each column, and the sum of acknowledgements."""
    return (
        f"| {name} | {sum(one.acknowledged for one in seen)} | {min(one.prompt for one in seen):.0%} | "
        f"{min(one.prompt_reads for one in seen):.0%} | {max(one.silence for one in seen):.1f} | "
        f"{max(one.recovery for one in seen):.1f} | {max(one.sessions for one in seen)} | "
        f"{max(one.peak for one in seen):.1f} |"
    )
