"""Notification delivery: turns the stored events of batches into notifications, one row per group of similar events.

Guarantee: all new moments of a user's rows are later than any moment before, in the order of commits. So nothing ever
appears below what the user has seen. Events are removed from the outbox in the transaction that delivers them.
"""

import hashlib
from collections.abc import Collection, Iterable
from heapq import nlargest
from operator import attrgetter

import orjson
from sqlalchemy import text

from store.notifications.outbox import COMMENT, MENTION, MODERATION, REPLY, Notice
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.write_log.journal import moment_of, version_ms

_COMMENT, _REPLY, _MENTION, _MODERATION = int(COMMENT), int(REPLY), int(MENTION), int(MODERATION)
BUCKET_MS = 12 * 3_600_000
"""Events within the same half day (UTC), in milliseconds, are grouped in one notification."""
SHOWN_ACTORS = 5
SWEPT_EVERY = 256
"""One in 256 new notifications removes its user's oldest rows. This bounds the number of rows without counting them."""
_SWEPT_AT_ONCE = 1000
_WEIGHTS = {_MENTION: 1, _COMMENT: 2, _REPLY: 3}

_TAKE = text("DELETE FROM untold WHERE p = ANY(CAST(:partitions AS smallint[])) RETURNING notices")
# Only actors of comments and replies must be counted. Likes and follows cause one event per actor, so their actors are
# always new to the group.
_COUNT_ACTORS = text("""
    INSERT INTO notification_actors (user_id, notification_id, actor_id)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:actors AS bigint[]))
    ON CONFLICT DO NOTHING
    RETURNING user_id, notification_id
""")
# The row in `notification_heads` is the lock for all rows of its user, so the rows themselves are written in any order.
# `excluded.prev_moment` is the number of rows for the user. A row gets its own moment or, if that is later, its rank
# above the head. So if the times of batches overlap, a moment differs from its time by at most the number of rows.
_WRITE = text(f"""
    WITH heads AS (
        INSERT INTO notification_heads AS h (user_id, moment, prev_moment, read_moment)
        SELECT user_id, newest, many, 0
        FROM unnest(CAST(:heads AS bigint[]), CAST(:newest AS bigint[]), CAST(:many AS bigint[]))
             AS w(user_id, newest, many)
        ON CONFLICT (user_id) DO UPDATE SET
            moment = greatest(excluded.moment, h.moment + excluded.prev_moment),
            prev_moment = h.moment
        RETURNING user_id, prev_moment
    )
    INSERT INTO notifications AS n
        (user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms, moment, actors, actor_count,
         message)
    SELECT g.user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms,
           greatest(own_moment, prev_moment + rank), CAST(actors AS bigint[]), actor_count, message
    FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:kinds AS smallint[]),
                CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:created AS bigint[]),
                CAST(:updated AS bigint[]), CAST(:moments AS bigint[]), CAST(:ranks AS bigint[]),
                CAST(:actors AS text[]), CAST(:counts AS bigint[]), CAST(:messages AS text[]))
         AS g(user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms, own_moment, rank, actors,
              actor_count, message)
    JOIN heads USING (user_id)
    ON CONFLICT (user_id, notification_id) DO UPDATE SET
        created_ms = least(n.created_ms, excluded.created_ms),
        updated_ms = greatest(n.updated_ms, excluded.updated_ms),
        moment = excluded.moment,
        actors = CASE WHEN n.kind IN ({COMMENT:d}, {REPLY:d}) THEN ARRAY(
            SELECT actor FROM unnest(excluded.actors || n.actors) WITH ORDINALITY AS merged(actor, place)
            GROUP BY actor ORDER BY min(place) LIMIT {SHOWN_ACTORS}
        ) ELSE (excluded.actors || n.actors)[1:{SHOWN_ACTORS}] END,
        actor_count = n.actor_count + excluded.actor_count
    WHERE n.kind <> {MENTION:d}
""")  # noqa: S608 - constants
_SWEEP = text("""
    WITH old AS (
        SELECT wanted.user_id, o.notification_id FROM unnest(CAST(:users AS bigint[])) AS wanted(user_id)
        CROSS JOIN LATERAL (
            SELECT notification_id FROM notifications WHERE user_id = wanted.user_id
            ORDER BY moment DESC OFFSET :kept LIMIT :most
        ) AS o
    ), swept AS (
        DELETE FROM notifications n USING old
        WHERE n.user_id = old.user_id AND n.notification_id = old.notification_id
    )
    DELETE FROM notification_actors a USING old
    WHERE a.user_id = old.user_id AND a.notification_id = old.notification_id
""")

_Place = tuple[int, int, int, int, int]
"""The identity of a group: kind, user, business, entity, half day."""


