"""The Redis client. Commands that are issued within a few turns of the event loop are sent as one pipeline.

The interface is the same for one server, for a primary behind Sentinel, and for a cluster. On a cluster, each server
gets a pipeline of its own, and a caller waits only for the servers of its own keys. A read is sent again once if the
connection breaks. The client sends a write again only if a server has refused it with a redirect. After any other
error, the caller may repeat the write under the same idempotency key.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from observability import metrics
from settings import RedisMode, Settings
from store.backoff import rest
from store.gather import gather_all
from store.keys import Key
from store.redis import connect as clients
from store.redis.calls import FIRST, Call, Part, ScriptCall, parts_of
from store.redis.cluster import Cluster
from store.redis.connection import OneServer, RedisCommand, are_plain, run_id
from store.redis.down import FAILURES, Moved, RedisDown, is_down, result_or_error, translated
from store.redis.redirects import deliver, is_redirect
from store.redis.spans import in_spans
from store.scripts import CLOCK, SCRIPTS, Script

__all__ = ["Moved", "Redis", "RedisDown", "connect", "connect_both"]

_TURNS = 6
"""The number of turns of the event loop for which commands are collected: enough for the loaders of one level of a
query, and for the loaders that they call.
"""


_CHECK_EVERY = 5.0
"""Seconds between two checks whether the servers answer."""


class Redis:
    """A client of one logical Redis: a server, a primary behind Sentinel, or a cluster. Answers are raw: bytes, ints,
    floats, lists; never decoded text.
    """

    def __init__(self, client: Any, servers: OneServer | Cluster) -> None:
        self.client = client
        """redis-py's client, for commands without a key."""
        self.servers = servers
        self.cluster = isinstance(servers, Cluster)
        self._waiting: list[Call] = []
        """The calls of the next pipeline."""
        self._sending: set[asyncio.Task[None]] = set()
        self.generation = 0
        self._prefix = ""
        self.is_suspended = False
        """Whether all commands are refused, because reads and writes go to Postgres (store/write_log/write_mode.py)."""
        self.is_replica = False
        """Whether the server is a replica at a reading site, so that nothing can be cached in it."""
        self.replicas = 0
        """How many replicas must have a write before it counts as done. 0: none, and writes do not wait."""
        self.wait_ms = 500
        """For how many milliseconds a write waits for the replicas."""

    def switch(self, generation: int, *, suspended: bool, verified: frozenset[str], is_replica: bool = False) -> None:
        """Uses the keys of the generation with this number from now on: a period between two changes of the write mode.
        Commands raise RedisDown while `suspended`. `is_replica` becomes the value of the attribute.

        If `verified` is not empty, commands to servers with other run ids raise RedisDown too. A server takes a new run
        id each time it starts.
        """
        self.servers.require_verified(verified)
        self.generation = generation
        self._prefix = f"g{generation}" if generation else ""
        self.is_suspended = suspended
        self.is_replica = is_replica

    @property
    def is_up(self) -> bool:
        """Whether Redis answered the last command or probe; on a cluster, whether every server did."""
        return self.servers.is_up

    @property
    def is_unavailable(self) -> bool:
        """Whether some or all keys cannot be read now, as far as this process knows."""
        return self.is_suspended or self.servers.is_unavailable

    @property
    def is_any_up(self) -> bool:
        """Whether any server answered the last command or probe."""
        return self.servers.is_any_up

    def __call__(
        self, *command: Any, write: bool = False, read: Callable[[Any], Any] | None = None
    ) -> "asyncio.Future[Any]":
        """Queues a command, such as `redis("GET", key)`, for the next pipeline. Returns a future of the answer or, with
        `read`, of what `read` returns for the answer.

        The command is sent whether the future is awaited or not. The future raises RedisDown, or the server's error.
        Pass `write` for a command that must not be sent again if the connection breaks.
        """
        return self._queue(Call((command,), write, (lambda answers: read(answers[0])) if read else FIRST))

    def gather(
        self, commands: Sequence[RedisCommand], *, write: bool = False, partly: bool = False
    ) -> "asyncio.Future[list[Any]]":
        """Queues several commands for the same pipeline. Returns a future of the list of their answers. The future
        raises the first error among the answers. With `partly`, a server that is down causes no error: None stands for
        its answers. Pass `write` for commands that must not be sent again if the connection breaks.
        """
        return self._queue(Call(commands, write, list, partly))

    def _queue(self, call: Call, *, alone: bool = False) -> "asyncio.Future[Any]":
        if not call.commands:
            call.future.set_result([])
        elif self.is_suspended:
            call.fail(RedisDown())
        else:
            if self._prefix:
                call.commands = [self.with_prefix(command) for command in call.commands]
            if alone:
                self._send([call])
                return call.future
            self._waiting.append(call)
            if len(self._waiting) == 1:
                asyncio.get_running_loop().call_soon(self._send, self._waiting, _TURNS)
        return call.future

    def with_prefix(self, command: RedisCommand) -> RedisCommand:
        """Returns the words of a command, with the prefix of the current generation before each key that needs it."""
        return tuple(self._prefix + word if type(word) is Key else word for word in command)

    async def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Returns the values of string keys, in the order of `keys`; None for a missing key. If a server is down: on a
        cluster, returns None for its keys; otherwise raises RedisDown.
        """
        if self.cluster or not keys:
            return await self.gather([("GET", key) for key in keys], partly=True)
        values: list[bytes | None] = await self("MGET", *keys)
        return values

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Any], *, alone: bool = False) -> Any:
        """Runs a script and returns its answer. Sends the source if the server does not know the script yet. With
        `alone`, the script is a pipeline of its own, which is sent at once. Raises RedisDown, or the server's error.
        """
        words = (len(keys), *keys, *args)
        try:
            return await self._queue(Call([("EVALSHA", script.sha, *words)], True, FIRST), alone=alone)
        except exceptions.NoScriptError:
            return await self._queue(Call([("EVAL", script.source, *words)], True, FIRST), alone=alone)

    async def run_many(
        self, script: Script, common: Sequence[Any], calls: Sequence[ScriptCall], *, alone: bool = False
    ) -> list[Any]:
        """Runs a script that handles any number of calls, each given as (keys, args). Runs it once for all calls; on a
        cluster, once for each call.

        `common` has the arguments that the script takes before those of the calls. `alone` is passed to `run`, but not
        on a cluster. Returns the results of all calls in one list; an empty list if the script returns nothing. Raises
        RedisDown, or the server's error.
        """
        if not calls:
            return []
        if self.cluster:
            answers = await asyncio.gather(*[self.run(script, keys, [*common, *args]) for keys, args in calls])
            return [one for answer in answers for one in answer or ()]
        all_keys = [key for keys, _ in calls for key in keys]
        all_args = [*common, *(arg for _, args in calls for arg in args)]
        return await self.run(script, all_keys, all_args, alone=alone) or []

    async def run_batches(self, script: Script, common: Sequence[Any], batches: Iterator[Sequence[ScriptCall]]) -> None:
        """Runs a script for each batch of calls, as `run_many` does. Up to two batches run at once: while the server
        executes one, this process makes the next.
        """

        async def run_next() -> None:
            for calls in batches:
                await self.run_many(script, common, calls, alone=True)

        await gather_all(run_next(), run_next())

    async def clock_ms(self, key: str) -> int:
        """Returns the clock of the server that holds `key`, in milliseconds since the Unix epoch."""
        return int(await self.run(CLOCK, [key], []))

    async def scan(self, count: int) -> AsyncIterator[list[bytes]]:
        """Yields all keys of all generations, `count` at a time; the last list has the rest, which may be empty. A key
        that is added or removed during the scan may or may not be among them. Raises RedisDown.
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
        """The name of the command that publishes a message: SPUBLISH on a cluster, where a channel belongs to the slot
        of its name; else PUBLISH.
        """
        return "SPUBLISH" if self.cluster else "PUBLISH"

    async def run_ids(self) -> set[str]:
        """Returns the run ids of the servers that answer; a server takes a new one each time it starts. Raises
        RedisDown if no server answers.
        """
        answers = await self.servers.send_to_all([("INFO", "server")])
        run_ids = {run_id(info) for (info,) in answers.values()} - {""}
        if not run_ids:
            raise RedisDown
        return run_ids

    async def load_scripts(self, scripts: Iterable[Script] = SCRIPTS) -> None:
        """Loads scripts into every server in advance. A server that does not answer gets them when they first run."""
        await result_or_error(self.servers.send_to_all, [("SCRIPT", "LOAD", script.source) for script in scripts])

    async def wait_for(self, key: str, command: RedisCommand, seconds: float) -> Any:
        """Sends a blocking command, which the server of `key` may answer only after `seconds` seconds. No other command
        uses the connection meanwhile. Returns the answer. Raises RedisDown or the errors of redis-py.
        """
        server = self.servers.server_of(key)
        if self.is_suspended or server is None or not server.is_up:
            raise RedisDown
        metrics.REDIS_ROUND_TRIPS.inc()
        metrics.REDIS_COMMANDS.inc()
        (answer,) = await server.exchange([command], patience=seconds)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def keep_checking(self) -> None:
        """Sends PING to every server every five seconds, until this task is cancelled. So a process that sends no other
        commands also knows which servers answer, and its metric `plaudit_store_up` is right.
        """
        while True:
            await rest(_CHECK_EVERY)
            await result_or_error(self.servers.send_to_all, [("PING",)])

    async def close(self) -> None:
        await self.servers.close()
        await result_or_error(self.client.aclose)

    def _send(self, calls: list[Call], turns: int = 0) -> None:
        """Sends the commands of these calls after `turns` turns of the event loop, as one pipeline to each server."""
        loop = asyncio.get_running_loop()
        if turns:
            loop.call_soon(self._send, calls, turns - 1)
            return
        if calls is self._waiting:
            self._waiting = []
        usages = {id(call.usage): call.usage for call in calls if call.usage}.values()
        for usage in usages:
            usage.redis_round_trips += 1
        is_traced = any(usage.span is not None for usage in usages)
        metrics.REDIS_ROUND_TRIPS.inc()
        metrics.REDIS_COMMANDS.inc(sum(len(call.commands) for call in calls))
        by_server: Iterable[Sequence[Part]] = [[(call, range(len(call.commands))) for call in calls]]
        if isinstance(self.servers, Cluster):
            commands = [command for call in calls for command in call.commands]
            by_server = parts_of(calls, self.servers.group(commands))
        for parts in by_server:
            sending = self._send_to_one(parts)
            task = loop.create_task(in_spans(sending, parts) if is_traced else sending)
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _send_and_wait(self, parts: Sequence[Part], commands: list[RedisCommand]) -> list[Any]:
        """Sends commands, and waits until enough replicas have all writes that the server has executed until then.
        Returns the answers; RedisDown stands for those to writes that a replica may lack.

        The server counts from the last write of the same connection. The message, which nobody receives, is such a
        write. So an answer to a repeated write also waits for the first one, which another connection has sent. If the
        server refuses the message, a replica may lack the first write.
        """
        wait = ("PUBLISH", "{replicated}", ""), ("WAIT", self.replicas, self.wait_ms)
        *answers, sent, reached = await self.servers.send([*commands, *wait])
        if isinstance(sent, Exception) or not isinstance(reached, int) or reached < self.replicas:
            writes = (call.write for call, positions in parts for _ in positions)
            answers = [RedisDown() if write else answer for write, answer in zip(writes, answers, strict=True)]
        return answers

    async def _send_to_one(self, parts: Sequence[Part]) -> None:
        """Sends the commands of several calls to the server that has their keys, and gives each call its answers. Sends
        reads again once if the server did not answer.
        """
        commands = [call.commands[i] for call, positions in parts for i in positions]
        try:
            if self.replicas and any(call.write for call, _ in parts):
                answers = await self._send_and_wait(parts, commands)
            else:
                answers = await self.servers.send(commands)
            if not are_plain(answers):
                writes = [call.write for call, positions in parts for _ in positions]
                down = [i for i, answer in enumerate(answers) if is_down(answer) and not is_redirect(answer)]
                if again := [i for i in down if not writes[i]]:
                    for i, answer in zip(again, await self.servers.send([commands[i] for i in again]), strict=True):
                        answers[i] = answer
        except BaseException as error:  # noqa: BLE001 - callers must get an answer even if this task is cancelled
            answers = [error] * len(commands)
        if isinstance(self.servers, Cluster) and not are_plain(answers):
            await deliver(parts, answers, send_again=self.servers.send_again)
            return
        left = iter(answers)
        for call, positions in parts:
            call.receive(positions, list(islice(left, len(positions))))


