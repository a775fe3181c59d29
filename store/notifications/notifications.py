"""A user's notifications and read mark: the moment up to which the user has read. The newest notifications are one
cached value; older ones are read from rows.

The cached value is the result of one query: rows, the number of unread notifications, and the read mark. Moments follow
the order of commits, so a user who sees a notification can also see all older ones. A cursor therefore says exactly
what its reader has seen.
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
from store.notifications.muted_threads import Notice
from store.postgres.client import Postgres
from store.redis.calls import resolved
from store.redis.client import Redis
from store.scripts import WRITE
from store.write_log import operations
from store.write_log.operations import Operation, Outcome

SEEN = "seen"
"""The kind of the journal entries of read marks."""
CACHED = 50
"""How many of a user's newest notifications are cached."""
_FORMAT = 3
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
LIFE_MS = 86_400_000
_MOST_PENDING = 64

_COLUMNS = """
    notification_id, kind, business_id, entity_id, created_ms, updated_ms, moment, actors, actor_count, message,
    comments, reactions
"""
_NEWEST = text(f"""
    SELECT h.*, n.*
    FROM (SELECT h.user_id, h.read_moment, h.moment + h.read_moment AS version, count(unread.moment) AS unread
          FROM notification_heads h
          LEFT JOIN notifications unread ON unread.user_id = h.user_id AND unread.moment > h.read_moment
          WHERE h.user_id = ANY(CAST(:users AS bigint[])) GROUP BY h.user_id, h.read_moment, h.moment) AS h
    LEFT JOIN LATERAL (
        SELECT {_COLUMNS} FROM notifications WHERE user_id = h.user_id ORDER BY moment DESC LIMIT :count
    ) AS n ON true
    ORDER BY h.user_id, n.moment DESC
""")  # noqa: S608 - constants
_UNREAD = text("""
    SELECT n.kind, h.user_id, n.business_id, n.entity_id, n.actors
    FROM notification_heads h
    CROSS JOIN LATERAL (
        SELECT kind, business_id, entity_id, actors FROM notifications
        WHERE user_id = h.user_id AND moment > h.read_moment ORDER BY moment DESC LIMIT :most
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
_COUNT = text("SELECT count(*) FROM notifications WHERE user_id = :user AND moment > :after AND moment < :before")


async def newest(postgres: Postgres, users: Sequence[int]) -> dict[int, Newest]:
    """Reads for each user the newest CACHED notifications, the number of unread ones, and the read mark, the moment up
    to which the user has read. Reads all in one query, so that they agree. Users who have neither a notification nor a
    read mark are left out.
    """
    rows = await postgres.read(_NEWEST, users=list(users), count=CACHED + 1)
    return {user_id: _newest(some) for user_id, some in grouped((row.user_id, row) for row in rows).items()}


def _newest(rows: Sequence[Any]) -> Newest:
    _, read_moment, version, unread, *_ = rows[0]
    there = [_row(row[4:], read_moment) for row in rows[:CACHED] if row.notification_id is not None]
    return Newest(tuple(there), len(rows) <= CACHED, read_moment, unread, version)


async def page(
    postgres: Postgres, user_id: int, moment: int, count: int, read_moment: int, *, newer: bool = False
) -> list[NotificationRow]:
    """Reads up to `count` of a user's notifications that are older than `moment`, newest first; with `newer`, those
    that are newer, oldest first. In the result, `read` is true for those up to the moment `read_moment`, the user's
    read mark.
    """
    rows = await postgres.read(mirrored(_PAGE) if newer else _PAGE, user=user_id, moment=moment, count=count)
    return [_row(row, read_moment) for row in rows]


async def by_id(postgres: Postgres, user_id: int, ids: Sequence[int], read_moment: int) -> list[NotificationRow]:
    """Reads a user's notifications by id. Ids of other users' notifications are left out. In the result, `read` is true
    for those up to the moment `read_moment`, the user's read mark.
    """
    return [_row(row, read_moment) for row in await postgres.read(_BY_ID, user=user_id, ids=list(ids))]


async def between(postgres: Postgres, user_id: int, after: int, before: int) -> int:
    """Returns how many of a user's notifications have moments that are later than `after` and earlier than `before`."""
    return int((await postgres.read(_COUNT, user=user_id, after=after, before=before))[0][0])


async def unread(postgres: Postgres, users: Sequence[int], most: int) -> list[Sequence[Notice]]:
    """Returns the events of each unread notification of these users, one list for each notification. Reads at most the
    newest `most` unread notifications of each user.
    """
    rows = await postgres.read(_UNREAD, users=list(users), most=most)
    return [recipients.of_notification(*row) for row in rows]


def _row(columns: Sequence[Any], read_moment: int) -> NotificationRow:
    id_, kind, business_id, entity_id, created_ms, updated_ms, moment, actors, count, message, comments, kinds = columns
    about = NotificationKind(kind), business_id, entity_id, created_ms, updated_ms, moment
    return NotificationRow(
        id_, *about, tuple(actors), count, message, tuple(comments or ()), kinds, moment <= read_moment
    )


def encode(newest: Newest) -> Cached:
    """Encodes a user's newest notifications for the cache."""
    rows = [
        [
            *(row.notification_id, row.kind, row.business_id, row.entity_id, row.created_ms, row.updated_ms),
            *(row.moment, row.actors, row.actor_count, row.message, row.comments, row.reactions),
        ]
        for row in newest.rows
    ]
    body = orjson.dumps([newest.whole, newest.read_moment, newest.unread, rows])
    return Cached(newest.version, body, format=_FORMAT)


def decode(cached: Cached) -> Newest:
    """Returns the notifications that `encode` has encoded. Raises OtherFormat if they are encoded in another format."""
    if cached.version == 0:
        return NOTHING
    whole, read_moment, unread, rows = orjson.loads(cached.body_in(_FORMAT))
    return Newest(tuple(_row(row, read_moment) for row in rows), whole, read_moment, unread, cached.version)


CODEC = Codec("notifications", keys.notifications, encode, decode, absent=NOTHING)
"""How the newest notifications of users are cached."""


class Marked(NamedTuple):
    """A published read mark: the user has read all notifications up to `moment`. `version` is that of its journal
    entry.
    """

    user_id: int
    moment: int
    version: int


class ReadMarks:
    """Users' read marks ("I have read all up to here"). A mark is appended to the journal; until it is published,
    `pending` returns it, so that the user sees it at once.
    """

    def __init__(self, redis: Redis, keys: Keys, journal_max_entries: int) -> None:
        self._redis = redis
        self._keys = keys
        self._journal_bound = journal_max_entries

    async def mark(self, user_id: int, moment: int, operation: Operation) -> Outcome:
        """Appends a read mark to the journal and to the user's unpublished read marks: the user has read all
        notifications up to `moment`. If nothing was appended, the status of the outcome says why. The outcome is
        recorded under the name of `operation`. Raises RedisDown, and Moved if the journal belongs to another generation
        than this process has.
        """
        named = [self._keys.seen(user_id), self._keys.operation(user_id, operation.name)]
        args = [SEEN, operation.fingerprint, operation.life_ms, "", self._journal_bound, _MOST_PENDING]
        args += [f"{moment}:", mark_entry(user_id, moment)]
        return Outcome.parse(await operations.run(self._redis, self._keys, WRITE, user_id, named, args))

    def pending(self, user_id: int) -> "asyncio.Future[int]":
        """Reads the greatest moment among those read marks of a user that are not published yet; 0 if there are none.
        The command is queued at once, even if the future is not awaited. The result is 0 while writes go to Postgres
        and not through the journal.
        """
        if self._redis.is_suspended:
            return resolved(0)
        return self._redis("HKEYS", self._keys.seen(user_id), read=_furthest)

    async def sweep(self, marked: Iterable[Marked]) -> None:
        """Removes published read marks from Redis, so that `pending` no longer returns them. Call it when each was
        published longer ago than any request lasts.
        """
        await self._redis.gather(
            [("HDEL", self._keys.seen(user), f"{moment}:{entry_id(version)}") for user, moment, version in marked],
            write=True,
        )


def mark_entry(user_id: int, moment: int) -> bytes:
    """Returns the data of the journal entry of a read mark, as JSON. The user has read all notifications up to
    `moment`.
    """
    return orjson.dumps({"actor": user_id, "moment": moment})


def _furthest(fields: Sequence[bytes]) -> int:
    return max((int(field.partition(b":")[0]) for field in fields), default=0)


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
