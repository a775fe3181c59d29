"""Settings of the connections of one process, and of what clients may send on them (docs/operate/deploy.md)."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from settings.numbers import LARGEST, Count, Seconds
from settings.part import Part
from settings.urls import HttpAddress


class ConnectionSettings(Part):
    """The limits of connections, requests, WebSockets and event streams. They apply to each process separately."""

    most: Annotated[int, Field(ge=2, le=LARGEST)] = 20_000
    """The most connections of one process. Never more than half of the files that the process may open."""
    header_bytes: Annotated[int, Field(ge=1024, le=1_000_000)] = 16_384
    """The most bytes of the URL and the headers together."""
    header_timeout: Seconds = 10.0
    """Seconds in which a client must send the URL and the headers."""
    body_bytes: Count = 131_072
    """The most bytes of a body."""
    bulk_body_bytes: Count = 1_000_000
    """The most bytes of a body if the token has the scope `entities:write`, `users:write` or `admin`."""
    body_timeout: Seconds = 10.0
    """Seconds in which a client must send the body."""
    streaming: Count = 10_000
    """The most WebSockets and event streams of one process. Less than `most`."""
    streaming_per_user: Count = 20
    """The most WebSockets and event streams of one user in one process."""
    streaming_per_address: Count = 200
    """The same, of anonymous clients at one network address."""
    subscriptions: Count = 50
    """The most subscriptions on one WebSocket."""
    init_timeout: Seconds = 5.0
    """Seconds in which a WebSocket client must send `connection_init`."""
    keep_alive_interval: Seconds = 15.0
    """Seconds between two keep-alive messages on a connection without other messages."""
    other_site: HttpAddress | None = None
    """The URL of the API at the other of [two sites](../operate/two-sites.md). Null if there is one site."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.streaming >= self.most:
            raise ValueError("streaming must be less than most, which leaves room for requests")
        return self
