"""Notification delivery: turns the events that batches have stored in the table `untold` into notifications, one row
per group of similar events.

A notification's moment is its place in the user's list. Guarantee: the moments that a delivery gives to a user's
notifications are later than all moments that earlier commits have given to this user's notifications. So no
notification ever appears below one that the user has seen. Events are removed from `untold` in the transaction that
delivers them.
"""

from collections.abc import Callable, Collection, Iterable
from operator import attrgetter

import orjson
from sqlalchemy import text

from domain.versions import moment_of
from models.notifications import IS_REPEATED, REPEATED_KINDS, TEXT_KINDS
from store.groups import grouped
from store.notifications import recipients
from store.notifications.grouping import KEPT, Group, group_events
from store.outgoing.events.notifications import NOTIFICATION_CREATED
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_REPEATED = frozenset(map(int, REPEATED_KINDS))
SWEPT_EVERY = 256
"""One in 256 new notifications removes its user's oldest rows. This bounds the number of rows without counting them."""
_SWEPT_AT_ONCE = 1000

_TAKE = text("DELETE FROM untold WHERE p = ANY(CAST(:partitions AS smallint[])) RETURNING notices")
# Only actors of repeated kinds must be counted. Likes and follows cause one event per actor, so their actors are always
# new to the group.
_COUNT_ACTORS = text("""
    INSERT INTO notification_actors (user_id, notification_id, actor_id)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:actors AS bigint[]))
    ON CONFLICT DO NOTHING
    RETURNING user_id, notification_id
""")
# The row in `notification_heads` is the lock for all rows of its user, so the rows themselves are written in any order.
# `excluded.prev_moment` is the number of rows for the user. A row gets its own moment or, if that is later, its rank
# above the head. So if the times of batches overlap, a moment differs from its time by at most the number of rows.
# Citus crashes if SET assigns a bare slice of an array, so `coalesce` encloses it.
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
         message, comments, reactions)
    SELECT g.user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms,
           greatest(own_moment, prev_moment + rank), CAST(actors AS bigint[]), actor_count, message,
           CAST(comments AS bigint[]), reactions
    FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:kinds AS smallint[]),
                CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:created AS bigint[]),
                CAST(:updated AS bigint[]), CAST(:moments AS bigint[]), CAST(:ranks AS bigint[]),
                CAST(:actors AS text[]), CAST(:counts AS bigint[]), CAST(:messages AS text[]),
                CAST(:comments AS text[]), CAST(:reactions AS bigint[]))
         AS g(user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms, own_moment, rank, actors,
              actor_count, message, comments, reactions)
    JOIN heads USING (user_id)
    ON CONFLICT (user_id, notification_id) DO UPDATE SET
        created_ms = least(n.created_ms, excluded.created_ms),
        updated_ms = greatest(n.updated_ms, excluded.updated_ms),
        moment = excluded.moment,
        actors = CASE WHEN {IS_REPEATED} THEN ARRAY(
            SELECT actor FROM unnest(excluded.actors || n.actors) WITH ORDINALITY AS merged(actor, place)
            GROUP BY actor ORDER BY min(place) LIMIT {KEPT}
        ) ELSE (excluded.actors || n.actors)[1:{KEPT}] END,
        actor_count = n.actor_count + excluded.actor_count,
        comments = coalesce((excluded.comments || n.comments)[1:{KEPT}], excluded.comments),
        reactions = nullif(coalesce(n.reactions, 1) | coalesce(excluded.reactions, 1), 1)
    WHERE n.kind NOT IN ({", ".join(map(str, map(int, TEXT_KINDS)))})
    RETURNING user_id, notification_id, kind, business_id, entity_id, updated_ms, moment, actors, actor_count, message,
              comments, reactions
