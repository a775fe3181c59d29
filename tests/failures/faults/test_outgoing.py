"""Outgoing events under load, while workers, stores and receivers die and hang."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from operator import attrgetter
from pathlib import Path

import pytest

from tests.failures.faults import event_checks as checks
from tests.failures.faults.broken_worker import EVENT_WAYS
from tests.failures.faults.event_faults import FAULTS, EventFault, answering, garbage, hang, redirect
from tests.failures.faults.event_scene import EventScene, started_events
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.external_reviewer import Answer

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PLAUDIT_RECEIVER_SECONDS", "10"))
"""How long a receiver fails while writes are counted."""
BESIDE = min(SECONDS, 30)
"""How long writes are counted before and after that."""


@asynccontextmanager
async def under_load(
    scene: EventScene, found: list[str], *, loses_commits: bool = False, seconds: float = 90
) -> AsyncIterator[History]:
    """Lets users work while the block runs. Then waits up to `seconds` until the destinations have all events, and
    adds to `found` what is wrong with them.

    If commits were lost, some events were sent that are not stored, or do not continue each other. A lost notification
    is not made again if its actor is hidden from its user by then, so notifications of users who block each other or
    are suspended are not compared. Users then change no values that are in no journal, either.
    """
    before = await checks.rows(scene.state)
    async with working(scene.system.deployment, "out", changes=not loses_commits) as history:
        scene.system.history = history
        await history.grows(50)
        yield history
    await scene.settles(seconds)
    stored, after = await checks.stored_ids(scene.state), await checks.rows(scene.state)
    assert sum(map(len, stored.values())) > 100
    hideable = await checks.hideable(scene.state)
    for name, events in (await scene.received()).items():
        separated = checks.caused_by(events, history.relations.suspended) if loses_commits else set()
        lines = [*checks.state_violations(before, events, after, hideable | separated)]
        lines += checks.lost_violations(events, stored, hideable)
        if not loses_commits:
            lines += [*checks.chain_violations(before, events), *checks.order_violations(events, stored)]
        found += [f"{name}: {line}" for line in lines]
    likes = await checks.likes(scene.state)
    if (counted := await scene.counted(likes)) != likes:
        found.append(f"the consumer counts {counted - likes} too many and {likes - counted} too few")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("fault", FAULTS, ids=attrgetter("name"))
async def test_every_stored_change_is_delivered_in_order_and_none_is_invented(
    tmp_path: Path, fault: EventFault
) -> None:
    found: list[str] = []
    async with (
        started_events(tmp_path) as scene,
        under_load(scene, found, loses_commits=fault.loses_commits) as history,
    ):
        async with fault.happens(scene):
            await asyncio.sleep(fault.seconds)
        await scene.system.ready()
        await history.grows(40)

    assert found == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", EVENT_WAYS)
async def test_the_check_finds_a_worker_that_loses_or_swaps_events(tmp_path: Path, way: str) -> None:
    found: list[str] = []
    async with started_events(tmp_path, way) as scene, under_load(scene, found) as history:
        await history.grows(200)

    print(len(found), *(line[:300] for line in found[:5]), sep="\n")
    for name in ("hook", "program", "stream"):
        assert any(line.startswith(name) for line in found)


@pytest.mark.timeout(600 + 4 * SECONDS)
@pytest.mark.parametrize("answer", [hang, garbage, redirect], ids=["hangs", "sends garbage", "redirects"])
async def test_a_receiver_that_fails_costs_writes_nothing_and_catches_up(tmp_path: Path, answer: Answer) -> None:
    """`PLAUDIT_RECEIVER_SECONDS=600` lets it fail for ten minutes. Then the printed numbers say more."""
    found: list[str] = []
    async with started_events(tmp_path) as scene:
        async with under_load(scene, found, seconds=90 + SECONDS) as history:
            before = await writes_per_second(history, BESIDE)
            async with answering(answer)(scene):
                failing = await writes_per_second(history, SECONDS)
            waiting, after = await scene.stored(), await writes_per_second(history, BESIDE)
            began = time.monotonic()
        took = time.monotonic() - began

    print(f"{before:.0f}, {failing:.0f} and {after:.0f} writes/s before, while and after the receiver fails")
    print(f"{waiting} events were stored when it recovered; all were sent and compared {took:.0f} s after the load")
    assert failing > min(before, after) / 2  # the machine may have become slower
    assert found == []


async def writes_per_second(history: History, seconds: float) -> float:
    """Returns how many writes were acknowledged per second, in the next seconds."""
    before = history.acknowledged
    await asyncio.sleep(seconds)
    return (history.acknowledged - before) / seconds
