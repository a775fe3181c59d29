"""The limit of CPU time: what it interrupts, and what it leaves intact."""

import asyncio
import gc
import inspect
import logging
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import StringIO
from typing import Any

import pytest
import uvloop
from sqlalchemy import text

from observability import metrics
from projections import cpu_limit
from projections.cpu_limit import TooSlow, _Interruption, limited
from settings import Settings
from store.postgres.client import Postgres, Transaction, connect

LOOPS = [asyncio.run, uvloop.run]


def busy(seconds: float) -> None:
    ends_at = time.thread_time() + seconds
    while time.thread_time() < ends_at:
        pass


def cpu_seconds(run: Callable[..., Any], coroutine: Any, error: type[BaseException]) -> float:
    """Runs a coroutine that fails. Returns the CPU time that it took."""
    began = time.thread_time()
    with pytest.raises(error):
        run(coroutine)
    return time.thread_time() - began


@pytest.mark.parametrize("run", LOOPS)
def test_a_long_step_is_interrupted(run: Callable[..., Any]) -> None:
    async def compute() -> None:
        await asyncio.sleep(0)
        busy(5)

    async def main() -> None:
        await limited(compute(), 0.1)

    assert cpu_seconds(run, main(), TooSlow) < 1


@pytest.mark.parametrize("run", LOOPS)
def test_code_that_handles_all_errors_is_interrupted(run: Callable[..., Any]) -> None:
    async def compute() -> str:
        with suppress(Exception):
            busy(5)
        return "a result"

    async def main() -> None:
        await limited(compute(), 0.1)

    assert cpu_seconds(run, main(), TooSlow) < 1


@pytest.mark.parametrize("run", LOOPS)
def test_short_steps_and_other_tasks_are_not_interrupted(run: Callable[..., Any]) -> None:
    async def compute() -> str:
        for _ in range(10):
            busy(0.05)
            await asyncio.sleep(0)
        return "a result"

    async def other() -> None:
        await asyncio.sleep(0)
        busy(0.5)

    async def main() -> str:
        results = await asyncio.gather(limited(compute(), 0.2), other())
        busy(0.5)
        return str(results[0])

    assert run(main()) == "a result"


def test_a_late_signal_has_no_effect() -> None:
    async def main() -> str:
        result = await limited(asyncio.sleep(0, "a result"), 0.1)
        signal.raise_signal(signal.SIGPROF)
        return result

    assert asyncio.run(main()) == "a result"


def test_a_signal_during_the_handling_of_a_signal_does_not_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the first signal come when a step has ended, and the second one while the first is handled."""
    asyncio.run(limited(asyncio.sleep(0), 1))  # until the first limit, the signal would end this process
    sent = 0

    def thread_time() -> float:
        nonlocal sent
        sent += 1
        if sent == 1:
            signal.raise_signal(signal.SIGPROF)
        return math.inf

    def ended(_: object) -> str:
        monkeypatch.setattr(time, "thread_time", thread_time)
        step = inspect.currentframe()
        assert step
        cpu_limit._interrupt(signal.SIGPROF, step.f_back)
        return "what the step waits for"

    assert cpu_limit._step(ended, None, 60, 0) == "what the step waits for"
    assert sent == 2


def test_an_interrupted_coroutine_cleans_up_and_errors_and_cancellations_pass() -> None:
    cleaned = []

    async def compute() -> None:
        try:
            busy(5)
        finally:
            await asyncio.sleep(0.01)
            cleaned.append(True)

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cleaned.append(True)

    async def main() -> None:
        with pytest.raises(TooSlow):
            await limited(compute(), 0.1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await limited(wait(), 0.1)

    asyncio.run(main())
    assert cleaned == [True] * 2


SENDER = """
import os, random, signal, sys, time
while True:
    os.kill(int(sys.argv[1]), signal.SIGPROF)
    time.sleep(random.uniform(0.0005, 0.005))
"""


@pytest.fixture
def signals() -> Iterator[None]:
    """Sends this process the signal of the timer at random moments, from another process."""
    asyncio.run(limited(asyncio.sleep(0), 1))  # until the first limit, the signal would end this process
    with subprocess.Popen([sys.executable, "-c", SENDER, str(os.getpid())]) as sender:
        yield
        sender.kill()


@pytest.mark.usefixtures("signals")
def test_connections_survive_interruptions_at_any_moment(make_settings: Callable[..., Settings]) -> None:
    """Interrupts transactions at random moments. Each connection then answers its own statements."""
    interrupted = 0

    async def read(transaction: Transaction, number: int) -> None:
        nonlocal interrupted
        try:
            for _ in range(5):
                rows = await transaction.execute(text("SELECT CAST(:n AS bigint)"), n=number)
                assert [tuple(row) for row in rows] == [(number,)]
                busy(0.0005)
        except _Interruption:
            interrupted += 1
            raise

    async def slow(postgres: Postgres, number: int) -> None:
        with pytest.raises(TooSlow):
            async with postgres.transaction() as transaction:
                await limited(read(transaction, number), 0.000_001)

    async def main() -> None:
        postgres = connect(make_settings(database_connections=2), "test")
        for number in range(1, 51):
            await slow(postgres, number)
            async with postgres.transaction() as one, postgres.transaction() as other:
                await asyncio.gather(read(one, -number), read(other, number))
        await postgres.close()

    uvloop.run(main())
    assert interrupted > 5


@pytest.mark.usefixtures("signals")
def test_interruptions_at_any_moment_leave_no_lock_locked() -> None:
    """Interrupts code that uses locks at random moments. Afterwards, another thread can use each lock."""
    semaphore, interrupted = threading.Semaphore(), 0

    async def use_locks() -> None:
        nonlocal interrupted
        try:
            for _ in range(5_000):
                with semaphore:
                    metrics.DEAD_LETTERS.inc(0)
                handler.handle(record)
        except _Interruption:
            interrupted += 1
            raise

    record, handler = logging.makeLogRecord({}), logging.StreamHandler(StringIO())

    async def main() -> None:
        for attempt in range(1000):  # most steps end where they may not be interrupted
            if attempt > 50 and interrupted > 5:
                return
            with suppress(TooSlow):
                await limited(use_locks(), 0.000_001)
            async with asyncio.timeout(5):
                await asyncio.to_thread(use_each)

    def use_each() -> None:
        assert semaphore.acquire(timeout=1)
        semaphore.release()
        assert handler.lock
        assert handler.lock.acquire(timeout=1)
        handler.lock.release()

    asyncio.run(main())
    assert interrupted > 5


def test_a_collection_of_garbage_does_not_count() -> None:
    """A large process may need more than the limit for one collection, whatever it is doing."""
    is_limited = False

    def slow_collection(phase: str, _: dict[str, int]) -> None:
        if is_limited and phase == "start":
            busy(0.2)

    async def compute() -> str:
        nonlocal is_limited
        is_limited = True
        lists = [[number] for number in range(10_000)]
        is_limited = False
        return f"{len(lists)} lists"

    gc.callbacks.append(slow_collection)
    thresholds = gc.get_threshold()
    gc.set_threshold(5000)
    try:
        assert asyncio.run(main_of(limited(compute(), 0.1))) == "10000 lists"
    finally:
        gc.callbacks.remove(slow_collection)
        gc.set_threshold(*thresholds)
    assert gc.isenabled()


async def main_of(limited_: Any) -> Any:
    return await limited_
