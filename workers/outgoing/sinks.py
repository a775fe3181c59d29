"""Where outgoing events are sent: to a webhook or to a Redis stream, as the URL of the destination says."""

from collections.abc import Sequence
from typing import Protocol

from models.outgoing import Destination
from settings import EventSettings
from store.outgoing.urls import is_webhook
from workers.outgoing import streams, webhooks
from workers.outgoing.render import Rendered


class Sink(Protocol):
    """Sends events to one destination, a webhook or a Redis stream."""

    async def send(self, partition: int, events: Sequence[Rendered]) -> None:
        """Sends events of a partition, in order. Returns when the destination has accepted the events. Raises
        DeliveryFailed if it may not have received them.
        """

    async def close(self) -> None:
        """Closes the connections."""


def open_sink(destination: Destination, settings: EventSettings) -> Sink:
    """Returns the sink that sends events to a destination. The sink connects when it sends the first event."""
    if is_webhook(destination.url):
        return webhooks.WebhookSink(destination, settings)
    return streams.StreamSink(destination.url, settings.timeout)
