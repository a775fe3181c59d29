"""Subscribers to notificationReceived, and what they receive."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.support.notifications import RECEIVE
from tests.support.subscriptions import Live, Socket, eventually


@asynccontextmanager
async def subscribed(live: Live, handle: str) -> AsyncIterator[Socket]:
    """Yields the connection of a user who is subscribed to notifications."""
    before = live.state.events.channels
    async with live.socket(handle) as socket:
        await socket.send(id="1", type="subscribe", payload={"query": RECEIVE})
        await eventually(lambda: live.state.events.channels > before)
        yield socket


async def received(socket: Socket) -> Any:
    """Returns the value of the next event."""
    message = await socket.receive()
    assert (message["id"], message["type"]) == ("1", "next"), message
    assert message["payload"].keys() == {"data", "extensions"}, message
    return message["payload"]["data"]["notificationReceived"]
