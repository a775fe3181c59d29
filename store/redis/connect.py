"""redis-py's clients: from an address as operators write it to the servers it means, in each mode.

An address is `redis://user:password@host:port/db`, or `rediss://` over TLS; of one server it may be `unix://path`.
What stands behind `?` goes to redis-py's connections (`ssl_ca_certs=…`). For Sentinel or a cluster it may name several
hosts, separated by commas: whichever of them answers tells about the others. Nothing is connected before it is used.
"""

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakSet

from redis import asyncio as redis_asyncio
from redis import exceptions
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from store.backoff import rest

Options = dict[str, Any]
_SENTINEL_PORT = 26379
_EVERY = 1.0
"""Seconds between questions to the sentinels."""


def standalone(url: str, options: Options) -> Any:
    """One server."""
    return redis_asyncio.Redis.from_pool(redis_asyncio.ConnectionPool.from_url(url, **options))


def cluster(url: str, options: Options) -> Any:
    """Nodes among which the slots are shared; the hosts are some of them."""
    hosts, said = _hosts(url, 6379)
    return redis_asyncio.RedisCluster(startup_nodes=[ClusterNode(*host) for host in hosts], **(options | said))


def node(client: redis_asyncio.RedisCluster, host: str, port: int) -> redis_asyncio.ConnectionPool:
    """How one node of a cluster is connected to."""
    said: Options = client.get_connection_kwargs()
    known = ClusterNode(host, port, **said)
    options = known.connection_kwargs | {"retry": Retry(NoBackoff(), 0)}
    return redis_asyncio.ConnectionPool(connection_class=known.connection_class, **options)


def behind_sentinel(url: str, service: str, options: Options) -> Any:
    """Whichever server is the primary of `service` when a connection is made; the hosts are sentinels.

    User, password and database are the servers'. Sentinels that want a password find theirs behind `?`, as
    `sentinel_password` and, if it is not the default user's, `sentinel_username`.
    """
    hosts, said = _hosts(url, _SENTINEL_PORT)
    theirs = {name: said.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    options = options | said
    connections = options.pop("max_connections")
    make: Any = Sentinel  # redis-py leaves its constructor untyped
    sentinels = make(hosts, sentinel_kwargs={**options, **theirs, "db": 0}, **options)
    return sentinels.master_for(service, connection_pool_class=_Primary, max_connections=connections)


def _hosts(url: str, port: int) -> tuple[list[tuple[str, int]], Options]:
    """The (host, port) that an address names, and what else it says, as redis-py's clients take it."""
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    each = [parse_url(urlunsplit(parts._replace(netloc=f"{credentials}{at}{host}"))) for host in hosts.split(",")]
    said: Options = dict(each[0])
    if said.pop("connection_class", None) is SSLConnection:
        said["ssl"] = True
    said = {name: value for name, value in said.items() if name not in ("host", "port")}
    return [(one.get("host", "localhost"), one.get("port", port)) for one in each], said


class _Primary(SentinelConnectionPool):
    """Connections to the primary of a service, of which sentinels are asked every second.

    Those to a former one are broken: it may not know for ten seconds that it is none, and forgets then what it has
    acknowledged.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        make: Any = super().__init__
        make(*args, **options)
        self._made: WeakSet[Any] = WeakSet()  # Exchanging, to hosts and ports
        self._asked: asyncio.Future[Any] | None = None
        self._watch: asyncio.Task[None] | None = None

    def make_connection(self) -> Any:
        connection = super().make_connection()  # type: ignore[no-untyped-call]
        self._made.add(connection)
        return connection

    async def get_master_address(self) -> Any:
        """Asks once for all who connect meanwhile.

        When several ask, redis-py's Sentinel puts the one that answered first in its list several times, and forgets
        others for it.
        """
        if self._watch is None:
            self._watch = asyncio.create_task(self._keep_asking())
        if self._asked is None or self._asked.done():
            self._asked = asyncio.ensure_future(self._ask())
        return await asyncio.shield(self._asked)

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
