"""The servers of a logical Redis, one by one: what they tell of themselves. For operators; requests ask keys."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

from store.redis.client import Redis
from store.redis.down import caught

ServerInfo = dict[str, Any]


class RedisServer(NamedTuple):
    """One of them: its address, or what else tells it from the others; and how it is asked, with parsed answers.

    What is asked raises redis-py's errors.
    """

    name: str
    ask: Callable[..., Awaitable[Any]]


async def primaries(redis: Redis) -> list[RedisServer]:
    """Those that take writes: one, or the masters of a cluster. Raises redis-py's errors where it has to ask."""
    client = redis.client
    if not redis.cluster:
        options = client.connection_pool.connection_kwargs
        host = f"{options['host']}:{options['port']}" if "host" in options else options.get("path", "primary")
        return [RedisServer(host, client.execute_command)]
    await client.initialize()
    return [
        RedisServer(node.name, partial(client.execute_command, target_nodes=node)) for node in client.get_primaries()
    ]


def memory_ratio(info: ServerInfo) -> float:
    """Of the memory that a server may have (its machine's, where nobody has set a bound), what its data has: at 1
    it refuses writes. From `INFO memory`.
    """
    used: int = info["used_memory"] - info.get("mem_not_counted_for_evict", 0)
    most: int = info["maxmemory"] or info["total_system_memory"]
    return used / most


async def memory(redis: Redis) -> dict[str, float]:
    """Returns the ratio of each server that answers, by its name."""
    servers = await primaries(redis)
    answers = await asyncio.gather(*[caught(server.ask, "INFO", "memory") for server in servers])
    each = zip(servers, answers, strict=True)
    return {server.name: memory_ratio(info) for server, info in each if not isinstance(info, Exception)}
