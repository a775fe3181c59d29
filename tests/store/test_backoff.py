"""Repeating tasks end when they are cancelled, even if a library has lost the cancellation."""

import asyncio

import pytest

from domain.errors import Unavailable
from store.breaker import Breaker
from workers.repeating import repeat_every

ENOUGH = 5


async def drops_a_cancellation() -> None:
    """Loses a cancellation, as asyncio.wait_for of Python 3.11 may. redis-py and SQLAlchemy call that."""
    try:
        await asyncio.sleep(ENOUGH)
    except asyncio.CancelledError:
        raise ConnectionError from None


async def test_a_repeating_task_of_a_worker_ends_when_it_is_cancelled() -> None:
    task = asyncio.create_task(repeat_every(drops_a_cancellation, 0.0, "a step failed"))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait({task}, timeout=ENOUGH)
    assert task.done()


async def test_a_closed_breaker_stops_its_probes() -> None:
    breaker = Breaker("test", drops_a_cancellation, Unavailable)
    breaker.suspect()
    await asyncio.sleep(0.01)
    async with asyncio.timeout(ENOUGH):
        await breaker.close()


@pytest.mark.skipif("sys.version_info >= (3, 12)", reason="later versions drop none")
async def test_python_loses_a_cancellation_that_comes_together_with_a_result() -> None:
    """The lost cancellation is the reason why asyncio.wait_for is not used, and why `rest` checks for cancellation."""
    arrived = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(asyncio.wait_for(arrived, ENOUGH))  # noqa: TID251 - this is what it is about
    await asyncio.sleep(0)
    arrived.set_result("done")
    task.cancel()
    assert await task == "done"
