"""The masters of a cluster, as one process asks them: each has its slots, and is up or away by itself.

Commands enter, each with its key where Redis has it; what one server answers leaves together. Who has which slot is
asked of whichever server tells, once for everybody: at first, and when a server gives no answer or says that another
has a slot; then again and again while any is away. A server that has no slots any more is forgotten, up or away.
"""

import asyncio
import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from redis import exceptions
from redis.asyncio.cluster import RedisCluster
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from observability import metrics
from store.backoff import pause, rest
from store.redis import connect
from store.redis.connection import RedisCommand
from store.redis.down import RedisDown, caught
from store.redis.standalone import OneServer

log = structlog.get_logger(__name__)

_HOPS = 5
"""How often a command is sent again that was refused by a server that does not have all of its keys."""
_LONGEST = 1.0
"""Seconds between looks for who has which slot while a server is away, at most."""
_ELSEWHERE = (exceptions.AskError, exceptions.TryAgainError)
"""MOVED among them. Whoever says so has done nothing."""
_AMISS = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.ClusterDownError, exceptions.AskError)
"""After which it may be others who have the slots."""


def slot_of(command: RedisCommand) -> int:
    """The slot of a command's key, or of a script's first."""
    return _slot(command[3 if command[0] in ("EVALSHA", "EVAL") else 1])


def _slot(key: str | bytes) -> int:
    return key_slot(key.encode() if isinstance(key, str) else key)


