"""What generations leave behind in Redis: some of it would stay there for ever, and none of it is read again."""

import asyncio

from state import State
from store.keys import generation_of
from store.redis import Redis

_CHUNK = 500
_PAUSE = 0.01
"""Seconds between two chunks: nobody waits for this."""


async def sweep(state: State) -> int:
    """Removes the keys of earlier generations. Returns how many there were."""
    generation = state.redis.generation
    return sum([await _sweep(client, generation) for client in {state.redis, state.cache.redis}])


async def _sweep(client: Redis, generation: int) -> int:
    count, old = 0, list[bytes]()
    async for key in client.client.scan_iter(count=_CHUNK):
        of = generation_of(key)
        if of is not None and of < generation:
            old.append(key)
        if len(old) >= _CHUNK:
            count += await _unlink(client, old)
            old = []
    return count + await _unlink(client, old)


async def _unlink(client: Redis, some: list[bytes]) -> int:
    await client.gather([("UNLINK", key) for key in some], write=True)
    await asyncio.sleep(_PAUSE)
    return len(some)
