"""The single servers behind a logical Redis, and their memory, for checks and metrics. Requests use `Redis` instead."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

from store.redis.client import Redis
from store.redis.connection import OneServer

ServerInfo = dict[str, Any]


class RedisServer(NamedTuple):
    """A single Redis server. `name` is its address. `execute` runs a command and returns the parsed answer; it raises
    redis-py's errors.
    """

    name: str
    execute: Callable[..., Awaitable[Any]]


async def primaries(redis: Redis) -> list[RedisServer]:
    """Returns the servers that take writes: one, or the masters of a cluster. Raises redis-py's errors."""
    client = redis.client
    if isinstance(redis.servers, OneServer):
        return [RedisServer(redis.servers.address, client.execute_command)]
    await client.initialize()
    return [
        RedisServer(node.name, partial(client.execute_command, target_nodes=node)) for node in client.get_primaries()
    ]


def memory_ratio(info: ServerInfo) -> float:
    """Returns the part of its memory limit that a server uses, from its answer to `INFO memory`. At 1, the server
    refuses writes or evicts values.

    Without a limit, the memory of the machine counts as the limit.
    """
    used: int = info["used_memory"] - info.get("mem_not_counted_for_evict", 0)
    most: int = info["maxmemory"] or info["total_system_memory"]
    return used / most


async def memory(redis: Redis) -> dict[str, float]:
    """Returns the `memory_ratio` of each server that answers, by the server's address. Raises RedisDown if no server of
    a cluster answers.
    """
    answers = await redis.servers.send_to_all([("INFO", "memory")])
    return {name: memory_ratio(_parse_numbers(info)) for name, (info,) in answers.items() if isinstance(info, bytes)}


def _parse_numbers(info: bytes) -> ServerInfo:
    """Parses an answer to `INFO`. Returns the fields whose values are whole numbers."""
    pairs = (line.partition(":") for line in info.decode().splitlines())
    return {name: int(value) for name, _, value in pairs if value.isdigit()}
