"""Makes redis-py's clients from the address of a Redis deployment: for one server, behind Sentinel, or a cluster.

An address is `redis://user:password@host:port/db`, or `rediss://` over TLS; for one server also `unix://path`.
Parameters after `?` are passed to redis-py's connections (`ssl_ca_certs=…`). For Sentinel or a cluster, the address may
name several hosts, separated by commas; any of them can name the others. Clients connect when they are first used.
"""

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakSet

from redis import asyncio as redis_asyncio
from redis import exceptions
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from dependencies.redis import parse_url
from store.backoff import rest

Options = dict[str, Any]
_SENTINEL_PORT = 26379
_EVERY = 1.0
"""The interval, in seconds, at which the sentinels are asked for the primary."""


class BadAddress(ValueError):
    """Raised if the address of a Redis has an option that does not exist, or that has an invalid value."""


def standalone(url: str, options: Options) -> Any:
    """Returns a client for one server."""
    return redis_asyncio.Redis.from_pool(redis_asyncio.ConnectionPool.from_url(url, **options))


def cluster(url: str, options: Options) -> Any:
    """Returns a client for a cluster. The hosts in `url` are some of its nodes."""
    hosts, given = _hosts(url, 6379)
    return redis_asyncio.RedisCluster(startup_nodes=[ClusterNode(*host) for host in hosts], **(options | given))


def node(client: redis_asyncio.RedisCluster, host: str, port: int) -> redis_asyncio.ConnectionPool:
    """Returns the connection pool for one node of a cluster, with the options of the cluster's client."""
    given: Options = client.get_connection_kwargs()
    known = ClusterNode(host, port, **given)
    options = known.connection_kwargs | {"retry": Retry(NoBackoff(), 0)}
    return redis_asyncio.ConnectionPool(connection_class=known.connection_class, **options)


def behind_sentinel(url: str, service: str, options: Options) -> Any:
    """Returns a client whose connections go to the current primary of `service`. The hosts in `url` are sentinels.

    The user, password and database in `url` are those of the servers. If the sentinels have a password of their own, it
    is given after `?` as `sentinel_password`, and a user other than the default one as `sentinel_username`.
    """
    hosts, given = _hosts(url, _SENTINEL_PORT)
    credentials = {name: given.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    options = options | given
    connections = options.pop("max_connections")
    make: Any = Sentinel  # redis-py leaves its constructor untyped
    sentinels = make(hosts, sentinel_kwargs={**options, **credentials, "db": 0}, **options)
    return sentinels.master_for(service, connection_pool_class=_Primary, max_connections=connections)


def _hosts(url: str, port: int) -> tuple[list[tuple[str, int]], Options]:
    """Returns the hosts that an address names, as (host, port), and the other parts of the address as options of
    redis-py's clients. `port` is the default port.
    """
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    each = [parse_url(urlunsplit(parts._replace(netloc=f"{credentials}{at}{host}"))) for host in hosts.split(",")]
    given: Options = {name: value for name, value in each[0].items() if name not in ("host", "port")}
    if given.pop("connection_class", None) is redis_asyncio.SSLConnection:
        given["ssl"] = True
    return [(one.get("host", "localhost"), one.get("port", port)) for one in each], given


class _Primary(SentinelConnectionPool):
    """The connections to the primary of a service. The sentinels are asked every second which server is the primary.

    When the primary changes, connections to the former primary are aborted. A former primary may take ten seconds to
    notice that it was replaced, and it then loses the writes that it acknowledged meanwhile.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        make: Any = super().__init__
        make(*args, **options)
        self._made: WeakSet[Any] = WeakSet()  # instances of PipelinedConnection
        self._asking: asyncio.Future[Any] | None = None
        self._watch: asyncio.Task[None] | None = None

    def make_connection(self) -> Any:
        connection = super().make_connection()  # type: ignore[no-untyped-call]
        self._made.add(connection)
        return connection

    async def get_master_address(self) -> Any:
        """Returns the (host, port) of the primary. Callers that wait at the same time share one request to the
        sentinels.

        If requests overlapped, redis-py's Sentinel would put the sentinel that answered first into its list several
        times, and drop other sentinels.
        """
        if self._watch is None:
            self._watch = asyncio.create_task(self._keep_asking())
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._ask())
        return await asyncio.shield(self._asking)

    async def aclose(self) -> None:
        if self._watch:
            self._watch.cancel()
        try:
            await super().aclose()
        finally:
            await self.sentinel_manager.aclose()

    async def _keep_asking(self) -> None:
        while True:
            await rest(_EVERY)
            with suppress(exceptions.RedisError, OSError):
                await self.get_master_address()

    async def _ask(self) -> Any:
        primary = await super().get_master_address()  # type: ignore[no-untyped-call]
        for connection in self._made:
            if (connection.host, connection.port) != primary:
                connection.abort()
        return primary
