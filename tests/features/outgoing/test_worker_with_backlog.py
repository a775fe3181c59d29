"""A worker with a backlog of changes sends few events, and more when events have waited for long."""

import asyncio
from contextlib import suppress

import pytest

from tests.support.outgoing import EVERY, to_stream
from tests.support.stores import standalone
from tests.support.system import System
from workers.outgoing import delivery
from workers.outgoing.delivery import Delivery


@standalone
@pytest.mark.parametrize(("late", "sent"), [(3600.0, 0), (-1.0, 1)], ids=["new events", "events that have waited"])
async def test_events_wait_for_a_backlog_but_not_for_long(
    system: System, monkeypatch: pytest.MonkeyPatch, late: float, sent: int
) -> None:
    await to_stream(system, "reaction.changed")
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    monkeypatch.setattr(delivery, "_REST", 1_000_000)
    monkeypatch.setattr(delivery, "_LATE", late)
    sending = Delivery(system.state, lambda: EVERY, lambda: True)

    await sending.step()
    with suppress(TimeoutError):
        async with asyncio.timeout(10 if sent else 1):
            await sending.finish()
    await sending.close()

    assert await system.state.redis.client.xlen("stream") == sent
