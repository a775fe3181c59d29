"""Replication of one Redis server: whether it is a replica, and how it becomes one or ceases to be one.

All functions raise redis-py's errors.
"""

from typing import Any

from redis.exceptions import ResponseError

from store.redis.client import Redis


async def is_replica(redis: Redis) -> bool:
    """Returns whether the server is a replica."""
    return bool((await _info(redis))["role"] == "slave")


async def replicas(redis: Redis) -> int:
    """Returns how many replicas receive the writes of the server."""
    info = await _info(redis)
    return sum(isinstance(one, dict) and one.get("state") == "online" for one in info.values())


async def reaches(redis: Redis, count: int) -> bool:
    """Returns whether so many replicas receive within half a second what the server writes now."""
    pipeline = redis.client.pipeline(transaction=False)
    pipeline.execute_command("PUBLISH", "{replicated}", "")
    pipeline.execute_command("WAIT", count, 500)
    return bool((await pipeline.execute())[1] >= count)


async def promote(redis: Redis) -> bool:
    """Makes a replica a server that takes writes. Returns whether it stays one after a restart: if not, its
    configuration names another server, and the operator must change it.
    """
    await redis.client.execute_command("REPLICAOF", "NO", "ONE")
    return await _stored(redis)


async def follow(redis: Redis, host: str, port: int) -> bool:
    """Makes the server a replica of the one at this address, whose data replaces its own. Returns whether it stays one
    after a restart.
    """
    await redis.client.execute_command("REPLICAOF", host, port)
    return await _stored(redis)


async def _info(redis: Redis) -> dict[str, Any]:
    info: dict[str, Any] = await redis.client.execute_command("INFO", "replication")
    return info


async def _stored(redis: Redis) -> bool:
    """Stores what was changed in the configuration file. Returns False if the server has none, or refuses."""
    try:
        await redis.client.execute_command("CONFIG REWRITE")
    except ResponseError:
        return False
    return True
