"""Redis as the rest of the code sees it: commands of one event-loop tick leave as one pipeline.

Works the same on one server, behind Sentinel, and on a cluster, where a pipeline is one to each server that is asked,
and nobody waits for one that they do not ask. Reads are repeated once when a connection breaks; writes never are:
whoever asked for one repeats it with the same operation id.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from observability import metrics
from settings import RedisMode, Settings
from store.keys import Key
from store.redis import connect as clients
from store.redis.cluster import Cluster
from store.redis.connection import RedisCommand, run_id
from store.redis.down import FAILURES, Moved, RedisDown, caught, is_down, translated
from store.redis.standalone import OneServer
from store.scripts import CLOCK, SCRIPTS, Script

__all__ = ["Moved", "Redis", "RedisDown", "connect", "connect_both", "resolved"]

_HOPS = 3
"""Turns of the loop that count as one tick: what loaders of one level start reaches Redis within so many."""


def _after(hops: int, flush: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_soon(*((_after, hops - 1, flush) if hops else (flush,)))


_FIRST = itemgetter(0)
T = TypeVar("T")


def resolved(answer: T) -> "asyncio.Future[T]":
    """What is known without asking."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    future.set_result(answer)
    return future


class _Call:
    """Commands waiting for their pipeline, and the one future of whoever sent them: for `read` of all their answers."""

    __slots__ = ("answers", "commands", "future", "left", "read", "usage", "write")

    def __init__(self, commands: Sequence[RedisCommand], write: bool, read: Callable[[list[Any]], Any]) -> None:
        self.commands = commands
        self.write = write
        self.read = read
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.usage = metrics.usage.get()
        self.answers: list[Any] = []
        self.left = len(commands)

    def answer(self, places: Sequence[int], answers: list[Any]) -> None:
        """Those of its commands that are at these places; whoever sent it hears the last."""
        if len(places) == len(self.commands):
            self.answers = answers
        else:
            self.answers = self.answers or [None] * len(self.commands)
            for i, answer in zip(places, answers, strict=True):
                self.answers[i] = answer
        self.left -= len(places)
        if not self.left and not self.future.done():
            self._settle()

    def _settle(self) -> None:
        """Tells what is read from the answers, or the first error among them."""
        error = next((answer for answer in self.answers if isinstance(answer, BaseException)), None)
        try:
            if error is None:
                self.future.set_result(self.read(self.answers))
                return
        except Exception as unreadable:  # noqa: BLE001 - it belongs to whoever asked, not to the others of the pipeline
            error = unreadable
        self.future.set_exception(translated(error))
        self.future.exception()  # whoever asked may have gone


_Part = tuple[_Call, Sequence[int]]
"""Some commands of a call: their places in it."""


def _parts(calls: Sequence[_Call], shares: Sequence[Sequence[int]]) -> Iterable[Sequence[_Part]]:
    """For each share of all their commands, whose they are."""
    if len(shares) == 1:
        return [[(call, range(len(call.commands))) for call in calls]]
    asked = [(call, i) for call in calls for i in range(len(call.commands))]
    each = (itertools.groupby((asked[i] for i in share), key=_FIRST) for share in shares)
    return [[(call, [i for _, i in some]) for call, some in groups] for groups in each]


