"""Entries whose handling takes seconds of CPU time, and entries that fail for an unclear reason: other users' changes
are stored, and only the entry that is to blame becomes a dead letter.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, InterfaceError

import projections.apply
import workers.isolate_refused
import workers.persist
from models.counters import EntityRef
from projections.apply import _apply as real_apply
from projections.cpu_limit import TooSlow
from projections.events import Event
from state import State
from store.postgres.client import PostgresDown, Transaction
from store.write_log import dead_letters
from tests.support.fallback_mode import directly
from tests.support.journal_entries import count_seen, neighbours, someone, states
from tests.support.refused_rows import letters
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import LIKE, ready, until, working
from workers.replay_dead_letters import apply_again

Failure = Callable[[Transaction], Any]


def failing_for(monkeypatch: pytest.MonkeyPatch, actor: int, fail: Failure) -> list[int]:
    """Makes the handling of one user's events fail. Returns the sizes of the batches that failed."""
    failed = list[int]()

    async def apply(state: State, transaction: Transaction, events: Sequence[Event], *more: Any) -> set[EntityRef]:
        if any(event.actor_id == actor for event in events):
            failed.append(len(events))
            await fail(transaction)
        return await real_apply(state, transaction, events, *more)

    monkeypatch.setattr(projections.apply, "_apply", apply)
    return failed


async def compute(_: Transaction) -> None:
    """Takes five seconds of CPU time."""
    until_ = time.process_time() + 5
    while time.process_time() < until_:
        pass


async def idle_too_long(transaction: Transaction) -> None:
    await transaction.execute(text("SET LOCAL idle_in_transaction_session_timeout = '1ms'"))
    time.sleep(0.1)
    await transaction.execute(text("SELECT 1"))


async def time_out(transaction: Transaction) -> None:
    await transaction.execute(text("SET LOCAL statement_timeout = '20ms'"))
    await transaction.execute(text("SELECT pg_sleep(1)"))


async def wait_for_lock(transaction: Transaction) -> None:
    """Waits for the lock of a row that another session holds, as long as a lock may be waited for."""
    await transaction.execute(text("SET LOCAL lock_timeout = '20ms'"))
    await transaction.execute(text("SELECT pg_advisory_xact_lock(7)"))


async def time_out_in_the_client(_: Transaction) -> None:
    raise TimeoutError


async def lose_connection(_: Transaction) -> None:
    raise InterfaceError("SELECT 1", {}, ConnectionResetError())


async def have_a_defect(_: Transaction) -> None:
    raise KeyError("unknown")


async def fail_inside(transaction: Transaction) -> None:
    await transaction.execute(text("DO $$ BEGIN RAISE EXCEPTION SQLSTATE 'XX000'; END $$"))


