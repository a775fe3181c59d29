"""Where outgoing events are sent: to a webhook or to a Redis stream, as the URL of the destination says."""

from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit

from models.outgoing import Destination
from settings import EventSettings
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


def is_webhook(url: str) -> bool:
    """Returns whether a URL is that of a webhook; otherwise it is that of a Redis stream."""
    return urlsplit(url).scheme not in streams.SCHEMES


def check_url(url: str, settings: EventSettings) -> None:
    """Raises ValueError if events cannot be sent to a URL, because it is malformed or the settings do not allow it."""
    if is_webhook(url):
        webhooks.check_url(url, settings)
    else:
        streams.check_url(url)


def open_sink(destination: Destination, settings: EventSettings) -> Sink:
    """Returns the sink that sends events to a destination. The sink connects when it sends the first event."""
    if is_webhook(destination.url):
        return webhooks.WebhookSink(destination, settings)
    return streams.StreamSink(destination.url, settings.timeout)
