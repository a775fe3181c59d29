"""Appends events to a Redis stream."""

from collections.abc import Sequence

from store.outgoing.streams import SCHEMES, EventStream, StreamDown
from workers.outgoing.failures import DeliveryFailed
from workers.outgoing.render import Rendered

__all__ = ["SCHEMES", "StreamSink", "check_url"]


class StreamSink:
    """Appends events to one Redis stream."""

    def __init__(self, url: str, timeout: float) -> None:
        self._stream = EventStream(url, timeout)

    async def send(self, partition: int, events: Sequence[Rendered]) -> None:  # noqa: ARG002 - each event names it
        """Appends events in order. Raises DeliveryFailed."""
        try:
            await self._stream.append([(event.id, event.kind, event.body) for event in events])
        except StreamDown as error:
            raise DeliveryFailed("unreachable", str(error)) from error

    async def close(self) -> None:
        """Closes the connection."""
        await self._stream.close()


def check_url(url: str) -> None:
    """Raises ValueError for a URL that no stream can have."""
    EventStream(url, 1)
