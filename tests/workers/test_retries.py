"""Stores that fail under a worker: its batches are stored in the end, and once."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import TextClause

import workers.worker
from runner.postgres import Postgres
from settings import Settings
from store.postgres.client import PostgresDown, Transaction
from store.redis.client import RedisDown
from tests.support.journal_entries import count_seen, neighbours, someone, states
from tests.support.metrics import metric
from tests.support.read_only import alter_database, only_reading
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import COUNTS, LIKE, assert_three_likes, ready, three_likes, until, working


@standalone
async def test_writes_acknowledged_while_postgres_was_down_are_stored_afterwards(
    system: System, postgres: Postgres
) -> None:
    (video,) = await system.videos("v1", owner="owen")
    people = await neighbours(system, 3)
    for one in people:  # caches their sets, so that their writes need no rows
        await one.person.like(video)
        await one.person.unlike(video)
    async with working(system.worker()):
        await until(lambda: log_is(system, 6))
        postgres.stop()
        try:
            await asyncio.gather(*[one.person.ask(LIKE, id=video) for one in people])
        finally:
            postgres.start()
        await until(lambda: log_is(system, 9))

    assert await system.rows(COUNTS) == [(1, 5, 3), (100, 1, 3)]
    assert set((await states(system)).values()) == {1}


async def log_is(system: System, length: int) -> bool:
    try:
        return await system.rows("SELECT count(*) FROM like_log") == [(length,)]
    except PostgresDown:
        return False


@standalone
@pytest.mark.parametrize("after", range(1, 5))
async def test_a_batch_whose_connection_breaks_is_rolled_back_and_stored_in_parts(
    system: System, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    (video,) = await system.videos("v1", owner="owen")
    await three_likes(system, video)
    worker = await ready(system)
    statements = breaking_after(monkeypatch, system, after)

    await worker.step()

    assert statements.count == after
    await assert_three_likes(system)


class Statements:
    count = 0


def breaking_after(monkeypatch: pytest.MonkeyPatch, system: System, number: int) -> Statements:
    """Ends a transaction's session after `number` statements, as an operator or a failover would."""
    seen = Statements()

    def breaking(original: Any) -> Any:
        async def execute(self: Transaction, statement: TextClause, **parameters: Any) -> Any:
            answer = await original(self, statement, **parameters)
            if seen.count < number:
                seen.count += 1
                if seen.count == number:
                    await system.rows(TERMINATE)
            return answer

        return execute

    monkeypatch.setattr(Transaction, "execute", breaking(Transaction.execute))
    monkeypatch.setattr(Transaction, "changed", breaking(Transaction.changed))
    return seen


TERMINATE = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'
"""


@standalone
async def test_a_batch_that_could_not_be_published_is_published_later_and_stored_once(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1", owner="owen")
    bob = system.person("bob")
    assert await count_seen(bob, video) == 0
    await three_likes(system, video)
    worker = await ready(system)
    with monkeypatch.context() as broken:
        broken.setattr(workers.worker, "publish", redis_down)
        for _ in range(2):
            with pytest.raises(RedisDown):
                await worker.step()
    assert await count_seen(bob, video) == 0
    await assert_three_likes(system)

    await worker.step()

    assert await count_seen(bob, video) == 2
    await assert_three_likes(system)


async def redis_down(*_: object) -> None:
    raise RedisDown


@standalone
async def test_a_worker_recovers_from_a_database_that_was_read_only_for_a_while(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(partition_lease_seconds=0.4)) as system:
        (video,) = await system.videos("v1", owner="owen")
        people, registrar = await neighbours(system, 3), system.person("registrar", "entities:write")
        assert await registrar.errors(REGISTER) == []
        retries = metric("worker_retries_total")
        async with working(system.worker()):
            await people[0].person.like(video)
            await until(lambda: log_is(system, 1))  # the worker owns partitions
            async with only_reading(system):
                for one in people[1:]:
                    await one.person.like(video)
                assert await registrar.errors(REGISTER) == [("UNAVAILABLE", ["registerEntities"])]
                await until(lambda: retried_since(retries))
                await asyncio.sleep(1)  # long enough for failed lease renewals
            await until(lambda: log_is(system, 3))

        assert set((await states(system)).values()) == {1}


REGISTER = 'mutation { registerEntities(entities: [{business: "video", key: "v2"}]) { userErrors { code } } }'


async def retried_since(retries: float) -> bool:
    return metric("worker_retries_total") > retries


@standalone
async def test_a_worker_retries_through_an_outage_of_days(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, pauses = asyncio.Event(), list[float]()

    async def at_once(_: asyncio.Event, seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2000:
            stop.set()

    worker = await ready(system)
    monkeypatch.setattr(workers.worker, "wait_for", at_once)
    monkeypatch.setattr(worker, "step", postgres_down)

    await worker.run(stop)

    assert 0.05 <= pauses[0] <= 0.1
    assert 2.5 <= min(pauses[10:]) <= max(pauses) <= 5


async def postgres_down() -> None:
    raise PostgresDown


@standalone
async def test_reads_succeed_after_a_restart_of_the_database(system: System) -> None:
    (video,) = await system.videos("v1")
    zoe = await someone(system, "zoe")
    await asyncio.gather(*[system.rows("SELECT pg_sleep(0.05)::text") for _ in range(8)])  # the pool is full
    await alter_database(system, "RESET default_transaction_read_only")
    await system.empty_redis()

    assert await asyncio.gather(*[count_seen(zoe.person, video) for _ in range(8)]) == [0] * 8


@standalone
async def test_a_batch_after_one_that_could_not_be_published_is_stored(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_settings(batches={"entries": 1})) as system:
        videos = await system.videos(*(f"v{n}" for n in range(20)))
        worker, alice = await ready(system), system.person("alice")
        for video in videos:
            await alice.like(video)
        with monkeypatch.context() as broken:
            broken.setattr(workers.worker, "publish", redis_down)
            for _ in range(6):
                with pytest.raises(RedisDown):
                    await worker.step()

        assert await system.rows("SELECT count(*) FROM like_log") == [(20,)]
        while await worker.step():
            pass
        assert [await count_seen(system.person("bob"), video) for video in videos] == [1] * 20
