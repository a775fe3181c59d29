"""Snapshots of recommendations: a viewer's recommended posts in their order. A snapshot is stored when the viewer reads
the first page, and read for the later pages, so that they fit the first one.

Only the newest few snapshots of a viewer are kept, however often the viewer starts again.
"""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from store import keys
from store.cache.values import Cache

LIFE_MS = 600_000
MOST = 200
"""The largest number of posts in a snapshot."""
_KEPT = 4
_TOKEN_BITS = 40


class Pick(NamedTuple):
    """A recommended post and the reason for recommending it, in words."""

    post_id: int
    reason: str


def pin(cache: Cache, user_id: int, picks: Sequence[Pick]) -> int:
    """Stores a user's recommended posts, in their order, as a snapshot. Returns the token with which `pinned` finds it.
    The commands are queued for one round trip and not awaited.
    """
    key, token = keys.recommended(user_id), secrets.randbits(_TOKEN_BITS)
    cache.redis("LPUSH", key, orjson.dumps([token, *map(tuple, picks)]), write=True)
    cache.redis("LTRIM", key, 0, _KEPT - 1, write=True)
    cache.redis("PEXPIRE", key, LIFE_MS, write=True)
    return token


async def pinned(cache: Cache, user_id: int, token: int) -> list[Pick] | None:
    """Returns the recommended posts that `pin` stored for the user under this token, in their order, so that later
    pages fit the first one. Returns None if they have expired, or if newer snapshots of the user have replaced them.
    """
    for raw in await cache.redis("LRANGE", keys.recommended(user_id), 0, _KEPT - 1):
        if raw.startswith(b"[%d," % token):
            return [Pick(*pick) for pick in orjson.loads(raw)[1:]]
    return None