def connect(
    url: str, settings: Settings, mode: RedisMode | None = None, service: str | None = None, name: str = "redis"
) -> Redis:
    """Returns a client for one logical Redis, which connects when it is first used. Raises BadAddress if `url` is not
    valid.

    `mode` and `service` (the name of the primary at the sentinels) default to those of the settings. `name` is the
    name of this Redis in metrics and logs.
    """
    options: dict[str, Any] = {
        "socket_timeout": settings.redis_timeout,
        "socket_connect_timeout": settings.redis_timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "max_connections": settings.redis_connections,
    }
    mode, most = mode or settings.redis_mode, settings.redis_connections
    try:
        if mode == "cluster":
            nodes = clients.cluster(url, options)
            return Redis(nodes, Cluster(nodes, name, most))
        if mode == "sentinel":
            client = clients.behind_sentinel(url, service or settings.sentinel_service, options)
        else:
            client = clients.standalone(url, options)
        client.connection_pool.make_connection()  # redis-py finds wrong options only here
    except (TypeError, ValueError) as error:
        raise clients.BadAddress(f"The address of the {name} Redis is not valid: {error}") from None
    options = client.connection_pool.connection_kwargs
    address = f"{options['host']}:{options.get('port', 6379)}" if "host" in options else options.get("path", "primary")
    redis = Redis(client, OneServer(client.connection_pool, name, most, address))
    redis.wait_ms = int(settings.redis_timeout * 500)  # half of the time in which the server must answer
    return redis


def connect_both(settings: Settings) -> tuple[Redis, Redis]:
    """Returns the clients of the state Redis and of the cache Redis. If the settings name no cache Redis, both are the
    same client. Raises BadAddress if an address is not valid.
    """
    state = connect(settings.redis_url, settings)
    if not settings.cache_url:
        return state, state
    return state, connect(settings.cache_url, settings, settings.cache_mode, settings.cache_service, "cache")
