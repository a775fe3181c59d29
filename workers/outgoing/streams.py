"""Sends outgoing events to destinations that are Redis streams."""

from collections.abc import Sequence

from store.outgoing.streams import EventStream, StreamDown
from workers.outgoing.failures import DeliveryFailed
from workers.outgoing.render import Rendered


class StreamSink:
    """Sends events to a destination that is a Redis stream: appends them to the stream."""

    def __init__(self, url: str, timeout: float) -> None:
        self._stream = EventStream(url, timeout)

    async def send(self, partition: int, events: Sequence[Rendered]) -> None:  # noqa: ARG002 - each event names it
        """Appends events to the stream, in order. Raises DeliveryFailed if the stream does not accept them."""
        try:
            await self._stream.append([(event.id, event.kind, event.body) for event in events])
        except StreamDown as error:
            raise DeliveryFailed("unreachable", str(error)) from error

    async def close(self) -> None:
        """Closes the connection."""
        await self._stream.close()
