"""Two workers store reports, edits and decisions about the same posts at once, and do not deadlock."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from store.moderation import reports as rows
from store.postgres.client import Transaction
from tests.support import posts, reports
from tests.support.posts import published
from tests.support.reconciliation import drift, execute
from tests.support.stores import standalone
from tests.support.system import Person, System
from workers.worker import Worker

ROUNDS = 12


async def two_workers(system: System) -> list[Worker]:
    """Returns two workers that share the partitions."""
    workers = [system.worker(), system.worker()]
    for _ in range(3):
        for worker in workers:
            await worker.ownership.renew()
    assert all(worker.owned for worker in workers)
    return workers


async def in_different_journals(system: System, workers: list[Worker], *scopes: str) -> list[Person]:
    """Returns two people, of whom each worker stores the changes of one."""
    found: dict[int, Person] = {}
    for n in range(100):
        person = system.person(f"person{n}", *scopes)
        partition = system.state.keys.partition_of(int((await person.id()).removeprefix("User:")))
        found.setdefault(next(i for i, worker in enumerate(workers) if partition in worker.owned), person)
        if len(found) == len(workers):
            break
    return [found[0], found[1]]


async def store(workers: list[Worker]) -> None:
    """Lets both workers store everything at once. A deadlock raises PostgresDown."""
    while any(await asyncio.gather(*[worker.step() for worker in workers])):
        pass


@standalone
async def test_reports_cross_edits_without_a_deadlock(system: System) -> None:
    workers = await two_workers(system)
    one, other = await in_different_journals(system, workers)
    (first,), (second,) = await published(one, "first"), await published(other, "second")
    await store(workers)
    for n in range(ROUNDS):
        await asyncio.gather(posts.edit(one, first, text=f"first {n}"), posts.edit(other, second, text=f"second {n}"))
        await asyncio.gather(reports.reported(one, second), reports.reported(other, first))
        await store(workers)

    assert await reports.queued(system.person("mod", "moderate")) == {first: 1, second: 1}
    assert await drift(system, "cases") == {}


@standalone
async def test_reports_cross_decisions_without_a_deadlock(system: System) -> None:
    workers = await two_workers(system)
    one, other = await in_different_journals(system, workers, "moderate")
    first, second = await published(system.person("alice"), "first", "second")
    await store(workers)
    for _ in range(ROUNDS):
        await asyncio.gather(reports.reported(one, first), reports.reported(other, second))
        await store(workers)
        await asyncio.gather(reports.reported(one, first), reports.reported(other, second))
        await asyncio.gather(reports.resolve(one, second, "DISMISS"), reports.resolve(other, first, "DISMISS"))
        await store(workers)

    assert await drift(system, "cases") == {}


@standalone
@pytest.mark.parametrize("has_case", [False, True])
async def test_reports_from_one_network_weigh_less_whichever_worker_stores_them(
    system: System, monkeypatch: pytest.MonkeyPatch, has_case: bool
) -> None:
    workers = await two_workers(system)
    one, other = await in_different_journals(system, workers)
    reported = await system.person("alice").id()
    await store(workers)
    if has_case:
        await reports.reported(system.person("bob"), reported)
        await store(workers)
        await reports.resolve(system.person("mod", "moderate"), reported, "DISMISS")
        await store(workers)
    read = rows.open_by_network

    async def slowly(transaction: Transaction, places: Iterable[Any]) -> Any:
        found = await read(transaction, places)
        await asyncio.sleep(0.2)
        return found

    monkeypatch.setattr(rows, "open_by_network", slowly)
    await asyncio.gather(reports.reported(one, reported), reports.reported(other, reported))
    await store(workers)

    assert await system.rows("SELECT weight FROM reports WHERE status = 0 ORDER BY 1 DESC") == [(20,), (10,)]
    assert await drift(system, "cases") == {}


@standalone
async def test_reports_and_decisions_of_the_same_targets_cross_a_repair_without_a_deadlock(system: System) -> None:
    workers = await two_workers(system)
    one, other = await in_different_journals(system, workers, "moderate")
    alice = system.person("alice")
    targets = [*await published(alice, "first", "second"), *await system.videos("v1", "v2"), await alice.id()]
    await store(workers)
    for _ in range(ROUNDS // 2):
        await asyncio.gather(*[reports.reported(one, target) for target in targets])
        await asyncio.gather(*[reports.reported(other, target) for target in reversed(targets)])
        await asyncio.gather(reports.resolve(one, targets[0], "DISMISS"), reports.resolve(other, targets[-1], "ACCEPT"))
        await execute(system, "DELETE FROM cases WHERE entity_id % 2 = 0")
        await asyncio.gather(store(workers), drift(system, "cases", repair=True))

    await drift(system, "cases", repair=True)
    assert await drift(system, "cases") == {}
