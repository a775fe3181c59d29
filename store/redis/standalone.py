"""A client of one Redis server: its connections, at most a fixed number, and its circuit breaker.

A deployment has one `OneServer` if there is one server, or one primary behind Sentinel. A cluster has one `OneServer`
per master (store/redis/cluster.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis import asyncio as redis_asyncio

from store.breaker import Breaker
from store.redis.connection import ConnectionPool, RedisCommand, UnverifiedServer
from store.redis.down import FAILURES, RedisDown


class OneServer:
    """A client of one server. `pool`, which is redis-py's, makes its connections; at most `connections` are open at
    once.
    """

    def __init__(
        self,
        pool: redis_asyncio.ConnectionPool,
        name: str,
        connections: int,
        address: str,
        *,
        tell: Callable[[bool], object] | None = None,
    ) -> None:
        """`name` and `tell` are passed to the circuit breaker."""
        self.address = address
        """host:port, the path of a Unix socket, or `primary` for the server that the sentinels name."""
        self.pool = ConnectionPool(pool)
        self.breaker = Breaker(name, self.pool.probe, RedisDown, tell)
        self._slots = asyncio.Semaphore(connections)  # the pool itself makes a connection whenever none is idle

    @property
    def is_up(self) -> bool:
        """Whether the server answered last time."""
        return self.breaker.is_up

    @property
    def is_any_up(self) -> bool:
        """Whether the server, which is the only one, answered last time."""
        return self.is_up

    @property
    def is_failing_over(self) -> bool:
        """Returns False: no other server goes on while a replica takes over."""
        return False

    @property
    def is_unavailable(self) -> bool:
        """Whether the server did not answer last time, or is not verified, so that it may have lost data."""
        return self.pool.is_unverified or not self.is_up

    def require_verified(self, run_ids: frozenset[str]) -> None:
        """Allows only servers with these run ids from now on; all servers if there are none."""
        self.pool.verified = run_ids

    def group(self, commands: Sequence[RedisCommand]) -> Sequence[Sequence[int]]:
        """Returns the positions of the commands, grouped by server. One server has a single group."""
        return [range(len(commands))]

    async def send(self, commands: Sequence[RedisCommand], *, allow_unverified: bool = False) -> list[Any]:
        """Sends commands. Returns for each its answer or its error: RedisDown if the server is known to be down.

        With `allow_unverified`, a server that is not verified may answer too.
        """
        async with self._slots:
            try:
                if not self.breaker.is_up:
                    await self.breaker.check()
                return await self.pool.exchange(commands, allow_unverified=allow_unverified)
            except FAILURES as error:
                if not isinstance(error, UnverifiedServer | RedisDown):
                    self.breaker.suspect()
                return [error] * len(commands)

    async def send_to_all(self, commands: Sequence[RedisCommand]) -> dict[str, list[Any]]:
        """Sends commands to this server, which is the only one. Returns the answers by the server's address."""
        return {self.address: await self.send(commands)}

    async def locate_slots(self) -> None:
        """Does nothing: one server has all slots."""

    def server_of(self, _: str) -> "OneServer":
        """Returns this server, which has all keys and channels."""
        return self

    async def close(self) -> None:
        """Closes the connections to the server. Later commands fail."""
        await self.breaker.close()
        await self.pool.close()
