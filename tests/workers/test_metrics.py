"""Metrics of a worker (W7)."""

import asyncio
from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY

import workers.worker
from settings import Settings
from store.postgres.client import PostgresDown
from store.redis import servers
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.journal_entries import append, like_of, neighbours, ref_of, someone
from tests.support.metrics import metric
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import leases_run_out, ready, until, working
from workers import journal_metrics


@standalone
async def test_batches_commits_and_the_time_to_them_are_measured(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = await someone(system, "alice")
    counted = ("persist_seconds_count", "batch_entries_count", "batch_entries_sum", "commit_seconds_count")
    before = [metric(name) for name in counted]
    await alice.person.like(video)
    await alice.person.unlike(video)

    await system.drain()

    assert [metric(name) - then for name, then in zip(counted, before, strict=True)] == [2, 1, 2, 1]


def stored() -> dict[tuple[str, str], float]:
    """Returns the number of stored changes by kind and log."""
    kinds = [(kind, log) for kind in ("react", "follow", "view", "action") for log in ("journal", "direct")]
    return {(kind, log): metric("entries_stored_total", kind=kind, log=log) for kind, log in kinds}


@standalone
async def test_stored_changes_are_counted_by_kind_and_log(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), await system.person("bob").id()
    before = stored()
    await alice.like(video)
    await alice.unlike(video)
    await follow(alice, bob)
    await system.drain()
    async with directly(system):
        await alice.like(video)

    counted = {key: number - before[key] for key, number in stored().items() if number > before[key]}
    assert counted == {("react", "journal"): 2, ("follow", "journal"): 1, ("react", "direct"): 1}


@standalone
async def test_dead_letters_are_counted_and_are_not_stored_changes(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    before, stored_before = metric("dead_letters_total"), stored()
    await append(system, alice.partition, like_of(alice, await ref_of(system, video), ip="bad"))
    await append(system, alice.partition, {"kind": "applaud", "data": b"{}"})

    await system.drain()

    assert metric("dead_letters_total") - before == 2
    assert stored() == stored_before
    await leases_run_out(system)
    worker = await ready(system)
    await journal_metrics.measure_dead_letters(system.state, worker.ownership)
    assert metric("dead_letters_waiting") == 2
    await system.rows("DELETE FROM dead_letters RETURNING p")
    await journal_metrics.measure_dead_letters(system.state, worker.ownership)
    assert metric("dead_letters_waiting") == 0
    await worker.ownership.release([0])
    await journal_metrics.measure_dead_letters(system.state, worker.ownership)
    assert REGISTRY.get_sample_value("plaudit_dead_letters_waiting") is None


@pytest.mark.prove
@standalone
async def test_the_lag_grows_while_a_worker_cannot_store_and_ends_afterwards(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_settings(partition_lease_seconds=3)) as system:
        (video,) = await system.videos("v1")
        alice = await someone(system, "alice")
        monkeypatch.setattr(workers.worker, "persist", refuse)

        async def lag() -> float:
            return metric("journal_lag_seconds", partition=str(alice.partition))

        async def behind() -> bool:
            return await lag() > 0.3

        async def level() -> bool:
            return await lag() == 0

        async with working(system.worker()):
            await alice.person.like(video)
            await until(behind)
            assert metric("journal_entries", partition=str(alice.partition)) == 1
            assert metric("partitions_owned") == system.settings.partitions
            monkeypatch.undo()
            await until(level)
            assert await system.rows("SELECT state FROM reactions") == [(1,)]


@standalone
async def test_leases_are_renewed_while_a_measurement_hangs(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_metrics, "measure_journals", lambda *_: asyncio.Event().wait())
    leases = "SELECT min(lease_until) FROM partitions WHERE owner IS NOT NULL HAVING count(*) = 4"

    async with working(system.worker()):
        await until(lambda: system.rows(leases))
        first = await system.rows(leases)
        await until(lambda: system.rows(f"{leases} AND min(lease_until) > :first", first=first[0][0]))


@standalone
async def test_a_worker_exports_no_journal_that_another_worker_owns(system: System) -> None:
    worker = await ready(system)
    await journal_metrics.measure_journals(system.state, worker.ownership)
    assert REGISTRY.get_sample_value("plaudit_journal_entries", {"partition": "0"}) == 0

    await worker.ownership.release([0])
    await journal_metrics.measure_journals(system.state, worker.ownership)

    exported = [REGISTRY.get_sample_value("plaudit_journal_entries", {"partition": str(p)}) for p in range(4)]
    assert exported == [None, 0, 0, 0]


async def test_the_memory_use_of_every_master_is_exported(system: System) -> None:
    ratios = await servers.memory(system.state.redis)

    assert len(ratios) == (3 if system.state.redis.cluster else 1)
    assert all(0 < ratio < 1 for ratio in ratios.values())


async def refuse(*_: object) -> None:
    raise PostgresDown
