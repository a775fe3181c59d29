"""The masters of a Redis cluster. Each has some of the slots, and is up or down independently of the others.

Commands are grouped by the server of their key and sent to each server as one pipeline. The slot map says which server
has which slot. One task reads it, for all callers, from any server that answers: before the first command, when a
server does not answer, and when a server says that a slot is elsewhere. While a server is down, the map is read
repeatedly. A server that neither has slots nor receives any is removed from the client, whether it is up or down.
"""

import asyncio
import itertools
import random
from collections.abc import Sequence
from typing import Any

from redis import exceptions
from redis.asyncio.cluster import RedisCluster

from dependencies.redis import REDIS_CLUSTER_HASH_SLOTS, key_slot
from observability import metrics
from observability.logs import Log
from store.backoff import pause, rest
from store.groups import grouped
from store.redis import connect
from store.redis.connection import OneServer, RedisCommand, are_plain
from store.redis.down import RedisDown, result_or_error

log = Log(__name__)

_LONGEST = 1.0
"""The longest pause, in seconds, between two reads of the slot map while a server is down."""
_STALE_SLOTS = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.ClusterDownError, exceptions.MovedError)
"""The errors after which the slot map may be out of date."""


_Target = tuple[OneServer, bool]
"""A server, and whether to send it ASKING before a command, because the command's slot still belongs to another server.
"""


def slot_of(command: RedisCommand) -> int:
    """Returns the slot of a command's key; of the first key if the command runs a script."""
    return _slot(command[3 if command[0] in ("EVALSHA", "EVAL") else 1])


def _slot(key: str | bytes) -> int:
    return key_slot(key.encode() if isinstance(key, str) else key)


