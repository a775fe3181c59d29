"""Removal of the keys that earlier generations left in Redis: no process reads them, and some would never expire."""

from store.backoff import rest
from store.keys import generation_of
from store.redis.client import Redis

_CHUNK = 500
_PAUSE = 0.01
"""The pause between two chunks of keys, in seconds. The removal is never urgent."""


async def remove_earlier(redis: Redis) -> int:
    """Removes the keys of generations before the current one. Returns the number of removed keys. Raises RedisDown."""
    count = 0
    async for found in redis.scan(_CHUNK):
        old = [key for key in found if (of := generation_of(key)) is not None and of < redis.generation]
        await redis.gather([("UNLINK", key) for key in old], write=True)
        await rest(_PAUSE)
        count += len(old)
    return count
