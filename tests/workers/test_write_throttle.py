"""Batch sizes of a worker: smaller while Postgres is slow, and larger again afterwards (W7)."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from models.database.async_engines import async_engine_at
from settings import Settings
from store.postgres.client import PostgresDown
from tests.support.journal_entries import append, like_of, neighbours, ref_of
from tests.support.metrics import metric
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import until, working
from workers.write_throttle import WriteThrottle

LANES, BATCH, TARGET = 3, 500, 1.0
MOST = LANES * BATCH


class PaceHarness:
    """A pace whose commits take the time that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.throttle = WriteThrottle(LANES, BATCH, TARGET, lambda: self.now)

    def commit(self, seconds: float, times: int = 1) -> int:
        for _ in range(times):
            with self.throttle.commit():
                self.now += seconds
        return self.throttle.limit

    def fail(self, cause: BaseException | None, at_once: int = 1) -> int:
        batches = [self.throttle.commit() for _ in range(at_once)]
        for batch in batches:
            batch.__enter__()
        self.now += 3
        down = PostgresDown()
        down.__cause__ = cause
        for batch in batches:
            with pytest.raises(PostgresDown):
                batch.__exit__(PostgresDown, down, None)
                raise down
        return self.throttle.limit


class PostgresError(Exception):
    """An error of Postgres."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def error(sqlstate: str) -> DBAPIError:
    return DBAPIError("INSERT", {}, PostgresError(sqlstate))


def test_a_fast_database_gets_full_batches() -> None:
    bench = PaceHarness()

    assert bench.commit(0.2, times=1000) == MOST
    assert (bench.throttle.lanes, bench.throttle.entries(LANES)) == (LANES, BATCH)


def test_slow_commits_halve_the_limit_once_in_each_window() -> None:
    bench = PaceHarness()

    assert [bench.commit(2.0, times=11), bench.commit(1.5, times=11), bench.commit(1.1, times=11)] == [750, 375, 187]
    assert (bench.throttle.lanes, bench.throttle.entries(1)) == (1, 187)


def test_the_limit_falls_by_halves_and_rises_by_steps() -> None:
    bench = PaceHarness()
    assert bench.commit(2.0, times=11) == 750

    limits = [bench.commit(0.3) for _ in range(40)]

    assert limits[:12] == [750] * 10 + [800, 850]
    assert limits[-1] == MOST


def test_an_occasional_slow_commit_changes_nothing() -> None:
    bench, dice = PaceHarness(), random.Random(7)

    limits = {bench.commit(5.0 if dice.random() < 0.1 else dice.uniform(0.1, 0.8)) for _ in range(5000)}

    assert limits == {MOST}


def test_a_distant_database_does_not_get_tiny_batches() -> None:
    bench = PaceHarness()

    assert bench.commit(3.0, times=500) == MOST // 2
    assert bench.commit(0.1, times=30) == MOST


def test_the_limit_settles_near_the_capacity_of_the_database() -> None:
    """The capacity is 400 entries a second, so a batch of 400 commits within the target."""
    bench = PaceHarness()
    bench.commit(2.0, times=11)

    limits = [bench.commit(bench.throttle.limit / 400) for _ in range(2000)]

    assert 200 <= min(limits[200:]) <= max(limits[200:]) <= 800


@pytest.mark.parametrize("sqlstate", ["40P01", "53300", "55P03", "57014"])
def test_concurrent_failures_from_overload_halve_the_limit_once(sqlstate: str) -> None:
    bench = PaceHarness()

    assert bench.fail(error(sqlstate), at_once=LANES) == MOST // 2
    assert bench.fail(TimeoutError()) == MOST // 4


@pytest.mark.parametrize("cause", [None, error("57P01"), error("08006"), ConnectionRefusedError()])
def test_an_unreachable_database_does_not_count_as_overloaded(cause: BaseException | None) -> None:
    assert PaceHarness().fail(cause, at_once=LANES) == MOST


def test_the_limit_never_falls_to_zero() -> None:
    bench = PaceHarness()
    for _ in range(50):
        bench.fail(TimeoutError())

    assert (bench.throttle.limit, bench.throttle.lanes, bench.throttle.entries(1), bench.throttle.entries(LANES)) == (
        20,
        1,
        20,
        6,
    )


@pytest.mark.prove
@standalone
async def test_a_worker_writes_less_while_postgres_is_blocked_and_more_afterwards(
    make_settings: Callable[..., Settings],
) -> None:
    """A transaction holds the row that every batch has to lock."""
    impatient = make_settings(partition_lease_seconds=20, batches={"entries": 50}, database_timeout=0.3)
    async with running(make_settings()) as system, running(impatient) as worker_process:
        (video,) = await system.videos("v1")
        people = await neighbours(system, 2)
        ref = await ref_of(system, video)
        worker = worker_process.worker()
        before = throttles()
        async with working(worker):
            await until(lambda: owns(worker.owned))
            async with held(system, "SELECT * FROM partitions FOR UPDATE"):
                for turn in range(200):
                    for one in people:
                        await append(system, one.partition, like_of(one, ref, state=1 + turn % 2))
                await until(lambda: is_at(worker.throttle, 20))
                assert metric("write_limit_entries") == 20
                assert throttles() - before >= 3  # 150, 75, 37, 20
            await until(lambda: stored(system, 400))
            assert 20 < worker.throttle.limit < 150

        assert await system.rows("SELECT state FROM reactions") == [(2,), (2,)]
        assert await system.rows("SELECT count(*) FROM dead_letters") == [(0,)]


async def owns(owned: object) -> bool:
    return bool(owned)


async def is_at(throttle: WriteThrottle, limit: int) -> bool:
    return throttle.limit == limit


async def stored(system: System, entries: int) -> bool:
    return await system.rows("SELECT count(*) FROM like_log") == [(entries,)]


def throttles() -> float:
    return metric("write_throttles_total", why="failed")


@asynccontextmanager
async def held(system: System, lock: str) -> AsyncIterator[None]:
    """Holds a lock in another transaction while the block runs."""
    engine = async_engine_at(system.settings.database_url)
    async with engine.begin() as connection:
        await connection.execute(text(lock))
        yield
    await engine.dispose()
