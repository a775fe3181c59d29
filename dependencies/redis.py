"""Private and undocumented parts of redis-py: the stream and the parser of a connection, addresses, and slots.

**What.** `Connection` shows the private writer, transport and parser of any connection of redis-py. `parse_url` splits
an address. `key_slot` and `REDIS_CLUSTER_HASH_SLOTS` are the slots of a cluster. Attributes with public names that
redis-py does not document, such as `ConnectionPool.make_connection` and `ClusterNode.connection_kwargs`, are used at
the objects themselves; the test lists them. redis-py's metrics are not loaded: they import OpenTelemetry, which takes 5
MB.

**Why.** redis-py's own pipeline takes half a millisecond for three commands, which was a third of the time of a page.
Plaudit writes a pipeline to the transport and reads all replies with one future, which costs a third of that
(docs/adr/0012-plaudit-sends-redis-pipelines-itself.md).

**Test.** tests/dependencies/test_redis.py connects to a real server over TCP and over a Unix socket, compares what
commands put on the wire with the protocol, and checks the errors that replies become.
tests/store/redis/test_connection.py checks what happens when connections break.

**Upgrade.** Compare `redis/asyncio/connection.py` of both versions. If the stream or the parser has another name,
change it here; nothing else uses it. To do without: let `OneServer.send` (store/redis/connection.py) use redis-py's
pipeline.
"""

import asyncio
import sys

if "opentelemetry" not in sys.modules:
    # If redis-py finds OpenTelemetry, it loads its metrics module. It takes 5 MB, and Plaudit does not use it.
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    import redis.asyncio

    del sys.modules["opentelemetry"], redis

from redis.asyncio.connection import AbstractConnection, parse_url
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

__all__ = ["REDIS_CLUSTER_HASH_SLOTS", "Connection", "key_slot", "parse_url"]


class Connection(AbstractConnection):
    """Gives access to the stream and the parser of a connection. A mixin for redis-py's connection classes."""

    writer = AbstractConnection._writer  # type: ignore[misc]
    """The stream; None while the connection is closed. It is redis-py's own descriptor, so reading it costs no call."""
    parser = AbstractConnection._parser  # type: ignore[misc]
    """The parser. Its method `parse_error` returns the exception for the text of an error reply."""
    last_transport: asyncio.WriteTransport | None = None
    """The transport of the most recent connection to the server. redis-py drops its own reference while it disconnects.
    """

    async def _connect(self) -> None:
        await super()._connect()  # type: ignore[no-untyped-call, safe-super]
        self.last_transport = self._writer.transport if self._writer else None
