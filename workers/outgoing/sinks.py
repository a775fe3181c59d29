"""Where events are sent: a Redis stream or a webhook, by the URL of the destination."""

from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit

from models.outgoing import Destination
from settings import EventSettings
from workers.outgoing import streams, webhooks
from workers.outgoing.render import Rendered


class Sink(Protocol):
    """Sends events to one destination."""

    async def send(self, partition: int, events: Sequence[Rendered]) -> None:
        """Sends events of a partition, in order. Returns when the destination has them. Raises DeliveryFailed."""

    async def close(self) -> None:
        """Closes the connections."""


def is_webhook(url: str) -> bool:
    """Returns whether a URL is one of a webhook, not of a Redis stream."""
    return urlsplit(url).scheme not in streams.SCHEMES


def check_url(url: str, settings: EventSettings) -> None:
    """Raises ValueError for a URL that no destination can have."""
    if is_webhook(url):
        webhooks.check_url(url, settings)
    else:
        streams.check_url(url)


def open_sink(destination: Destination, settings: EventSettings) -> Sink:
    """Returns a sink for a destination. It connects at the first event."""
    if is_webhook(destination.url):
        return webhooks.WebhookSink(destination, settings)
    return streams.StreamSink(destination.url, settings.timeout)
