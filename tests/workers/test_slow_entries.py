"""Entries whose handling takes seconds of CPU time, and entries that fail for an unclear reason: other users' changes
are stored, and only the entry that is to blame becomes a dead letter.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, InterfaceError

import workers.isolate_refused
import workers.persist
from models.counters import EntityRef
from projections.apply import apply as real_apply
from projections.events import Event
from state import State
from store.postgres.client import PostgresDown, Transaction
from tests.support.journal_entries import neighbours, states
from tests.support.refused_rows import letters
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import ready, until, working

Failure = Callable[[Transaction], Any]


def failing_for(monkeypatch: pytest.MonkeyPatch, actor: int, fail: Failure) -> list[int]:
    """Makes the handling of one user's events fail. Returns the sizes of the batches that failed."""
    failed = list[int]()

    async def apply(state: State, transaction: Transaction, events: Sequence[Event], *more: Any) -> set[EntityRef]:
        if any(event.actor_id == actor for event in events):
            failed.append(len(events))
            await fail(transaction)
        return await real_apply(state, transaction, events, *more)

    monkeypatch.setattr(workers.persist, "apply", apply)
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
@pytest.mark.parametrize("fail", [idle_too_long, lose_connection, have_a_defect, fail_inside])
async def test_an_entry_that_always_fails_does_not_block_others(
    system: System, monkeypatch: pytest.MonkeyPatch, fail: Failure
) -> None:
    monkeypatch.setattr(workers.isolate_refused, "_PAUSES", (0.01,) * 4)
    (video,) = await system.videos("v1")
    people = await neighbours(system, 5)
    failed = failing_for(monkeypatch, people[2].user_id, fail)
    for one in people:
        await one.person.like(video)

    async with working(system.worker()):
        await until(lambda: _stored(system, 4))

    assert people[2].user_id not in await states(system)
    assert len(await letters(system)) == 1
    assert failed[-5:] == [1] * 5  # alone, it is tried five times


async def _stored(system: System, count: int) -> bool:
    return len(await states(system)) == count


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
@pytest.mark.parametrize("sqlstate", ["40001", "53300", "53100", "55P03", "57014", "57P01", "57P03", "08001", "25006"])
async def test_a_batch_that_fails_because_of_the_server_is_repeated_whole(
    system: System, monkeypatch: pytest.MonkeyPatch, sqlstate: str
) -> None:
    async def fail(_: Transaction) -> None:
        raise DBAPIError("SELECT 1", {}, Answer(sqlstate))

    (video,) = await system.videos("v1")
    people = await neighbours(system, 4)
    failed = failing_for(monkeypatch, people[0].user_id, fail)
    for one in people:
        await one.person.like(video)
    worker = await ready(system)

    for _ in range(3):
        with pytest.raises(PostgresDown):
            await worker.step()

    assert failed == [4] * 3
    assert await letters(system) == []


@standalone
async def test_lost_connections_make_no_dead_letters_while_the_store_does_not_answer(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_answer() -> bool:
        return False

    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    failing_for(monkeypatch, alice.user_id, lose_connection)
    monkeypatch.setattr(system.state.postgres, "answers", no_answer)
    await alice.person.like(video)
    worker = await ready(system)

    for _ in range(6):
        with pytest.raises(PostgresDown):
            await worker.step()

    assert await letters(system) == []