class Redis:
    """One logical Redis. Answers are raw: bytes, ints, floats, lists; never decoded text."""

    def __init__(self, client: Any, servers: OneServer | Cluster) -> None:
        self.client = client
        """redis-py's, for what is not asked by key."""
        self.servers = servers
        self.cluster = isinstance(servers, Cluster)
        self._waiting: list[_Call] = []
        self._flushes: set[asyncio.Task[None]] = set()
        self.generation = 0
        self._prefix = ""
        self.is_aside = False
        """Whether nothing is asked here, because everything is read from and written to Postgres
        (store/write_log/write_mode.py).
        """

    def enter(self, generation: int, *, aside: bool, trusted: frozenset[str]) -> None:
        """From now on keys are those of this generation; while `aside`, whatever is asked raises RedisDown, as it does
        of servers that are not `trusted`, where any are.
        """
        self.servers.trust(trusted)
        self.generation = generation
        self._prefix = f"g{generation}" if generation else ""
        self.is_aside = aside

    @property
    def is_up(self) -> bool:
        """Whether it answers, as far as is known: on a cluster each of its servers."""
        return self.servers.is_up

    @property
    def is_away(self) -> bool:
        """Whether some of what it holds cannot be read, as far as is known."""
        return self.is_aside or self.servers.is_away

    @property
    def answers_in_part(self) -> bool:
        """Whether it is a cluster of which some servers answer, as far as is known, and others do not."""
        return isinstance(self.servers, Cluster) and self.servers.is_partly_up

    def __call__(
        self, *command: Any, write: bool = False, read: Callable[[Any], Any] | None = None
    ) -> "asyncio.Future[Any]":
        """Sends one command with the others of this tick; its answer, as it is or as `read` understands it.

        It is on its way when this returns, whether anybody awaits it or not. Raises RedisDown, or what the server said.
        """
        return self._sent(_Call((command,), write, (lambda answers: read(answers[0])) if read else _FIRST))

    def gather(self, commands: Sequence[RedisCommand], *, write: bool = False) -> "asyncio.Future[list[Any]]":
        """Several commands in one pipeline, sent like one; raises the first error among their answers."""
        return self._sent(_Call(commands, write, list))

    def _sent(self, call: _Call) -> "asyncio.Future[Any]":
        if not call.commands:
            call.future.set_result([])
            return call.future
        if self.is_aside:
            call.future.set_exception(RedisDown())
            call.future.exception()  # whoever asked may not wait for it
            return call.future
        if self._prefix:
            call.commands = [self._of_generation(command) for command in call.commands]
        self._waiting.append(call)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(_after, _HOPS, self._flush)
        return call.future

    def _of_generation(self, command: RedisCommand) -> RedisCommand:
        return tuple(self._prefix + word if type(word) is Key else word for word in command)

    async def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """The values of many string keys, None where there is none: one MGET, or single GETs on a cluster."""
        if self.cluster or not keys:
            return await self.gather([("GET", key) for key in keys])
        values: list[bytes | None] = await self("MGET", *keys)
        return values

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Runs a script; the server learns it the first time."""
        try:
            return await self("EVALSHA", script.sha, len(keys), *keys, *args, write=True)
        except exceptions.NoScriptError:
            return await self("EVAL", script.source, len(keys), *keys, *args, write=True)

    async def run_many(
        self, script: Script, common: Sequence[Any], calls: Sequence[tuple[Sequence[str], Sequence[Any]]]
    ) -> list[Any]:
        """A script that takes any number of (keys, args): one call for all, or one each where slots differ.

        Returns what the script returns for each, if it returns anything.
        """
        if not calls:
            return []
        if self.cluster:
            answers = await asyncio.gather(*[self.run(script, keys, [*common, *args]) for keys, args in calls])
            return [one for answer in answers for one in answer or ()]
        all_keys = [key for keys, _ in calls for key in keys]
        return await self.run(script, all_keys, [*common, *(arg for _, args in calls for arg in args)]) or []

    async def clock_ms(self, key: str) -> int:
        """The clock of the server that holds `key`, in milliseconds since the Unix epoch."""
        return int(await self.run(CLOCK, [key], []))

    async def scan(self, count: int) -> AsyncIterator[list[bytes]]:
        """Every key there is, of whatever generation, about `count` at a time; those that come or go meanwhile may be
        among them.
        """
        found: list[bytes] = []
        try:
            async for key in self.client.scan_iter(count=count):
                found.append(key)
                if len(found) == count:
                    yield found
                    found = []
        except FAILURES as error:
            raise translated(error) from error
        yield found

    @property
    def publish_command(self) -> str:
        """What tells those who listen to a channel: on a cluster, to one of the slot of its name."""
        return "SPUBLISH" if self.cluster else "PUBLISH"

    async def runs(self) -> set[str]:
        """What servers call these runs of theirs: those that answer. Raises RedisDown where none does."""
        said = await self.servers.everywhere([("INFO", "server")])
        runs = {run_id(about) for (about,) in said} - {""}
        if not runs:
            raise RedisDown
        return runs

    async def teach(self, scripts: Iterable[Script] = SCRIPTS) -> None:
        """Tells every server the scripts ahead of need; one that cannot be reached now asks for them later."""
        await caught(self.servers.everywhere, [("SCRIPT", "LOAD", script.source) for script in scripts])

    async def close(self) -> None:
        await self.servers.close()
        await caught(self.client.aclose)  # a server that is gone does not say goodbye

    def _flush(self) -> None:
        calls, self._waiting = self._waiting, []
        for usage in {id(call.usage): call.usage for call in calls if call.usage}.values():
            usage.redis_round_trips += 1
        commands = [command for call in calls for command in call.commands]
        metrics.REDIS_ROUND_TRIPS.inc()
        metrics.REDIS_COMMANDS.inc(len(commands))
        for parts in _parts(calls, self.servers.shares(commands)):
            task = asyncio.ensure_future(self._send(parts))
            self._flushes.add(task)
            task.add_done_callback(self._flushes.discard)

    async def _send(self, parts: Sequence[_Part]) -> None:
        commands = [call.commands[i] for call, places in parts for i in places]
        try:
            answers = await self._repeat_reads(commands, [call.write for call, places in parts for _ in places])
        except BaseException as error:  # noqa: BLE001 - even a cancelled flush must answer those who wait
            answers = [error] * len(commands)
        at = 0
        for call, places in parts:
            call.answer(places, answers[at : at + len(places)])
            at += len(places)

    async def _repeat_reads(self, commands: list[RedisCommand], writes: list[bool]) -> list[Any]:
        answers = await self.servers.ask(commands)
        down = [i for i, answer in enumerate(answers) if isinstance(answer, BaseException) and is_down(answer)]
        if again := [i for i in down if not writes[i]]:
            for i, answer in zip(again, await self.servers.ask([commands[i] for i in again]), strict=True):
                answers[i] = answer
        return answers


def connect(
    url: str, settings: Settings, mode: RedisMode | None = None, service: str | None = None, name: str = "redis"
) -> Redis:
    """A client for one logical Redis, in the deployment's mode unless another is given; `name` is what metrics call it.

    Connects when first used.
    """
    options: dict[str, Any] = {
        "socket_timeout": settings.redis_timeout,
        "socket_connect_timeout": settings.redis_timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "max_connections": settings.redis_connections,
    }
    mode, most = mode or settings.redis_mode, settings.redis_connections
    if mode == "cluster":
        nodes = clients.cluster(url, options)
        return Redis(nodes, Cluster(nodes, name, most))
    if mode == "sentinel":
        client = clients.behind_sentinel(url, service or settings.sentinel_service, options)
    else:
        client = clients.standalone(url, options)
    return Redis(client, OneServer(client.connection_pool, name, most))


def connect_both(settings: Settings) -> tuple[Redis, Redis]:
    """That of the journals, and that of the cache; the same where there is one."""
    state = connect(settings.redis_url, settings)
    if not settings.cache_url:
        return state, state
    return state, connect(settings.cache_url, settings, settings.cache_mode, settings.cache_service, "cache")
