"""Snapshots of what was recommended to somebody: pinned when they begin to read, read again by the list's cursors.

The newest few of a viewer are kept: however often somebody begins anew, there is no more to keep of them.
"""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from store import keys
from store.cache.values import Cache

LIFE_MS = 600_000
MOST = 200
"""How many posts one may hold."""
_KEPT = 4
_TOKEN_BITS = 40


class Pick(NamedTuple):
    """A post, and in words why it was picked."""

    post_id: int
    reason: str


def pin(cache: Cache, user_id: int, picks: Sequence[Pick]) -> int:
    """Keeps what was picked, and returns by which token. One trip, on its way when this returns."""
    key, token = keys.recommended(user_id), secrets.randbits(_TOKEN_BITS)
    cache.redis("LPUSH", key, orjson.dumps([token, *map(tuple, picks)]), write=True)
    cache.redis("LTRIM", key, 0, _KEPT - 1, write=True)
    cache.redis("PEXPIRE", key, LIFE_MS, write=True)
    return token


async def pinned(cache: Cache, user_id: int, token: int) -> list[Pick] | None:
    """What was kept by a token; None once it has expired, or others have begun since."""
    for raw in await cache.redis("LRANGE", keys.recommended(user_id), 0, _KEPT - 1):
        if raw.startswith(b"[%d," % token):
            return [Pick(*pick) for pick in orjson.loads(raw)[1:]]
    return None
