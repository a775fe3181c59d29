"""Streaming connections free their memory without the garbage collector, which rarely looks at old objects.

After a subscription and its connection, no reference cycle of the project's objects is left.
"""

from collections import Counter

import pytest

from tests.support.garbage import garbage
from tests.support.notifications import RECEIVE
from tests.support.subscriptions import HOME_POST_ADDED, WATCH, Live, eventually

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

SUBSCRIPTIONS = {"counters": WATCH, "home": HOME_POST_ADDED, "notifications": RECEIVE}
UVICORNS = Counter(["api.transports.overload.SheddingConnection"])
"""A connection before it is a WebSocket, and the parser of its HTTP request, refer to each other in uvicorn."""

EARLIER = Counter(["store.postgres.distributed.Detection"])
"""A part of an earlier test's Postgres client. Its engine is in a cycle of SQLAlchemy's and may be freed late."""


@pytest.mark.parametrize("name", SUBSCRIPTIONS)
async def test_a_closed_websocket_leaves_no_object_to_the_garbage_collector(live: Live, name: str) -> None:
    ids = await live.videos("v1", "v2")
    await live.person("alice").id()
    await watch(live, ids, name)

    rounds = list[Counter[str]]()
    while len(rounds) < 3 and {} not in rounds:  # a connection may close while its subscription still loads something
        with garbage() as left:
            await watch(live, ids, name)
        rounds.append(left - UVICORNS - EARLIER)

    assert {} in rounds


async def watch(live: Live, ids: list[str], name: str) -> None:
    """Opens a connection with a subscription, receives the first events of counters, and closes the connection."""
    async with live.socket("alice") as socket:
        variables = {"ids": ids} if name == "counters" else {}
        await socket.send(id="1", type="subscribe", payload={"query": SUBSCRIPTIONS[name], "variables": variables})
        if name == "counters":
            for _ in ids:
                await socket.value()
        await eventually(lambda: live.state.events.channels > 0 and not live.state.events.unconfirmed)
    await eventually(lambda: not live.connection_count and not live.state.events.channels)


async def test_an_ended_event_stream_leaves_no_object_to_the_garbage_collector(live: Live) -> None:
    ids = await live.videos("v1", "v2")
    await live.person("alice").id()
    await stream(live, ids)

    with garbage() as left:
        await stream(live, ids)

    assert left - UVICORNS - EARLIER == {}


async def stream(live: Live, ids: list[str]) -> None:
    """Opens an event stream, receives its first events, and closes it."""
    async with live.stream(ids, "alice") as events:
        for _ in ids:
            await events.value()
    await eventually(lambda: not live.connection_count and not live.state.events.channels)
