"""Snapshots of what was recommended to somebody: pinned when they begin to read, read again by the list's cursors.

A viewer has a few slots, and whatever begins in one ends what was in it: however often somebody begins anew, there is
no more to keep of them.
"""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from store import keys
from store.cache import Cache

LIFE_MS = 600_000
MOST = 200
"""How many posts one may hold."""
_SLOTS = 4
_TOKEN_BITS = 40


class Pick(NamedTuple):
    """A post, and in words why it was picked."""

    post_id: int
    reason: str


def pin(cache: Cache, user_id: int, picks: Sequence[Pick]) -> int:
    """Keeps what was picked, and returns by which token. One command, on its way when this returns."""
    token = secrets.randbits(_TOKEN_BITS)
    body = orjson.dumps([token, *map(tuple, picks)])
    cache.redis("SET", keys.recommended(user_id, token % _SLOTS), body, "PX", LIFE_MS, write=True)
    return token


async def pinned(cache: Cache, user_id: int, token: int) -> list[Pick] | None:
    """What was kept by a token; None once it has expired, or others have begun since."""
    raw = await cache.redis("GET", keys.recommended(user_id, token % _SLOTS))
    if raw is None:
        return None
    of, *picks = orjson.loads(raw)
    return [Pick(*pick) for pick in picks] if of == token else None
