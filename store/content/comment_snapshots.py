"""Snapshots of a subject's hot comments: pinned when page two is first read; later pages are read by rank.

A *reading* is one reader's sequence of requests for pages; it begins when page one is read. A *token* stands for all
readings that began with the same page one. The index of a token holds snapshots, each with a moment in milliseconds. A
reading uses the first snapshot whose moment is not before its beginning (store/scripts/pin_snapshot.lua). So a cursor
of page one leads to a snapshot that was made after page one was read, and always to the same one. Readings share a
snapshot if it was made after they began, or if nothing has changed since.

A snapshot is a string of bytes: 8 bytes tell whether there were more comments than it holds, and each id takes 8 bytes.
Every page costs the same to read. The *mark* of a snapshot is a digest of its contents.

Only the newest few snapshots of each reader are kept, and the newest of all anonymous readers together. This bounds the
memory, however much is read.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

from domain.digests import digest
from store import keys
from store.cache.values import Cache
from store.scripts import PIN_SNAPSHOT

BEGIN_MS = 1_200_000
"""How many milliseconds after page one page two may be requested."""
LIFE_MS = BEGIN_MS + 60_000
"""The life of a snapshot in milliseconds; reading prolongs it. It is longer than BEGIN_MS by more than the clocks of
two processes may differ.
"""
KEPT, KEPT_ANONYMOUS = 16, 10_000
"""How many snapshots are kept of one reader, and of all anonymous readers together."""
_NUMBER = 8
_MARK_DIGITS = 10


class Pinned(NamedTuple):
    """An entry of the index of a token, which stands for a snapshot."""

    mark: int
    """The digest of the contents."""
    newest: int
    """The moment of the subject's newest comment when the snapshot was made."""

    @classmethod
    def parse(cls, member: bytes) -> "Pinned":
        """Parses a member of the index of a token, as Redis stores it."""
        mark, newest, _ = member.split(b":")
        return cls(int(mark), int(newest))


class SnapshotPart(NamedTuple):
    """The ids of consecutive comments in a snapshot, and whether the subject had more comments (`goes_on`)."""

    goes_on: bool
    """Whether there were more comments than the snapshot holds."""
    ids: Sequence[int]


async def find(cache: Cache, token: int, began_ms: int) -> Pinned | None:
    """Returns the snapshot for a reading that has this token and began at `began_ms`, in milliseconds since the Unix
    epoch; None if there is none yet.
    """
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
    """Stores comment ids, in their order, as the snapshot for a reading that has this token and began at `began_ms`.
    The ids were read at `asked_ms`, when the newest comment had the moment `newest`. `goes_on` says whether there were
    more comments. `reader` is a user's id; 0 if anonymous.

    Returns the snapshot that the reading must use: this one, or another one that was pinned in the meantime. Removes
    the reader's oldest snapshots.
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
    """Returns up to `count` ids of the snapshot with this mark in the index of `token`, starting at a rank; fewer only
    at the end. Returns None if the snapshot has expired; otherwise prolongs its life.
    """
    key = keys.comment_snapshot(token, mark)
    start = (1 + rank) * _NUMBER
    cache.redis("PEXPIRE", key, LIFE_MS, write=True)
    header, ids = await cache.redis.gather(
        [("GETRANGE", key, 0, _NUMBER - 1), ("GETRANGE", key, start, start + count * _NUMBER - 1)]
    )
    return SnapshotPart(bool(_numbers(header)[0]), _numbers(ids)) if header else None


async def _forget_the_oldest(cache: Cache, reader: int, now_ms: int, pinned: Sequence[str]) -> None:
    """Stores that a reader has pinned these snapshots and indexes now. Removes those that the reader pinned longest
    ago, beyond the number that is kept.
    """
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