""")  # noqa: S608 - constants
# Every user with notifications has a head. Citus needs a distributed table, not an array, on the left of LATERAL with
# LIMIT.
_SWEEP = text("""
    WITH old AS (
        SELECT h.user_id, o.notification_id FROM notification_heads h
        CROSS JOIN LATERAL (
            SELECT notification_id FROM notifications WHERE user_id = h.user_id
            ORDER BY moment DESC OFFSET :kept LIMIT :most
        ) AS o
        WHERE h.user_id = ANY(CAST(:users AS bigint[]))
    ), swept AS (
        DELETE FROM notifications n USING old
        WHERE n.user_id = old.user_id AND n.notification_id = old.notification_id
    )
    DELETE FROM notification_actors a USING old
    WHERE a.user_id = old.user_id AND a.notification_id = old.notification_id
""")

_COLUMNS = (
    *("users", "ids", "kinds", "businesses", "entities", "created", "updated", "moments", "ranks"),
    *("actors", "counts", "messages", "comments", "reactions"),
)
"""The parameters of `_WRITE` that hold the rows of groups."""
_LAST = attrgetter("last", "id")


async def deliver(
    postgres: Postgres, partitions: Collection[int], partition_of: Callable[[int], int], *, kept: int
) -> set[int]:
    """Turns the stored events of these partitions into notifications, and stores the outgoing events about them, which
    are sent to webhooks and Redis streams. Returns the ids of the users who got a notification. `partition_of` returns
    the partition of a user.

    From time to time, removes a user's oldest notifications, so that about the newest `kept` of each user stay.
    """
    async with postgres.transaction() as transaction:
        if not (taken := await transaction.execute(_TAKE, partitions=sorted(partitions))):
            return set()
        notices = [notice for (some,) in taken for notice in orjson.loads(some)]
        groups = group_events(await recipients.shown(transaction, notices))
        if not groups:
            return set()
        await _count(transaction, groups)
        await _write(transaction, groups, events_out := OutgoingEvents(partition_of))
        crowded = sorted({group.place[1] for group in groups if group.id % SWEPT_EVERY == 0})
        if crowded:
            await transaction.execute(_SWEEP, users=crowded, kept=kept, most=_SWEPT_AT_ONCE)
        await events_out.write(transaction)
    return {group.place[1] for group in groups}


async def _count(transaction: Transaction, groups: Iterable[Group]) -> None:
    """Sets the `count` of each group: how many of its actors the stored notification does not include yet."""
    again: dict[tuple[int, int], Group] = {}
    for group in groups:
        if group.place[0] in _REPEATED:
            again[group.place[1], group.id] = group
        else:
            group.count = len(group.actors)
    if again:
        rows = sorted((*where, actor) for where, group in again.items() for actor in group.actors)
        for user_id, id_ in await transaction.execute(_COUNT_ACTORS, **columns(rows, "users", "ids", "actors")):
            again[user_id, id_].count += 1


async def _write(transaction: Transaction, groups: Iterable[Group], events_out: OutgoingEvents) -> None:
    """Writes the notifications, and the newest moment of each user (the head). Writes in order of users, which prevents
    deadlocks: a head stays locked until the commit. Adds the written notifications to `events_out`.
    """
    by_user = grouped((group.place[1], group) for group in groups)
    heads: list[tuple[int, int, int]] = []
    rows: list[tuple[object, ...]] = []
    for user_id, some in sorted(by_user.items()):
        some.sort(key=_LAST)
        moments = _rising([moment_of(group.last) for group in some])
        heads.append((user_id, moments[-1], len(some)))
        rows += [group.row(moment, rank) for rank, (group, moment) in enumerate(zip(some, moments, strict=True), 1)]
    written = await transaction.execute(_WRITE, **columns(heads, "heads", "newest", "many"), **columns(rows, *_COLUMNS))
    for user_id, id_, kind, business_id, entity_id, updated_ms, moment, *more in written:
        actors, count, message, comments, reactions = more
        events_out.add(
            *(NOTIFICATION_CREATED, user_id, business_id, moment, (user_id, id_)),
            notification=kind,
            about=(business_id, entity_id),
            updated_ms=updated_ms,
            actors=actors,
            actor_count=count,
            message=message,
            comments=comments,
            reactions=reactions,
        )


def _rising(moments: list[int]) -> list[int]:
    """Raises moments in the list where needed, so that each is later than the one before it. Returns the list."""
    for at in range(1, len(moments)):
        moments[at] = max(moments[at], moments[at - 1] + 1)
    return moments