@standalone
async def test_a_slow_entry_delays_others_by_about_a_second(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    people = await neighbours(system, 8)
    failing_for(monkeypatch, people[3].user_id, compute)
    for one in people:
        await one.person.like(video)
    began = time.process_time()

    async with working(system.worker()):
        await until(lambda: _stored(system, 7), seconds=50)

    assert time.process_time() - began < 2.5
    assert people[3].user_id not in await states(system)
    assert len(await states(system)) == 7
    assert len(await letters(system)) == 1


@standalone
async def test_a_slow_direct_write_is_refused_and_changes_nothing(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    alice, bob = await someone(system, "alice"), await someone(system, "bob")
    failing_for(monkeypatch, alice.user_id, compute)
    async with directly(system):
        began = time.process_time()
        answer = (await alice.person.send(LIKE, id=video)).json()
        spent = time.process_time() - began
        await bob.person.like(video)

    assert answer["errors"][0]["extensions"]["code"] == "INTERNAL"
    assert spent < 1
    assert await states(system) == {bob.user_id: 1}


@standalone
async def test_a_slow_dead_letter_that_is_replayed_stays(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    failing_for(monkeypatch, alice.user_id, compute)
    await alice.person.like(video)
    await system.drain()
    (letter,) = await dead_letters.read(system.state.postgres)
    began = time.process_time()

    with pytest.raises(TooSlow):
        await apply_again(system.state, letter)

    assert time.process_time() - began < 1
    assert len(await letters(system)) == 1
    assert await states(system) == {}


@standalone
@pytest.mark.parametrize(
    "fail",
    [
        *(time_out, wait_for_lock, time_out_in_the_client),
        *(idle_too_long, lose_connection, have_a_defect, fail_inside),
    ],
)
async def test_an_entry_that_always_fails_does_not_block_others(
    system: System, monkeypatch: pytest.MonkeyPatch, fail: Failure
) -> None:
    monkeypatch.setattr(workers.isolate_refused, "_PAUSES", (0.01,) * 4)
    (video,) = await system.videos("v1")
    people = await neighbours(system, 5)
    failed = failing_for(monkeypatch, people[2].user_id, fail)
    for one in people:
        await one.person.like(video)

    async with system.state.postgres.transaction() as other, working(system.worker()):
        await other.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        await other.execute(text("SELECT pg_advisory_xact_lock(7)"))
        await until(lambda: _stored(system, 4))

    assert people[2].user_id not in await states(system)
    assert len(await letters(system)) == 1
    assert failed[-5:] == [1] * 5  # alone, it is tried five times


async def _stored(system: System, count: int) -> bool:
    with suppress(PostgresDown):  # processes test a connection that was lost, and a busy machine may answer late
        return len(await states(system)) == count
    return False


@standalone
async def test_an_error_that_passes_makes_no_dead_letter(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    times = 4

    async def fail_sometimes(transaction: Transaction) -> None:
        nonlocal times
        if times:
            times -= 1
            await lose_connection(transaction)

    failing_for(monkeypatch, alice.user_id, fail_sometimes)
    await alice.person.like(video)
    worker = await ready(system)

    await worker.step()

    assert await letters(system) == []
    assert len(await states(system)) == 1


class Answer(Exception):
    """An error of Postgres."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


@standalone
@pytest.mark.prove
@pytest.mark.parametrize("sqlstate", ["53100", "40001", "57P01", "53300", "57P03", "58030", "08001", "25006"])
async def test_an_error_of_the_server_delays_only_the_partition_that_meets_it(
    system: System, monkeypatch: pytest.MonkeyPatch, sqlstate: str
) -> None:
    fails = True

    async def fail(_: Transaction) -> None:
        if fails:
            raise DBAPIError("SELECT 1", {}, Answer(sqlstate))

    (video,) = await system.videos("v1")
    people = await neighbours(system, 4)
    everyone = [await someone(system, f"other{number}") for number in range(20)]
    others = [one for one in everyone if one.partition != people[0].partition]
    failed = failing_for(monkeypatch, people[1].user_id, fail)
    for one in (*people, *others):
        await one.person.like(video)

    async with working(system.worker()):
        await until(lambda: _stored(system, 1 + len(others)))
        await until(lambda: _seen(system, video, 1 + len(others)))
        await until(lambda: asyncio.sleep(0, failed.count(1) > 6))
        assert set(await states(system)) == {one.user_id for one in (people[0], *others)}
        assert await letters(system) == []

        fails = False
        await until(lambda: _stored(system, len(people) + len(others)))


async def _seen(system: System, video: str, count: int) -> bool:
    return bool(await count_seen(system.person(None), video) == count)


@asynccontextmanager
async def table_locked(system: System, table: str) -> AsyncIterator[None]:
    """Locks a table against writes, as the building of an index does."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(f"LOCK TABLE {table} IN SHARE MODE"))
        yield


@standalone
async def test_a_locked_table_makes_no_dead_letters(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(transaction: Transaction) -> None:
        await transaction.execute(text("SET LOCAL lock_timeout = '20ms'"))

    monkeypatch.setattr(workers.isolate_refused, "_PAUSES", (0.01,) * 4)
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    failing_for(monkeypatch, alice.user_id, wait)
    await alice.person.like(video)
    worker = await ready(system)

    async with table_locked(system, "reactions"):
        with pytest.raises(PostgresDown):
            await worker.step()
    await worker.step()

    assert await letters(system) == []
    assert len(await states(system)) == 1


@standalone
async def test_lost_connections_make_no_dead_letters_while_postgres_is_slow(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.isolate_refused, "_PAUSES", (0.01,) * 4)
    monkeypatch.setattr(workers.persist, "_QUICK", 0)
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    failing_for(monkeypatch, alice.user_id, lose_connection)
    await alice.person.like(video)
    worker = await ready(system)

    for _ in range(6):
        with pytest.raises(PostgresDown):
            await worker.step()

    assert await letters(system) == []
