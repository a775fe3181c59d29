"""A time limit cancels blocks that take too long, with one timer for all blocks."""

import asyncio
import time

import pytest

from api.time_limit import TimeLimit


async def test_a_block_that_takes_too_long_is_cancelled_and_raises_timeout_error() -> None:
    limit = TimeLimit(0.05)
    started = time.monotonic()

    with pytest.raises(TimeoutError), limit():
        await asyncio.sleep(60)

    assert 0.05 <= time.monotonic() - started < 30
    await asyncio.sleep(0)  # the task is not cancelled


async def test_a_block_that_ends_in_time_is_not_cancelled_later() -> None:
    limit = TimeLimit(0.02)
    with limit():
        await asyncio.sleep(0)

    await asyncio.sleep(0.1)


async def test_an_exception_of_a_block_is_raised_unchanged() -> None:
    with pytest.raises(ZeroDivisionError), TimeLimit(1)():
        raise ZeroDivisionError


async def test_a_cancellation_from_outside_is_not_a_timeout() -> None:
    async def limited() -> None:
        with TimeLimit(60)():
            await asyncio.sleep(60)

    task = asyncio.create_task(limited())
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_each_of_many_blocks_has_its_own_time() -> None:
    limit, ended = TimeLimit(0.2), []

    async def limited(name: str, delay: float) -> None:
        await asyncio.sleep(delay)
        try:
            with limit():
                await asyncio.sleep(60 if name != "quick" else 0)
        except TimeoutError:
            ended.append((name, asyncio.get_running_loop().time()))

    started = asyncio.get_running_loop().time()
    await asyncio.gather(limited("first", 0), limited("quick", 0), limited("second", 0.15))

    assert [name for name, _ in ended] == ["first", "second"]
    assert ended[0][1] - started >= 0.2
    assert ended[1][1] - started >= 0.35


async def test_many_blocks_share_one_timer() -> None:
    timers: list[asyncio.TimerHandle] = []
    loop = asyncio.get_running_loop()
    limit, call_at = TimeLimit(60), loop.call_at

    def counted(*args: object, **options: object) -> asyncio.TimerHandle:
        timers.append(call_at(*args, **options))  # type: ignore[arg-type]
        return timers[-1]

    loop.call_at = counted  # type: ignore[method-assign]
    try:
        for _ in range(100):
            with limit():
                await asyncio.sleep(0)
    finally:
        loop.call_at = call_at  # type: ignore[method-assign]

    assert len(timers) == 1
    timers[0].cancel()
