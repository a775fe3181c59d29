"""Postgres is restored from an older dump while Redis keeps its data: workers store the tails of the journals again."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import Settings
from store import keys
from tests.support.notifications import mark, page, people, post_of
from tests.support.reconciliation import drift
from tests.support.restoring import dump, restore
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running
from tests.support.workers import ready


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose journals keep a tail."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, journal_tail_seconds=60.0)) as system:
        yield system


def number(user_id: str) -> int:
    return int(user_id.removeprefix("User:"))


@standalone
@pytest.mark.parametrize("notified", [False, True], ids=["new", "notified before"])
@pytest.mark.parametrize("first", [True, False], ids=["mark first", "likes first"])
async def test_read_notifications_stay_read_and_others_stay_unread_after_a_restore(
    system: System, first: bool, notified: bool
) -> None:
    reader, *fans = await people(system, "reader", *(f"fan{n}" for n in range(20)))
    reader_id = number(await reader.id())
    partitions = {fan.handle: system.state.keys.partition_of(number(await fan.id())) for fan in fans}
    partition = system.state.keys.partition_of(reader_id)
    fan = next(fan for fan in fans if partitions[fan.handle] != partition)
    earlier, seen, unseen = [await post_of(system, reader, text) for text in ("earlier", "seen", "unseen")]
    if notified:
        await fan.like(earlier)
        await system.drain()
    dumped = await dump(system)
    await fan.like(seen)
    await system.drain()
    await mark(reader, (await page(reader)).cursors[0])
    await fan.like(unseen)
    await system.drain()

    await restore(system, dumped)
    worker = await ready(system)
    for p in sorted(worker.owned, key=lambda p: (p == partition) != first):
        owned = {p: worker.owned[p]}
        await worker.handle(owned, await worker.read(owned))
        assert await drift(system, "notifications") == {}
    await system.state.cache.drop([keys.notifications(reader_id)])

    now = await page(reader)
    assert [(node["subject"]["id"], node["read"]) for node in now.nodes] == [
        (unseen, False),
        (seen, True),
        *[(earlier, True)] * notified,
    ]
    assert now.unread == 1
