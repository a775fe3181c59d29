"""Events of subscriptions are charged. If the budget is used up, they wait for it."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import AnonymousSettings, LimitSettings, Settings
from tests.support.subscriptions import Live, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

POINTS, PER_SECOND, COST = 60, 2, 10
CHANGES = 8
"""Each change is an event of ten points, so the budget does not suffice for all changes."""


@pytest_asyncio.fixture
async def poor(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Returns a server whose anonymous callers have points for four events after the start, and for one every five
    seconds.
    """
    few = LimitSettings(anonymous=AnonymousSettings(points=POINTS, points_per_second=PER_SECOND, cost=POINTS))
    async with serving(make_settings(port=0, limits=few)) as live:
        yield live


async def test_events_are_charged_and_wait_for_the_budget(poor: Live) -> None:
    (video,) = await poor.videos("v1")
    clock = asyncio.get_running_loop().time
    async with poor.socket() as watcher:
        began = clock()
        await watcher.subscribe([video])
        await watcher.value()
        listening = asyncio.create_task(watcher.until(lambda value: value["likeCount"] == CHANGES))
        for number in range(CHANGES):
            await poor.person(f"fan{number}").like(video)
            await poor.drain()
            await asyncio.sleep(0.3)  # longer than the pace of events
        events = 1 + len(await listening)
        took = clock() - began

    lent = POINTS // 10
    assert events * COST <= POINTS + PER_SECOND * (took + 5) + lent
    assert events < CHANGES