class Cluster:
    """A client of all masters of a Redis cluster. `client` is redis-py's client, which knows some nodes and how to
    connect. `name` is the name of the cluster in metrics and logs.
    """

    def __init__(self, client: RedisCluster, name: str, connections: int) -> None:
        """At most `connections` pipelines run on each server at once."""
        self._client = client
        self._name = name
        self._connections = connections
        self._verified: frozenset[str] = frozenset()
        self._servers: dict[str, OneServer] = {}
        """The servers by address. Until the slot map has been read, these are the servers named in the settings."""
        self._slots: list[OneServer] = []
        """The server of each slot; empty until the slot map has been read."""
        self._importing: set[OneServer] = set()
        """The servers to which slots were being moved since the slot map was last read."""
        self._replicated: set[OneServer] = set()
        """The servers with a replica that can take over, as of the last read of the slot map."""
        self._locating: asyncio.Task[bool] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._closed = False
        self._add_startup_servers()

    @property
    def is_up(self) -> bool:
        """Whether every server answered the last command or probe."""
        return all(server.is_up for server in self._servers.values())

    @property
    def is_any_up(self) -> bool:
        """Whether any server answered the last command or probe."""
        return any(server.is_up for server in self._servers.values())

    @property
    def is_failing_over(self) -> bool:
        """Whether some servers are down, each of them has a replica that can take over, and another server is up."""
        down = {server for server in self._servers.values() if not server.is_up}
        return bool(down) and down <= self._replicated and self.is_any_up

    @property
    def is_unavailable(self) -> bool:
        """Whether any server is unavailable (see `OneServer.is_unavailable`)."""
        return any(server.is_unavailable for server in self._servers.values())

    def require_verified(self, run_ids: frozenset[str]) -> None:
        """From now on, sends commands only to servers with these run ids; to all servers if `run_ids` is empty."""
        self._verified = run_ids
        for server in self._servers.values():
            server.require_verified(run_ids)

    def group(self, commands: Sequence[RedisCommand]) -> Sequence[Sequence[int]]:
        """Returns the positions of the commands in groups, one for each server; in one group if the slot map is not
        known yet.
        """
        if not self._slots:
            return [range(len(commands))]
        return list(grouped((self._slots[slot_of(command)], i) for i, command in enumerate(commands)).values())

    async def send(self, commands: Sequence[RedisCommand]) -> list[Any]:
        """Sends commands to the servers of their keys. Returns the answer or the error of each command. Raises
        RedisDown if no server has a slot map.

        If slots are being moved, some errors may be redirects (store/redis/redirects.py): pass these to `send_again`.
        """
        if not self._slots:
            await self.locate_slots()
        return await self._send_by_target(commands, [(self._slots[slot_of(command)], False) for command in commands])

    async def send_again(self, commands: Sequence[RedisCommand], refused: Sequence[Any]) -> list[Any]:
        """Sends commands again. `refused` has the redirect with which a server refused each command. Returns the answer
        or the error of each.
        """
        return await self._send_by_target(commands, list(map(self._target_after, commands, refused)))

    async def send_to_all(self, commands: Sequence[RedisCommand]) -> dict[str, list[Any]]:
        """Sends commands to each server. Returns, by the server's address, the answer or the error of each command.
        Raises RedisDown if no server has a slot map.
        """
        if not self._slots:
            await self.locate_slots()
        servers = dict(self._servers)
        answers = await asyncio.gather(*[server.send(commands) for server in servers.values()])
        return dict(zip(servers, answers, strict=True))

    async def locate_slots(self) -> None:
        """Reads the slot map, or waits for a task that is reading it. Raises RedisDown if no server has one."""
        if self._locating is None or self._locating.done():
            self._locating = asyncio.create_task(self._read_slots())
        if not await asyncio.shield(self._locating):
            raise RedisDown

    def server_of(self, key: str) -> OneServer | None:
        """Returns the server of a key or channel; None if the slot map is not known yet."""
        return self._slots[_slot(key)] if self._slots else None

    async def close(self) -> None:
        """Closes the connections to all servers. Later commands fail."""
        self._closed = True
        tasks = [task for task in (self._locating, self._watching) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *[server.close() for server in self._servers.values()], return_exceptions=True)

    def _target_after(self, command: RedisCommand, refused: Any) -> _Target:
        """Returns where a command must be sent after a redirect."""
        if isinstance(refused, exceptions.AskError) and not isinstance(refused, exceptions.MovedError):
            return self._server_at(refused.host, refused.port), True
        return self._slots[slot_of(command)], False

    async def _send_by_target(self, commands: Sequence[RedisCommand], targets: Sequence[_Target]) -> list[Any]:
        answers: list[Any] = [None] * len(commands)

        async def send(target: _Target, group: Sequence[int]) -> None:
            for i, answer in zip(group, await self._send_to(*target, [commands[i] for i in group]), strict=True):
                answers[i] = answer

        groups = grouped((target, i) for i, target in enumerate(targets))
        await asyncio.gather(*itertools.starmap(send, groups.items()))
        return answers

    async def _send_to(self, server: OneServer, asks: bool, commands: Sequence[RedisCommand]) -> list[Any]:
        if asks:
            answers = (await server.send([word for command in commands for word in (("ASKING",), command)]))[1::2]
        else:
            answers = await server.send(commands)
        for answer in () if are_plain(answers) else answers:
            if isinstance(answer, exceptions.AskError):
                answer.host = answer.host or _host(server)
                other = self._server_at(answer.host, answer.port)
                if isinstance(answer, exceptions.MovedError):
                    self._slots[answer.slot_id] = other
                else:
                    self._importing.add(other)
            if isinstance(answer, _STALE_SLOTS):
                self._watch()
        return answers

    def _watch(self) -> None:
        if not self._closed and (self._watching is None or self._watching.done()):
            self._watching = asyncio.create_task(self._keep_locating())

    async def _keep_locating(self) -> None:
        reads = 0
        while not reads or not self.is_up:
            await result_or_error(self.locate_slots)
            reads += 1
            await rest(pause(reads, _LONGEST))

    async def _read_slots(self) -> bool:
        """Reads the slot map from any server, trying servers that are up first. Returns whether a server had a slot
        map.
        """
        servers = random.sample(list(self._servers.values()), len(self._servers))
        for server in sorted(servers, key=lambda one: not one.is_up):
            (answer,) = await server.send([("CLUSTER", "SLOTS")], allow_unverified=True)
            slots = self._parse_slots(server, answer) if isinstance(answer, list) else []
            if slots and None not in slots:
                self._slots = slots
                self._replicated = {self._slots[first] for first, _, _, *replicas in answer if replicas}
                await self._remove_others()
                return True
            log.warning("a server has no slot map", server=server.address, answer=repr(answer)[:200])
        self._add_startup_servers()
        return False

    def _parse_slots(self, server: OneServer, answer: list[Any]) -> list[Any]:
        """Returns the server of each slot according to a server's `answer` to CLUSTER SLOTS; None for a slot that the
        answer does not mention.
        """
        slots: list[Any] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in answer:
            there = self._server_at(host.decode() if host else _host(server), port)
            slots[first : last + 1] = [there] * (last + 1 - first)
        return slots

    def _add_startup_servers(self) -> None:
        """Adds the servers that the address in the settings names."""
        for node in self._client.startup_nodes:
            self._server_at(node.host, int(node.port))

    def _server_at(self, host: str, port: int) -> OneServer:
        address = f"{host}:{port}"
        if address not in self._servers:
            pool = connect.node(self._client, host, port)
            server = OneServer(pool, f"{self._name} {address}", self._connections, address, tell=self._measure)
            server.require_verified(self._verified)
            self._servers[address] = server
        return self._servers[address]

    async def _remove_others(self) -> None:
        """Removes the servers that have no slots and to which none is being moved."""
        kept, self._importing = {*self._slots, *self._importing}, set()
        before, self._servers = self._servers, {server.address: server for server in kept}
        await asyncio.gather(*[one.close() for address, one in before.items() if address not in self._servers])
        self._measure()

    def _measure(self, _: bool = True) -> None:
        """Sets the metric `plaudit_store_up` to whether no server is down. All servers share one value, so that the
        number of labels is bounded.
        """
        metrics.STORE_UP.labels(self._name).set(not any(server.breaker.is_down for server in self._servers.values()))


def _host(server: OneServer) -> str:
    """Returns the host of a server's address. It is used where the server leaves its own host empty in an answer."""
    return server.address.rpartition(":")[0]
