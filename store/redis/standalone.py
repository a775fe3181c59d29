"""One Redis server, as one process asks it: over as many connections as are used at once, and not while it is away.

All of Redis where it is one server or what sentinels watch; one of several on a cluster (store/redis/cluster.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis import asyncio as redis_asyncio

from store.breaker import Breaker
from store.redis.connection import ConnectionPool, RedisCommand, Stranger
from store.redis.down import FAILURES, RedisDown


class OneServer:
    """Connections are made as `pool` says, at most so many."""

    def __init__(
        self,
        pool: redis_asyncio.ConnectionPool,
        name: str,
        connections: int,
        *,
        address: str = "",
        tell: Callable[[bool], object] | None = None,
    ) -> None:
        """`name` and `tell` are for its breaker."""
        self.address = address
        """host:port, where there are others."""
        self.exchange = ConnectionPool(pool)
        self.breaker = Breaker(name, self.exchange.probe, RedisDown, tell)
        self._turns = asyncio.Semaphore(connections)  # an Exchange makes a connection wherever none is idle

    @property
    def is_up(self) -> bool:
        """Whether it answers, as far as is known."""
        return self.breaker.is_sure

    @property
    def is_away(self) -> bool:
        """Whether it does not answer, or may lack what was there: as far as is known."""
        return self.exchange.is_strange or not self.is_up

    def trust(self, runs: frozenset[str]) -> None:
        """From now on no other runs of servers are asked; any are, where these are none."""
        self.exchange.trusted = runs

    def shares(self, commands: Sequence[RedisCommand]) -> Sequence[Sequence[int]]:
        """Which of them are answered together."""
        return [range(len(commands))]

    async def ask(self, commands: Sequence[RedisCommand], *, anyone: bool = False) -> list[Any]:
        """The answer of each, or the error that stands for it: RedisDown if the server is known to be away.

        `anyone` answers, whether this run of the server is trusted or not.
        """
        async with self._turns:
            try:
                if not self.breaker.is_sure:
                    await self.breaker.check()
                return await self.exchange(commands, anyone=anyone)
            except FAILURES as error:
                if not isinstance(error, Stranger | RedisDown):
                    self.breaker.doubt()
                return [error] * len(commands)

    async def everywhere(self, commands: Sequence[RedisCommand]) -> list[list[Any]]:
        """The answers of each server: of this one."""
        return [await self.ask(commands)]

    async def locate(self) -> None:
        """Everything is here."""

    def holding(self, _: str) -> "OneServer":
        """Where a key or channel is: here."""
        return self

    def on_move(self, _: Callable[[], object]) -> None:
        """Nothing moves."""

    async def close(self) -> None:
        """Whoever comes is refused from now on."""
        await self.breaker.close()
        await self.exchange.close()
