"""Whatever happens under load, what was acknowledged is there once, and nothing else is.

What is acknowledged in the last moment before Redis goes is seen again when it is back, and is then what everything
else was done upon.
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
from tests.failures.faults.load import History, working
from tests.failures.faults.matrix import FAULTS, Fault
from tests.failures.faults.measures import Seen, measured
from tests.failures.faults.scene import Kind, Scene, staged

ROUNDS = int(os.environ.get("PLAUDIT_FAULT_ROUNDS", "10"))
SHORT = 1.5
"""Seconds that a fault lasts in `make test`, at most."""
NOTICED = 2.0
"""Seconds after which writes have become direct, if they do: after a short fault that may be when it is over."""
NORMAL = 2.0, 3.0
"""Seconds of work before something happens."""

BY_KIND = sorted(FAULTS, key=lambda fault: (fault.kind != "plain", fault.kind))
NAME = attrgetter("name")

Row = tuple[str, list[Seen]]


class CurrentScene:
    """Has one scene at a time, for all faults of a kind in turn: what they kill they replace."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._kind: Kind | None = None
        self._scene = AsyncExitStack()

    async def scene(self, kind: Kind) -> Scene:
        if kind != self._kind:
            await self.close()
            self._set = await self._scene.enter_async_context(staged(self._folders.mktemp("scene"), kind))
            self._kind = kind
        return self._set

    async def close(self) -> None:
        """Whoever is next has another."""
        self._kind = None
        await self._scene.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def current(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[CurrentScene]:
    one = CurrentScene(tmp_path_factory)
    yield one
    await one.close()


@pytest.fixture(scope="module")
def table() -> Any:
    """What was seen, printed in the end."""
    rows: list[Row] = []
    yield rows
    print("\n" + "\n".join(_line(name, seen) for name, seen in rows))


@asynccontextmanager
async def scene_of(current: CurrentScene, kind: Kind) -> AsyncIterator[Scene]:
    """One that is whole; what fails leaves none behind."""
    try:
        scene = await current.scene(kind)
        await scene.ready()
        yield scene
    except BaseException:
        await current.close()
        raise


async def meet(scene: Scene, history: History, fault: Fault, seconds: float, more: int) -> tuple[float, float]:
    """A fault in the midst of work, and so many `more` acknowledgements; when it began and ended."""
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
        history.broken[known:] = [line for line in history.broken[known:] if "was answered with" in line]
    await history.grows(more)
    return began, ended


async def round_of(current: CurrentScene, fault: Fault, name: str) -> Seen:
    """Load, a fault in the midst of it, load again, and rest."""
    async with scene_of(current, fault.kind) as scene:
        async with working(scene.deployment, name) as history, measured(scene, history) as measures:
            scene.history = history
            await asyncio.sleep(random.uniform(*NORMAL))
            measures.began, measures.ended = await meet(scene, history, fault, fault.seconds, 100)
        seen = measures.seen()
        print(_line(fault.name, [seen]), flush=True)
        await assert_consistent(scene.deployment, history)
        return seen


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", get_args(Kind))
async def test_through_one_fault_after_the_other_everything_is_there_once(current: CurrentScene, kind: Kind) -> None:
    pause = 0.2 if kind == "small disk" else 0.5  # what is full is noticed by those who write
    async with scene_of(current, kind) as scene:
        async with working(scene.deployment, kind.replace(" ", ""), pause=pause) as history:
            scene.history = history
            for fault in FAULTS:
                if fault.kind == kind:
                    print(f"{time.time():.3f} {fault.name}", flush=True)
                    await meet(scene, history, fault, min(SHORT, fault.seconds), 20)
        await assert_consistent(scene.deployment, history)


@pytest.mark.prove
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("fault", BY_KIND, ids=NAME)
async def test_what_was_acknowledged_is_there_once_every_time(
    current: CurrentScene, fault: Fault, table: list[Row]
) -> None:
    names = [f"f{FAULTS.index(fault)}x{number}" for number in range(ROUNDS)]
    seen = [await round_of(current, fault, name) for name in names]
    table.append((fault.name, seen))


def _line(name: str, seen: list[Seen]) -> str:
    """A row of the table: of every column the worst round, and of acknowledgements all."""
    return (
        f"| {name} | {sum(one.acknowledged for one in seen)} | {min(one.prompt for one in seen):.0%} | "
        f"{min(one.prompt_reads for one in seen):.0%} | {max(one.silence for one in seen):.1f} | "
        f"{max(one.recovery for one in seen):.1f} | {max(one.sessions for one in seen)} | "
        f"{max(one.peak for one in seen):.1f} |"
    )
