"""What generations leave behind in Redis: some of it would stay there for ever, and none of it is read again."""

import asyncio

from state import State
from store.keys import generation_of
from store.redis.client import Redis

_CHUNK = 500
_PAUSE = 0.01
"""Seconds between two chunks: nobody waits for this."""


async def sweep(state: State) -> int:
    """Removes the keys of earlier generations. Returns how many there were."""
    generation = state.redis.generation
    return sum([await _sweep(client, generation) for client in {state.redis, state.cache.redis}])


async def _sweep(client: Redis, generation: int) -> int:
    count = 0
    async for found in client.scan(_CHUNK):
        old = [key for key in found if (of := generation_of(key)) is not None and of < generation]
        await client.gather([("UNLINK", key) for key in old], write=True)
        await asyncio.sleep(_PAUSE)
        count += len(old)
    return count
