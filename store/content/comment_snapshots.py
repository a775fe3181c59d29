"""Snapshots of the order of a subject's hot comments, so that later pages fit the first page. A snapshot is stored
(*pinned*) when page two is first read; pages from then on are read from it by rank.

A *reading* is one reader's sequence of requests for pages; it begins when page one is read. A *token* stands for all
readings whose page one had the same comments. Each token has an index of snapshots, each with a time in milliseconds. A
reading uses the first snapshot whose time is not before its beginning (store/scripts/pin_snapshot.lua). So a cursor of
page one leads to a snapshot that was made after page one was read, and always to the same one. Readings share a
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
    """A stored snapshot of the order of hot comments: the digest of its contents (`mark`), and the moment of the
    subject's newest comment when it was made (`newest`).
    """

    mark: int
    """The digest of the contents."""
    newest: int
    """The moment of the subject's newest comment when the snapshot was made."""

    @classmethod
    def parse(cls, member: bytes) -> "Pinned":
        """Parses an entry of a token's index of snapshots, as Redis stores it."""
        mark, newest, _ = member.split(b":")
        return cls(int(mark), int(newest))


class SnapshotPart(NamedTuple):
    """Consecutive comments of a snapshot: their ids, and whether the subject had more comments than the whole snapshot
    holds (`goes_on`).
    """

    goes_on: bool
    """Whether there were more comments than the snapshot holds."""
    ids: Sequence[int]


async def find(cache: Cache, token: int, began_ms: int) -> Pinned | None:
    """Returns the snapshot to use for the pages after a page one that was read at `began_ms`, in milliseconds since the
    Unix epoch. `token` stands for the comments on that page. Returns None if no snapshot was stored since.
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
    """Stores comment ids, in their order, as the snapshot for the pages after a page one that was read at `began_ms`.
    `token` stands for the comments on that page. The ids were read at `asked_ms`, when the subject's newest comment had
    the moment `newest`. `goes_on` says whether the subject had more comments. `reader` is a user's id; 0 if anonymous.
    Times are in milliseconds since the Unix epoch.

    Returns the snapshot that the reader must use: this one, or one that was stored in the meantime. Removes the
    reader's oldest snapshots beyond the number that is kept.
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
    """Returns up to `count` comment ids from a snapshot, starting at `rank` (0: the first); fewer only at the end. The
    snapshot is the one that `pin` stored under `token` with this `mark`. Returns None if it has expired; otherwise
    prolongs its lifetime.
    """
    key = keys.comment_snapshot(token, mark)
    start = (1 + rank) * _NUMBER
    cache.redis("PEXPIRE", key, LIFE_MS, write=True)
    header, ids = await cache.redis.gather(
        [("GETRANGE", key, 0, _NUMBER - 1), ("GETRANGE", key, start, start + count * _NUMBER - 1)]
    )
    return SnapshotPart(bool(_numbers(header)[0]), _numbers(ids)) if header else None


async def _forget_the_oldest(cache: Cache, reader: int, now_ms: int, pinned: Sequence[str]) -> None:
    """Records that a reader has stored these snapshots and indexes now. Removes those that the reader stored longest
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
