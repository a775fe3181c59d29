"""Snapshots of a subject's comments by how hot they were: pinned when page two is first read, read by rank ever after.

A *token* stands for all readings that begin with the same page one. It has an index of snapshots, each with the moment
up to which readings may have begun that find it (store/scripts/pin_snapshot.lua). So whoever follows a cursor of page
one finds a snapshot that was made after page one was read, and always the same one. Readers share it if it was made
after they had begun, or if nothing has changed since.

A snapshot is bytes: 8 for whether there were more comments than it holds, 8 for each id. Any page of it costs the same.
Its *mark* is a digest of what it holds.

Of each reader's snapshots the newest few are kept, and the newest of all anonymous readers together: however much is
read, no more lies there.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

from domain.digests import digest
from store import keys
from store.cache.values import Cache
from store.scripts import PIN_SNAPSHOT

BEGIN_MS = 1_200_000
"""Page two may be asked for so long after page one."""
LIFE_MS = BEGIN_MS + 60_000
"""Prolonged by reading. Longer than page two may be asked for, by more than clocks of processes may differ."""
KEPT, KEPT_ANONYMOUS = 16, 10_000
"""So many snapshots of one reader, and of all anonymous readers together."""
_NUMBER = 8
_MARK_DIGITS = 10


class Pinned(NamedTuple):
    """A snapshot of a token."""

    mark: int
    newest: int
    """The moment of the newest comment there was then."""

    @classmethod
    def parse(cls, member: bytes) -> "Pinned":
        """From a member of the index."""
        mark, newest, _ = member.split(b":")
        return cls(int(mark), int(newest))


class SnapshotPart(NamedTuple):
    """Some of a snapshot's ids, from a rank on."""

    goes_on: bool
    """Whether there were comments that it does not hold."""
    ids: Sequence[int]


async def find(cache: Cache, token: int, began_ms: int) -> Pinned | None:
    """Returns the snapshot of a reading that began at this moment, None while it has none."""
    key = keys.comment_snapshot_index(token)
    found = await cache.redis("ZRANGE", key, began_ms, "+inf", "BYSCORE", "LIMIT", 0, 1)
    return Pinned.parse(found[0]) if found else None


async def pin(
    cache: Cache,
    token: int,
    began_ms: int,
    asked_ms: int,
    newest: int,
    ids: Sequence[int],
    *,
    goes_on: bool,
    reader: int,
) -> Pinned:
    """Keeps ids in their order, as they were asked for at a moment, for readings of a reader (0: an anonymous one).

    Returns the snapshot that the reading is to use; another may have been pinned meanwhile.
    """
    body = struct.pack(f">{1 + len(ids)}q", goes_on, *ids)
    mark = int(digest(f"{newest}:{body.hex()}")[:_MARK_DIGITS], 16)
    moment = max(began_ms, asked_ms)
    args = [began_ms, moment, f"{mark}:{newest}:{moment}", body, LIFE_MS, asked_ms - LIFE_MS]
    named = [keys.comment_snapshot_index(token), keys.comment_snapshot(token, mark)]
    pinned = Pinned.parse(await cache.redis.run(PIN_SNAPSHOT, named, args))
    if pinned.mark == mark:
        await _forget_the_oldest(cache, reader, asked_ms, [f"{token}:", f"{token}:{mark}"])
    return pinned


async def read(cache: Cache, token: int, mark: int, rank: int, count: int) -> SnapshotPart | None:
    """Returns so many ids from a rank on, fewer at the end; None once the snapshot has expired."""
    key = keys.comment_snapshot(token, mark)
    start = (1 + rank) * _NUMBER
    cache.redis("PEXPIRE", key, LIFE_MS, write=True)
    header, ids = await cache.redis.gather(
        [("GETRANGE", key, 0, _NUMBER - 1), ("GETRANGE", key, start, start + count * _NUMBER - 1)]
    )
    return SnapshotPart(bool(_numbers(header)[0]), _numbers(ids)) if header else None


async def _forget_the_oldest(cache: Cache, reader: int, now_ms: int, pinned: Sequence[str]) -> None:
    """Removes what was pinned longest ago, and has not been pinned again: snapshots with their indexes."""
    key, kept = keys.comment_snapshots(reader), 2 * (KEPT if reader else KEPT_ANONYMOUS)
    scored = [part for name in pinned for part in (now_ms, name)]
    _, oldest, *_ = await cache.redis.gather(
        [
            ("ZADD", key, *scored),
            ("ZRANGE", key, 0, -kept - 1),
            ("ZREMRANGEBYRANK", key, 0, -kept - 1),
            ("PEXPIRE", key, LIFE_MS),
        ],
        write=True,
    )
    for gone in oldest:
        token, mark = gone.decode().split(":")
        name = keys.comment_snapshot(int(token), int(mark)) if mark else keys.comment_snapshot_index(int(token))
        cache.redis("UNLINK", name, write=True)


def _numbers(raw: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(raw) // _NUMBER}q", raw)
