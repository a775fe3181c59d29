"""Appends outgoing events to Redis streams of the operator. The entries have the fields `id`, `kind` and `event`
(JSON).
"""

from collections.abc import Sequence
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from redis import asyncio as redis_asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

STREAM = "plaudit:events"
"""The stream that gets events if the URL names no other."""
_KEPT = 1_000_000
"""About how many entries of a stream stay."""
SCHEMES = ("redis", "rediss", "unix")


class StreamDown(Exception):
    """Raised if appending to a stream has failed. The events may have been appended nevertheless."""


class EventStream:
    """A Redis stream at a URL such as `redis://host:6379/0?stream=events`. Connects when it is first used. All other
    options of the URL are passed to the Redis client; raises ValueError if one is unknown or invalid. `timeout` is in
    seconds, for connecting and for each answer.
    """

    def __init__(self, url: str, timeout: float) -> None:
        parts = urlsplit(url)
        options = parse_qs(parts.query)
        self.name = options.pop("stream", [STREAM])[0]
        try:
            self._client = redis_asyncio.Redis.from_url(
                urlunsplit(parts._replace(query=urlencode(options, doseq=True))),
                socket_timeout=timeout,
                socket_connect_timeout=timeout,
                retry=Retry(NoBackoff(), 0),
            )
            self._client.connection_pool.make_connection()  # type: ignore[no-untyped-call]  # opens nothing
        except (TypeError, AttributeError, RedisError) as error:
            raise ValueError(f"The URL of the stream has an option that is unknown or invalid: {error}") from error

    async def append(self, events: Sequence[tuple[str, str, bytes]]) -> None:
        """Appends events, given as (id, kind, JSON), in order, and removes the oldest entries beyond about a million.
        Raises StreamDown.
        """
        pipeline = self._client.pipeline(transaction=True)
        for id_, kind, body in events:
            pipeline.xadd(self.name, {"id": id_, "kind": kind, "event": body}, maxlen=_KEPT, approximate=True)
        try:
            await pipeline.execute()
        except (RedisError, OSError) as error:
            raise StreamDown(repr(error)) from error

    async def close(self) -> None:
        """Closes the connection."""
        await self._client.aclose()
