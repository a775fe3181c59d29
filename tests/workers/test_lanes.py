"""Several lanes of a step: each commits batches of partitions of its own, and they end together."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

import pytest
import pytest_asyncio

import workers.worker
from models.counters import EntityRef
from projections.events import Event
from settings import Settings
from state import State
from store.write_log.journal import Entry
from tests.support.journal_entries import Someone, append, count_seen, like_of, ref_of, someone
from tests.support.system import System, running
from tests.support.workers import ready, until
from workers.ownership import Partition
from workers.persist import PersistedBatch, persist
from workers.publish import publish
from workers.worker import Worker

BATCH = 4
BACKLOG = 6 * BATCH


@pytest.fixture(params=["standalone"])
def redis_mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(batches={"entries": BATCH})) as one:
        yield one


async def test_entries_of_other_partitions_are_stored_and_published_while_one_has_a_backlog(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    busy, other = await in_two_partitions(system)
    await fill(system, busy, video)
    worker, batches = await ready(system), list[int]()
    monkeypatch.setattr(workers.worker, "_PUBLISHED_TOGETHER", 1)

    async def one_more(state: State, owned: dict[int, Partition], entries: Sequence[Entry]) -> PersistedBatch:
        batch = await persist(state, owned, entries)
        if entries[0].partition == busy.partition:
            batches.append(len(entries))
            if len(batches) == 3:
                await append(system, other.partition, like_of(other, await ref_of(system, video)))
                await until(lambda: is_published(worker, other.partition), 10)
        return batch

    monkeypatch.setattr(workers.worker, "persist", one_more)

    assert await worker.step() == BACKLOG + 1

    assert batches == [BATCH] * 6
    assert await count_seen(system.person(None), video) == 2


async def test_lanes_commit_further_batches_while_earlier_ones_are_published(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    for one in await in_two_partitions(system):
        await fill(system, one, video)
    worker, published, committed = await ready(system), list[int](), list[int]()
    monkeypatch.setattr(workers.worker, "_PUBLISHED_TOGETHER", 2)

    async def counted(state: State, owned: dict[int, Partition], entries: Sequence[Entry]) -> PersistedBatch:
        batch = await persist(state, owned, entries)
        committed.append(len(entries))
        return batch

    async def slow(state: State, events: Sequence[Event], moved: Iterable[EntityRef]) -> None:
        if not published:
            before = len(committed)
            await until(lambda: has_more(committed, before), 10)
        published.append(len(events))
        await publish(state, events, moved)

    monkeypatch.setattr(workers.worker, "persist", counted)
    monkeypatch.setattr(workers.worker, "publish", slow)

    assert await worker.step() == 2 * BACKLOG

    assert sum(published) == 2 * BACKLOG
    assert {partition.done for partition in worker.owned.values()} == {
        partition.head for partition in worker.owned.values()
    }
    assert await count_seen(system.person(None), video) == 2


@pytest.mark.parametrize("why", ["it is stopped", "it owns other partitions"])
async def test_a_worker_ends_a_step_before_the_backlog(
    system: System, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    (video,) = await system.videos("v1")
    busy, other = await in_two_partitions(system)
    await fill(system, busy, video)
    worker, stop, counts = await ready(system), asyncio.Event(), list[int]()

    async def ending(state: State, owned: dict[int, Partition], entries: Sequence[Entry]) -> PersistedBatch:
        counts.append(len(entries))
        if len(counts) == 2 and why == "it is stopped":
            stop.set()
        elif len(counts) == 2:
            worker.ownership.partitions = {p: one for p, one in worker.owned.items() if p != other.partition}
        return await persist(state, owned, entries)

    monkeypatch.setattr(workers.worker, "persist", ending)

    if why == "it is stopped":
        await worker.run(stop)
    else:
        await worker.step()

    assert counts == [BATCH, BATCH]
    assert await system.rows("SELECT count(*) FROM like_log") == [(2 * BATCH,)]


async def test_a_failing_lane_ends_the_others(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    (video,) = await system.videos("v1")
    busy, _ = await in_two_partitions(system)
    await fill(system, busy, video)
    worker = await ready(system)

    async def failing(*_: object) -> PersistedBatch:
        raise ZeroDivisionError

    monkeypatch.setattr(workers.worker, "persist", failing)

    async with asyncio.timeout(5):  # a step lasts ten seconds while a lane has a backlog
        with pytest.raises(ZeroDivisionError):
            await worker.step()


async def in_two_partitions(system: System) -> tuple[Someone, Someone]:
    """Returns two people whose changes go to different partitions."""
    first = await someone(system, "person0")
    for number in range(1, 100):
        other = await someone(system, f"person{number}")
        if other.partition != first.partition:
            return first, other
    raise AssertionError("all people are in one partition")


async def fill(system: System, one: Someone, video: str) -> None:
    """Appends a backlog to the journal of a person, who likes and unlikes a video and likes it in the end."""
    ref = await ref_of(system, video)
    for number in range(BACKLOG):
        state = number % 2
        await append(system, one.partition, like_of(one, ref, state=state, was=1 - state if number else 0))


async def is_published(worker: Worker, partition: int) -> bool:
    """Returns whether the worker has published an entry of this partition."""
    return worker.owned[partition].done > 0


async def has_more(committed: Sequence[int], before: int) -> bool:
    """Returns whether there are more batches than before."""
    return len(committed) > before