class Cluster:
    """`client` knows some of the nodes, and how they are connected to; metrics and logs call all of them `name`."""

    def __init__(self, client: RedisCluster, name: str, connections: int) -> None:
        """So many `connections` to each server, at most."""
        self._client = client
        self._name = name
        self._connections = connections
        self._trusted: frozenset[str] = frozenset()
        self._servers: dict[str, OneServer] = {}
        """By address; until somebody has told who has the slots, those that the settings name."""
        self._slots: list[OneServer] = []
        """Who has each; empty until somebody has told."""
        self._moved: list[Callable[[], object]] = []
        """What to call when others have them."""
        self._locating: asyncio.Task[bool] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._closed = False
        self._name_servers()

    @property
    def is_up(self) -> bool:
        """Whether all of them answer, as far as is known."""
        return all(server.is_up for server in self._servers.values())

    @property
    def is_partly_up(self) -> bool:
        """Whether some of them answer, and others do not."""
        return len({server.is_up for server in self._servers.values()}) > 1

    @property
    def is_away(self) -> bool:
        """Whether one of them is."""
        return any(server.is_away for server in self._servers.values())

    def trust(self, runs: frozenset[str]) -> None:
        """From now on no other runs of servers are asked; any are, where these are none."""
        self._trusted = runs
        for server in self._servers.values():
            server.trust(runs)

    def shares(self, commands: Sequence[RedisCommand]) -> Sequence[Sequence[int]]:
        """Which of them are answered together: by one server, if it is known."""
        return list(self._by_server(commands).values()) if self._slots else [range(len(commands))]

    async def ask(self, commands: Sequence[RedisCommand]) -> list[Any]:
        """The answer of each, or the error that stands for it. Raises RedisDown if nobody tells who has the slots."""
        if not self._slots:
            await self.locate()
        answers = await self._shared_out(commands)
        for hop in range(_HOPS):
            again = [i for i, answer in enumerate(answers) if isinstance(answer, _ELSEWHERE)]
            if not again:
                break
            if hop:
                await asyncio.sleep(pause(hop, _LONGEST))
            for i, answer in zip(again, await self._shared_out([commands[i] for i in again]), strict=True):
                answers[i] = answer
        return answers

    async def everywhere(self, commands: Sequence[RedisCommand]) -> list[list[Any]]:
        """The answers of each server, as `ask` gives them. Raises what it raises."""
        if not self._slots:
            await self.locate()
        return await asyncio.gather(*[server.ask(commands) for server in self._servers.values()])

    async def locate(self) -> None:
        """Finds out who has which slot, or waits for whoever is finding out. Raises RedisDown if nobody tells."""
        if self._locating is None or self._locating.done():
            self._locating = asyncio.create_task(self._located())
        if not await asyncio.shield(self._locating):
            raise RedisDown

    def holding(self, key: str) -> OneServer | None:
        """Where a key or channel is; None before that is located."""
        return self._slots[_slot(key)] if self._slots else None

    def on_move(self, moved: Callable[[], object]) -> None:
        """Calls `moved` when slots turn out to be elsewhere."""
        self._moved.append(moved)

    async def close(self) -> None:
        """Whoever comes is refused from now on."""
        self._closed = True
        tasks = [task for task in (self._locating, self._watching) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *[server.close() for server in self._servers.values()], return_exceptions=True)

    async def _shared_out(self, commands: Sequence[RedisCommand]) -> list[Any]:
        answers: list[Any] = [None] * len(commands)

        async def ask(server: OneServer, share: Sequence[int]) -> None:
            for i, answer in zip(share, await self._asked(server, [commands[i] for i in share]), strict=True):
                answers[i] = answer

        await asyncio.gather(*itertools.starmap(ask, self._by_server(commands).items()))
        return answers

    def _by_server(self, commands: Sequence[RedisCommand]) -> dict[OneServer, list[int]]:
        shares: dict[OneServer, list[int]] = {}
        for i, command in enumerate(commands):
            shares.setdefault(self._slots[slot_of(command)], []).append(i)
        return shares

    async def _asked(self, server: OneServer, commands: Sequence[RedisCommand]) -> list[Any]:
        answers = await server.ask(commands)
        for i, answer in enumerate(answers):
            if isinstance(answer, exceptions.AskError):
                other = self._at(answer.host or _host(server), answer.port)
                if isinstance(answer, exceptions.MovedError):
                    self._slots[answer.slot_id] = other
                else:
                    _, answers[i] = await other.ask([("ASKING",), commands[i]])
            if isinstance(answer, _AMISS):
                self._watch()
        return answers

    def _watch(self) -> None:
        if not self._closed and (self._watching is None or self._watching.done()):
            self._watching = asyncio.create_task(self._keep_locating())

    async def _keep_locating(self) -> None:
        looks = 0
        while not looks or not self.is_up:
            await caught(self.locate)
            looks += 1
            await rest(pause(looks, _LONGEST))

    async def _located(self) -> bool:
        """Whether anybody has told who has the slots. Those that answer are asked first, in any order."""
        servers = random.sample(list(self._servers.values()), len(self._servers))
        for server in sorted(servers, key=lambda one: not one.is_up):
            (said,) = await server.ask([("CLUSTER", "SLOTS")], anyone=True)
            slots = self._read(server, said) if isinstance(said, list) else []
            if slots and None not in slots:
                before, self._slots = self._slots, slots
                await self._forget()
                for moved in self._moved if slots != before else ():
                    moved()
                return True
            log.warning("a server does not tell who has the slots", server=server.address, said=repr(said)[:200])
        self._name_servers()
        return False

    def _read(self, server: OneServer, said: list[Any]) -> list[Any]:
        """Who has each slot as a server has said, None where it does not know."""
        slots: list[Any] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in said:
            slots[first : last + 1] = [self._at(host.decode() if host else _host(server), port)] * (last + 1 - first)
        return slots

    def _name_servers(self) -> None:
        """Those that the settings name are among those that may be asked."""
        for node in self._client.startup_nodes:
            self._at(node.host, int(node.port))

    def _at(self, host: str, port: int) -> OneServer:
        address = f"{host}:{port}"
        if address not in self._servers:
            pool = connect.node(self._client, host, port)
            server = OneServer(pool, f"{self._name} {address}", self._connections, address=address, tell=self._tell)
            server.trust(self._trusted)
            self._servers[address] = server
        return self._servers[address]

    async def _forget(self) -> None:
        """Those who have no slots."""
        before, self._servers = self._servers, {server.address: server for server in set(self._slots)}
        await asyncio.gather(*[one.close() for address, one in before.items() if address not in self._servers])
        self._tell()

    def _tell(self, _: bool = True) -> None:
        """The metric is of all of them together: there is a bound to its labels."""
        metrics.STORE_UP.labels(self._name).set(not any(server.breaker.is_down for server in self._servers.values()))


def _host(server: OneServer) -> str:
    """Where a server names no host it means its own."""
    return server.address.rpartition(":")[0]