class _Group:
    """A group of similar events: its first and last version, and its actors with the version of their last event."""

    __slots__ = ("actors", "count", "first", "id", "last", "message", "place")

    def __init__(self, place: _Place, version: int, message: str | None) -> None:
        self.place = place
        self.id = _digest(place)
        self.first = self.last = version
        self.message = message
        self.actors: dict[int, int] = {}
        self.count = 0
        """How many of the actors are new to the group."""

    def add(self, actor_id: int, version: int) -> None:
        if version < self.first:
            self.first = version
        elif version > self.last:
            self.last = version
        if version > self.actors.get(actor_id, 0):
            self.actors[actor_id] = version

    def row(self, moment: int, rank: int) -> tuple[object, ...]:
        kind, user_id, business_id, entity_id, _ = self.place
        times = version_ms(self.first), version_ms(self.last), moment
        return user_id, self.id, kind, business_id, entity_id, *times, rank, self._shown, self.count, self.message

    @property
    def _shown(self) -> str:
        """Returns the newest actors as a Postgres array literal."""
        actors: Iterable[int] = self.actors
        if len(self.actors) > 1:
            actors = nlargest(SHOWN_ACTORS, actors, key=lambda actor: (self.actors[actor], actor))
        return f"{{{','.join(map(str, actors))}}}"


_COLUMNS = (
    *("users", "ids", "kinds", "businesses", "entities", "created", "updated", "moments", "ranks"),
    *("actors", "counts", "messages"),
)
"""The parameters of `_WRITE` that hold the rows of groups."""
_LAST = attrgetter("last", "id")


def _digest(place: _Place) -> int:
    """Returns 63 bits of the digest of a group's identity. So later events of the group find its row."""
    return int.from_bytes(hashlib.blake2b(b"%d:%d:%d:%d:%d" % place, digest_size=8).digest()) >> 1


async def deliver(postgres: Postgres, partitions: Collection[int], *, kept: int) -> set[int]:
    """Delivers the stored events of these partitions as notifications. Returns the ids of the users who got some.

    About the newest `kept` notifications of each user stay.
    """
    async with postgres.transaction() as transaction:
        taken = await transaction.execute(_TAKE, partitions=sorted(partitions))
        groups = _grouped(notice for (notices,) in taken for notice in orjson.loads(notices))
        if not groups:
            return set()
        await _count(transaction, groups)
        await _write(transaction, groups)
        crowded = sorted({group.place[1] for group in groups if group.id % SWEPT_EVERY == 0})
        if crowded:
            await transaction.execute(_SWEEP, users=crowded, kept=kept, most=_SWEPT_AT_ONCE)
    return {group.place[1] for group in groups}


def _grouped(notices: Iterable[Notice]) -> Collection[_Group]:
    groups: dict[_Place, _Group] = {}
    said: dict[tuple[int, int, int], Notice] = {}
    for notice in notices:
        if notice[0] in _WEIGHTS:
            _, user_id, _, _, actor_id, version, _ = notice
            other = said.get((user_id, actor_id, version))
            if other is None or _WEIGHTS[notice[0]] > _WEIGHTS[other[0]]:
                said[user_id, actor_id, version] = notice
        else:
            _add(groups, notice)
    for notice in said.values():
        _add(groups, notice)
    return groups.values()


def _add(groups: dict[_Place, _Group], notice: Notice) -> None:
    kind, user_id, business_id, entity_id, actor_id, version, message = notice
    bucket = version if kind == _MODERATION else 0 if kind == _MENTION else version_ms(version) // BUCKET_MS
    place = kind, user_id, business_id, entity_id, bucket
    group = groups.get(place)
    if group is None:
        group = groups[place] = _Group(place, version, message)
    if actor_id:
        group.add(actor_id, version)


async def _count(transaction: Transaction, groups: Iterable[_Group]) -> None:
    """Finds out how many actors of each group are new to it."""
    again: dict[tuple[int, int], _Group] = {}
    for group in groups:
        if group.place[0] in (_COMMENT, _REPLY):
            again[group.place[1], group.id] = group
        else:
            group.count = len(group.actors)
    if again:
        rows = sorted((*where, actor) for where, group in again.items() for actor in group.actors)
        for user_id, id_ in await transaction.execute(_COUNT_ACTORS, **columns(rows, "users", "ids", "actors")):
            again[user_id, id_].count += 1


async def _write(transaction: Transaction, groups: Iterable[_Group]) -> None:
    """Writes heads and rows in order of users, which prevents deadlocks: a head stays locked until the commit."""
    by_user: dict[int, list[_Group]] = {}
    for group in groups:
        by_user.setdefault(group.place[1], []).append(group)
    heads: list[tuple[int, int, int]] = []
    rows: list[tuple[object, ...]] = []
    for user_id, some in sorted(by_user.items()):
        some.sort(key=_LAST)
        moments = _rising([moment_of(group.last) for group in some])
        heads.append((user_id, moments[-1], len(some)))
        rows += [group.row(moment, rank) for rank, (group, moment) in enumerate(zip(some, moments, strict=True), 1)]
    await transaction.execute(_WRITE, **columns(heads, "heads", "newest", "many"), **columns(rows, *_COLUMNS))


def _rising(moments: list[int]) -> list[int]:
    """Makes the moments strictly rising, in place: each later than the one before it."""
    for at in range(1, len(moments)):
        moments[at] = max(moments[at], moments[at - 1] + 1)
    return moments
