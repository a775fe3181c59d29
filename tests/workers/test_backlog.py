"""A backlog: a step handles several batches, some of them concurrently."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

import pytest
import pytest_asyncio
from redis.exceptions import ResponseError

import workers.worker
from domain.errors import Unavailable
from models.counters import EntityRef
from projections.events import Event
from settings import Settings
from state import State
from store import keys
from store.postgres.client import PostgresDown
from store.write_log.journal import Entry, Journals
from tests.support.journal_entries import count_seen, ref_of, someone
from tests.support.system import Person, System, running
from tests.support.workers import ready
from workers.ownership import Partition
from workers.persist import PersistedBatch, persist
from workers.publish import publish
from workers.worker import Worker

BATCH = 8
PEOPLE = 12
"""The number of people. Each likes two videos, which makes three full batches."""


@pytest.fixture(params=["standalone"])
def redis_mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(batches={"entries": BATCH})) as one:
        yield one


async def test_a_step_that_finds_a_backlog_handles_all_of_it(system: System) -> None:
    likers, videos = await a_backlog(system)
    worker = await ready(system)

    assert await worker.step() == PEOPLE * len(videos)

    assert await journals_after(system, worker) == []
    assert await system.rows("SELECT value FROM counters WHERE kind = 1") == [(PEOPLE,), (PEOPLE,)]
    for person in (likers[0], system.person(None)):
        assert [await count_seen(person, video) for video in videos] == [PEOPLE, PEOPLE]


async def test_an_idle_step_reads_the_journals_once(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    worker, reads = await ready(system), list[int]()
    read = Journals.read_any

    async def counted(journals: Journals, wanted: Sequence[tuple[int, int, int]]) -> list[list[Entry]]:
        reads.append(len(wanted))
        return await read(journals, wanted)

    monkeypatch.setattr(Journals, "read_any", counted)

    assert await worker.step() == 0

    assert reads == [system.settings.partitions]


async def test_entries_are_published_again_if_redis_has_lost_them_during_a_step(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    likers, videos = await a_backlog(system)
    worker, published = await ready(system), list[int]()

    async def losing(state: State, events: Sequence[Event], moved: Iterable[EntityRef]) -> None:
        published.append(len(events))
        await publish(state, events, moved)
        if len(published) == 1:
            for partition in worker.owned.values():
                partition.publish_again = True

    monkeypatch.setattr(workers.worker, "publish", losing)

    for _ in range(3):
        await worker.step()

    assert published == [PEOPLE * len(videos)] * 2
    assert [await count_seen(likers[0], video) for video in videos] == [PEOPLE, PEOPLE]


async def test_the_next_step_publishes_a_batch_that_was_committed_and_not_published(system: System) -> None:
    likers, videos = await a_backlog(system)
    worker = await ready(system)
    broken = keys.counts(await ref_of(system, videos[0]))
    await system.state.redis("DEL", broken, write=True)
    await system.state.redis("RPUSH", broken, "not a counter", write=True)

    for _ in range(2):
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            await worker.step()

    ((committed,),) = await system.rows("SELECT sum(value) FROM counters WHERE kind = 1")
    assert committed > BATCH  # the second step committed more batches
    assert {partition.done for partition in worker.owned.values()} == {0}
    await system.state.redis("DEL", broken, write=True)
    assert await worker.step() == PEOPLE * len(videos)
    assert await system.rows("SELECT value FROM counters WHERE kind = 1") == [(PEOPLE,), (PEOPLE,)]
    assert [await count_seen(likers[0], video) for video in videos] == [PEOPLE, PEOPLE]


async def test_batches_of_a_backlog_are_published_together(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    likers, videos = await a_backlog(system)
    published = publication_sizes(monkeypatch)
    worker = await ready(system)

    await worker.step()

    assert published == [PEOPLE * len(videos)]
    assert [await count_seen(likers[0], video) for video in videos] == [PEOPLE, PEOPLE]


async def test_many_batches_are_published_before_the_lanes_end(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    likers, videos = await a_backlog(system)
    published = publication_sizes(monkeypatch, together=2)
    worker = await ready(system)

    await worker.step()

    assert published == [2 * BATCH, BATCH]
    assert [await count_seen(likers[0], video) for video in videos] == [PEOPLE, PEOPLE]


async def test_batches_before_a_failing_batch_are_published(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    likers, videos = await a_backlog(system)
    published = publication_sizes(monkeypatch)
    worker = await ready(system)
    down = failing_at(3)

    with pytest.raises(PostgresDown):
        await worker.step()

    ((committed,),) = await system.rows("SELECT sum(value) FROM counters WHERE kind = 1")
    assert (committed, published) == (2 * BATCH, [2 * BATCH])
    down.undo()
    assert await worker.step() == BATCH
    assert published == [2 * BATCH, BATCH]
    assert await journals_after(system, worker) == []
    assert await system.rows("SELECT value FROM counters WHERE kind = 1") == [(PEOPLE,), (PEOPLE,)]
    for person in (likers[0], system.person(None)):
        assert [await count_seen(person, video) for video in videos] == [PEOPLE, PEOPLE]


async def test_batches_of_a_failed_publication_are_published_with_the_next(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    likers, videos = await a_backlog(system)
    published = publication_sizes(monkeypatch, together=2, failing=1)
    worker = await ready(system)

    with pytest.raises(Unavailable):
        await worker.step()
    await worker.step()

    assert published == [2 * BATCH, 2 * BATCH, BATCH]
    assert await journals_after(system, worker) == []
    assert [await count_seen(likers[0], video) for video in videos] == [PEOPLE, PEOPLE]


def publication_sizes(monkeypatch: pytest.MonkeyPatch, together: int = 24, failing: int = 0) -> list[int]:
    """Returns the number of events of each publication, for a worker with a single lane. The first `failing`
    publications fail.
    """
    sizes: list[int] = []

    async def recorded(state: State, events: Sequence[Event], moved: Iterable[EntityRef]) -> None:
        sizes.append(len(events))
        if len(sizes) <= failing:
            raise Unavailable
        await publish(state, events, moved)

    monkeypatch.setattr(workers.worker, "publish", recorded)
    monkeypatch.setattr(workers.worker, "_LANES", 1)
    monkeypatch.setattr(workers.worker, "_PUBLISHED_TOGETHER", together)
    return sizes


def failing_at(number: int) -> pytest.MonkeyPatch:
    """Lets the worker's batch of this number fail as if Postgres were down."""
    calls = itertools.count(1)

    async def failing(state: State, owned: dict[int, Partition], entries: Sequence[Entry]) -> PersistedBatch:
        if next(calls) == number:
            raise PostgresDown
        return await persist(state, owned, entries)

    patch = pytest.MonkeyPatch()
    patch.setattr(workers.worker, "persist", failing)
    return patch


async def a_backlog(system: System) -> tuple[list[Person], list[str]]:
    """Lets all people like both videos, whose counters are cached."""
    videos = await system.videos("v1", "v2")
    assert [await count_seen(system.person(None), video) for video in videos] == [0, 0]
    likers = await spread(system)
    for liker in likers:
        for video in videos:
            await liker.like(video)
    return likers, videos


async def spread(system: System) -> list[Person]:
    """Returns an equal number of people for each partition, so that every batch but the last is full."""
    each = PEOPLE // system.settings.partitions
    found: dict[int, list[Person]] = {}
    for number in itertools.count():
        one = await someone(system, f"liker{number}")
        found.setdefault(one.partition, []).append(one.person)
        if len(found) == system.settings.partitions and all(len(people) >= each for people in found.values()):
            return [person for people in found.values() for person in people[:each]]
    raise AssertionError("counting has no end")


async def journals_after(system: System, worker: Worker) -> list[int]:
    """Returns the versions of entries that the worker has not handled."""
    wanted = [(p, partition.done, 100) for p, partition in worker.owned.items()]
    return [entry.version for entries in await system.state.journals.read(wanted) for entry in entries]
