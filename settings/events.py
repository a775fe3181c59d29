"""Settings of outgoing events, such as how many one request has (docs/build/events.md)."""

from typing import Annotated

from pydantic import Field

from settings.part import Part


class EventSettings(Part):
    """How outgoing events are sent, and how long they are kept. Destinations are added with `plaudit webhooks`."""

    timeout: Annotated[float, Field(gt=0, le=60)] = 10.0
    """Seconds for one request."""
    concurrency: Annotated[int, Field(ge=1, le=100)] = 4
    """The most requests of one worker to one destination at once, one for each partition."""
    batch: Annotated[int, Field(ge=1, le=1000)] = 100
    """The most events in one request."""
    longest_pause: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """The most seconds before a failed request is repeated."""
    pause_after: Annotated[float, Field(ge=60)] = 86_400.0
    """Seconds of failed requests of one partition after which a destination is paused. An operator resumes it."""
    keep_seconds: Annotated[float, Field(ge=60)] = 259_200.0
    """Seconds for which events are kept, sent or not. A destination that is further behind loses events."""
    keep_bytes: Annotated[int, Field(ge=1_000_000)] = 1_000_000_000
    """The most bytes of kept events. If there are more, each partition loses its oldest events, sent or not."""
    private_addresses: bool = False
    """Whether webhooks may have private addresses and `http`. For development."""
