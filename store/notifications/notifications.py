"""A user's notifications and marks: the moment up to which the user has read (read mark), the moment up to which the
user has seen (seen mark), and the notifications that the user has marked alone as read. The newest notifications are
one cached value; older ones are read from rows.

The cached value is the result of one query: rows, the numbers of unread and unseen notifications, and the marks.
Moments follow the order of commits, so a user who sees a notification can also see all older ones. A cursor therefore
says exactly what its reader has seen.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.versions import entry_id
from models.notifications import NOTHING, Newest, NotificationKind, NotificationRow
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.content.items import mirrored
from store.groups import grouped
from store.keys import Keys
from store.notifications import recipients
from store.notifications.marks import Mark, Marks, pending_marks
from store.notifications.muted_threads import Notice
from store.postgres.client import Postgres
from store.redis.calls import resolved
from store.redis.client import Redis
from store.scripts import WRITE
from store.write_log import operations
from store.write_log.operations import Operation, Outcome

CACHED = 50
"""How many of a user's newest notifications are cached."""
_FORMAT = 4
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
LIFE_MS = 86_400_000
_MOST_PENDING = 64

_COLUMNS = """
    notification_id, kind, business_id, entity_id, created_ms, updated_ms, moment, actors, actor_count, message,
    comments, reactions, read_moment
"""
_NEWEST = text(f"""
    SELECT h.*, n.*
    FROM (SELECT h.user_id, h.read_moment AS read_through, greatest(h.read_moment, h.seen_moment) AS seen_through,
                 h.read_alone, h.moment + h.read_moment + h.seen_moment + h.read_alone AS version,
                 count(unread.moment) AS unread,
                 count(unread.moment) FILTER (WHERE unread.moment > h.seen_moment) AS unseen
          FROM notification_heads h
          LEFT JOIN notifications unread ON unread.user_id = h.user_id AND unread.moment > h.read_moment
              AND (unread.read_moment IS NULL OR unread.moment > unread.read_moment)
          WHERE h.user_id = ANY(CAST(:users AS bigint[]))
          GROUP BY h.user_id, h.read_moment, h.seen_moment, h.read_alone, h.moment) AS h
    LEFT JOIN LATERAL (
        SELECT {_COLUMNS} FROM notifications WHERE user_id = h.user_id ORDER BY moment DESC LIMIT :count
    ) AS n ON true
    ORDER BY h.user_id, n.moment DESC
""")  # noqa: S608 - constants
_UNREAD = text("""
    SELECT n.moment > h.seen_moment AS unseen, n.kind, h.user_id, n.business_id, n.entity_id, n.actors
    FROM notification_heads h
    CROSS JOIN LATERAL (
        SELECT moment, kind, business_id, entity_id, actors FROM notifications
        WHERE user_id = h.user_id AND moment > h.read_moment AND (read_moment IS NULL OR moment > read_moment)
        ORDER BY moment DESC LIMIT :most
    ) AS n
    WHERE h.user_id = ANY(CAST(:users AS bigint[]))
""")
_PAGE = text(f"""
    SELECT {_COLUMNS} FROM notifications WHERE user_id = :user AND moment < :moment
    ORDER BY moment DESC LIMIT :count
""")  # noqa: S608 - constants
_BY_ID = text(f"""
    SELECT {_COLUMNS} FROM notifications WHERE user_id = :user AND notification_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_COUNT = text("""
    SELECT count(*), count(*) FILTER (WHERE moment > :seen) FROM notifications
    WHERE user_id = :user AND moment > :read AND moment < :before AND (read_moment IS NULL OR moment > read_moment)
      AND moment <> ALL(CAST(:alone AS bigint[]))
""")


async def newest(postgres: Postgres, users: Sequence[int]) -> dict[int, Newest]:
    """Reads for each user the newest CACHED notifications, the numbers of unread and unseen ones, and the marks. Reads
    all in one query, so that they agree. Users who have neither a notification nor a mark are left out.
    """
    rows = await postgres.read(_NEWEST, users=list(users), count=CACHED + 1)
    return {user_id: _newest(some) for user_id, some in grouped((row.user_id, row) for row in rows).items()}


def _newest(rows: Sequence[Any]) -> Newest:
    _, read, seen, alone, version, unread, unseen, *_ = rows[0]
    there = [_row(row[7:], read, seen) for row in rows[:CACHED] if row.notification_id is not None]
    return Newest(tuple(there), len(rows) <= CACHED, read, seen, alone, unread, unseen, version)


async def page(
    postgres: Postgres, user_id: int, moment: int, count: int, marks: Marks, *, newer: bool = False
) -> list[NotificationRow]:
    """Reads up to `count` of a user's notifications that are older than `moment`, newest first; with `newer`, those
    that are newer, oldest first. `marks` are the user's marks.
    """
    rows = await postgres.read(mirrored(_PAGE) if newer else _PAGE, user=user_id, moment=moment, count=count)
    return [marks.applied(_row(row)) for row in rows]


async def by_id(postgres: Postgres, user_id: int, ids: Sequence[int], marks: Marks) -> list[NotificationRow]:
    """Reads a user's notifications by id. Ids of other users' notifications are left out. `marks` are the user's
    marks.
    """
    return [marks.applied(_row(row)) for row in await postgres.read(_BY_ID, user=user_id, ids=list(ids))]


async def counted(postgres: Postgres, user_id: int, marks: Marks, before: int) -> tuple[int, int]:
    """Returns how many of a user's notifications with moments earlier than `before` are unread, and how many of them
    are not seen. `marks` are the user's marks.
    """
    alone = [moment for moment in marks.alone.values() if moment > marks.read]
    where = {"user": user_id, "read": marks.read, "seen": marks.seen, "before": before, "alone": alone}
    unread, unseen = (await postgres.read(_COUNT, **where))[0]
    return unread, unseen


async def unread(postgres: Postgres, users: Sequence[int], most: int) -> list[tuple[bool, Sequence[Notice]]]:
    """Returns the events of each unread notification of these users, one list for each notification. The flag before a
    list tells whether the user has not seen the notification. Reads at most the newest `most` unread notifications of
    each user.
    """
    rows = await postgres.read(_UNREAD, users=list(users), most=most)
    return [(unseen, recipients.of_notification(*row)) for unseen, *row in rows]


def _row(columns: Sequence[Any], read: int = 0, seen: int = 0) -> NotificationRow:
    id_, kind, business_id, entity_id, created_ms, updated_ms, moment, actors, count, message, comments, *more = columns
    kinds, alone = more
    about = NotificationKind(kind), business_id, entity_id, created_ms, updated_ms, moment
    is_read = moment <= max(read, alone or 0)
    marked = alone or 0, is_read, is_read or moment <= seen
    return NotificationRow(id_, *about, tuple(actors), count, message, tuple(comments or ()), kinds, *marked)


def encode(newest: Newest) -> Cached:
    """Encodes a user's newest notifications for the cache."""
    rows = [
        [
            *(row.notification_id, row.kind, row.business_id, row.entity_id, row.created_ms, row.updated_ms),
            *(row.moment, row.actors, row.actor_count, row.message, row.comments, row.reactions, row.read_moment),
        ]
        for row in newest.rows
    ]
    marks = newest.read_moment, newest.seen_moment, newest.read_alone
    body = orjson.dumps([newest.whole, *marks, newest.unread, newest.unseen, rows])
    return Cached(newest.version, body, format=_FORMAT)


def decode(cached: Cached) -> Newest:
    """Returns the notifications that `encode` has encoded. Raises OtherFormat if they are encoded in another format."""
    if cached.version == 0:
        return NOTHING
    whole, read, seen, alone, unread, unseen, rows = orjson.loads(cached.body_in(_FORMAT))
    there = tuple(_row(row, read, seen) for row in rows)
    return Newest(there, whole, read, seen, alone, unread, unseen, cached.version)


CODEC = Codec("notifications", keys.notifications, encode, decode, absent=NOTHING)
"""How the newest notifications of users are cached."""


class Marked(NamedTuple):
    """A published mark of a user. `version` is that of its journal entry."""

    user_id: int
    mark: Mark
    version: int


class ReadMarks:
    """Users' marks ("I have read all up to here", "I have seen all up to here", "I have read this one"). A mark is
    appended to the journal; until it is published, `pending` returns it, so that the user sees it at once.
    """

    def __init__(self, redis: Redis, keys: Keys, journal_max_entries: int) -> None:
        self._redis = redis
        self._keys = keys
        self._journal_bound = journal_max_entries

    async def mark(self, user_id: int, mark: Mark, operation: Operation) -> Outcome:
        """Appends a mark to the journal and to the user's unpublished marks. If nothing was appended, the status of the
        outcome says why. The outcome is recorded under the name of `operation`. Raises RedisDown, and Moved if the
        journal belongs to another generation than this process has.
        """
        named = [self._keys.seen(user_id), self._keys.operation(user_id, operation.name)]
        args = [mark.kind, operation.fingerprint, operation.life_ms, "", self._journal_bound, _MOST_PENDING]
        args += [mark.pending, mark.entry(user_id)]
        return Outcome.parse(await operations.run(self._redis, self._keys, WRITE, user_id, named, args))

    def pending(self, user_id: int) -> "asyncio.Future[Marks]":
        """Reads those marks of a user that are not published yet. The command is queued at once, even if the future is
        not awaited. There are no such marks while writes go to Postgres and not through the journal.
        """
        if self._redis.is_suspended:
            return resolved(Marks())
        return self._redis("HKEYS", self._keys.seen(user_id), read=pending_marks)

    async def sweep(self, marked: Iterable[Marked]) -> None:
        """Removes published marks from Redis, so that `pending` no longer returns them. Call it when each was published
        longer ago than any request lasts.
        """
        await self._redis.gather(
            [("HDEL", self._keys.seen(user), f"{mark.pending}{entry_id(version)}") for user, mark, version in marked],
            write=True,
        )


async def cached_among(cache: Cache, users: Sequence[int]) -> list[int]:
    """Returns those of the given users whose newest notifications are cached. Cancels running fills of this value for
    all given users, cached or not. Raises RedisDown.
    """
    by_key: dict[str, int] = {keys.notifications(user): user for user in users}
    return [by_key[key] for key in await cache.cached_among(list(by_key))]


async def publish(cache: Cache, fresh: Mapping[int, Newest]) -> None:
    """Replaces the cached newest notifications of these users, unless the cached ones are newer. Users without cached
    notifications stay uncached. Raises RedisDown.
    """
    await cache.publish([(keys.notifications(user), encode(one)) for user, one in fresh.items()], LIFE_MS)


async def drop(cache: Cache, users: Iterable[int]) -> None:
    """Removes the cached newest notifications of these users. Call it when they are wrong. Raises RedisDown."""
    await cache.drop(map(keys.notifications, users))
