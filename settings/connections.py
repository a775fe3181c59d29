"""Settings of the connections of one process, and of what clients may send on them (docs/operate/deploy.md)."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from settings.numbers import LARGEST, Count, Seconds
from settings.part import Part
from settings.urls import HttpAddress


class ConnectionSettings(Part):
    """The limits of connections, requests, WebSockets and event streams. They apply to each process separately."""

    most: Annotated[int, Field(ge=2, le=LARGEST)] = 20_000
    """Connections. At most half of the files that the process may open."""
    header_bytes: Annotated[int, Field(ge=1024, le=1_000_000)] = 16_384
    """Bytes of URL and headers together."""
    header_timeout: Seconds = 10.0
    """Seconds in which a client must send URL and headers."""
    body_bytes: Count = 131_072
    """Bytes of a body."""
    bulk_body_bytes: Count = 1_000_000
    """The same with the scope `entities:write`, `users:write` or `admin`."""
    body_timeout: Seconds = 10.0
    """Seconds in which a client must send the body."""
    streaming: Count = 10_000
    """WebSockets and event streams. Less than `most`."""
    streaming_per_user: Count = 20
    """The same of one user."""
    streaming_per_address: Count = 200
    """The same of anonymous clients at one address."""
    subscriptions: Count = 50
    """Subscriptions on one WebSocket."""
    init_timeout: Seconds = 5.0
    """Seconds in which a WebSocket client must send `connection_init`."""
    keep_alive_interval: Seconds = 15.0
    """Seconds between keep-alive messages on a silent connection."""
    other_site: HttpAddress | None = None
    """The URL of the API at the other of [two sites](../operate/two-sites.md)."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.streaming >= self.most:
            raise ValueError("streaming must be less than most, which leaves room for requests")
        return self
