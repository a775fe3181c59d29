"""Snapshots of a subject's comments by how hot they were: pinned when page two is first read, read by rank ever after.

A snapshot is named by the cursor that page two comes after, so that the same cursor always finds the same one, and is
bytes: 8 for the moment of the newest comment there was, 8 for its mark, 8 for whether there were more than it holds, 8
for each id. Any page of it costs the same. Where Redis loses one and it is pinned anew, its mark is another.

The newest few of each reader are kept, and the newest of all anonymous ones: however much is read, no more lies there.
"""

import secrets
import struct
from collections.abc import Sequence
from typing import NamedTuple

from store import keys
from store.cache import Cache

EPOCH_MS = 600_000
"""Page two may be asked for in the epoch in which page one was read, and in the next."""
LIFE_MS = 2 * EPOCH_MS
"""Prolonged by reading: as long as page two may be asked for at least, so that it is pinned but once."""
KEPT, KEPT_ANONYMOUS = 16, 10_000
"""So many snapshots of one reader, and of all anonymous readers together."""
_NUMBER, _HEADER = 8, 24
_MARK_BITS = 40


class Part(NamedTuple):
    """Some of a snapshot's ids, from a rank on."""

    newest: int
    """The moment of the newest comment there was then."""
    mark: int
    """Tells it from others pinned by the same token."""
    goes_on: bool
    """Whether there were comments that it does not hold."""
    ids: Sequence[int]


async def read(cache: Cache, token: int, rank: int, count: int) -> Part | None:
    """So many ids from a rank on, fewer at its end; None once it has expired."""
    key = keys.comment_snapshot(token)
    start = _HEADER + rank * _NUMBER
    cache.redis("PEXPIRE", key, LIFE_MS, write=True)
    header, ids = await cache.redis.gather(
        [("GETRANGE", key, 0, _HEADER - 1), ("GETRANGE", key, start, start + count * _NUMBER - 1)]
    )
    if not header:
        return None
    newest, mark, goes_on = _numbers(header)
    return Part(newest, mark, bool(goes_on), _numbers(ids))


async def pin(cache: Cache, token: int, newest: int, ids: Sequence[int], *, goes_on: bool, reader: int) -> None:
    """Keeps ids in their order for a reader (0: an anonymous one), unless others have been pinned by the same token."""
    body = struct.pack(f">{3 + len(ids)}q", newest, secrets.randbits(_MARK_BITS), goes_on, *ids)
    if await cache.redis("SET", keys.comment_snapshot(token), body, "PX", LIFE_MS, "NX", write=True):
        await _forget_the_oldest(cache, token, reader)


async def _forget_the_oldest(cache: Cache, token: int, reader: int) -> None:
    key, kept = keys.comment_snapshots(reader), KEPT if reader else KEPT_ANONYMOUS
    _, oldest, *_ = await cache.redis.gather(
        [("LPUSH", key, token), ("LRANGE", key, kept, -1), ("LTRIM", key, 0, kept - 1), ("PEXPIRE", key, LIFE_MS)],
        write=True,
    )
    for gone in oldest:
        cache.redis("UNLINK", keys.comment_snapshot(int(gone)), write=True)


def _numbers(raw: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(raw) // _NUMBER}q", raw)
