"""Suggestions of users to follow: the cached lists, the users whose lists are due, and the rows from which workers
compute lists.

The first request of a user makes an empty list, and marks the user as due. A worker computes the lists of due users who
have a list. A list expires after its last request. The lists are a cache: a lost list is computed again.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import TextClause, text

from models.likes import Reaction
from models.suggestions import Suggestion, SuggestionReason
from settings import POSTS
from store import keys
from store.cache.values import Cache
from store.postgres.client import Postgres
from store.postgres.distributed import on_citus

MOST = 60
"""The most users in a list."""
LIFE_MS = 7 * 86_400_000
"""How long a list is kept after its user has last asked for it, in milliseconds."""
_FORMAT = 1
_NAMES = 3
_MOST_DUE = 100_000
"""The most users that are due at once. Users beyond this number are marked when they ask again."""


def _second_degree(newest: str) -> TextClause:
    """Returns the statement that reads which users the followed users follow. `newest` selects (user_id, followee_id)
    of the newest follows of each of these users.
    """
    return text(f"""
        WITH paths AS MATERIALIZED ({newest})
        SELECT p.followee_id, CAST(count(*) AS integer) AS count,
               (array_agg(p.user_id ORDER BY w.place))[1:{_NAMES}] AS names
        FROM paths p
        JOIN unnest(CAST(:followed AS bigint[])) WITH ORDINALITY AS w(user_id, place) ON w.user_id = p.user_id
        LEFT JOIN unnest(CAST(:excluded AS bigint[])) AS x(user_id) ON x.user_id = p.followee_id
        WHERE x.user_id IS NULL
        GROUP BY p.followee_id ORDER BY 2 DESC, 1 DESC LIMIT :count
    """)  # noqa: S608 - constants


# Citus refuses LIMIT in a subquery that refers to rows of other shards (store/content/inboxes.py).
_SECOND_DEGREE = on_citus(
    _second_degree("""
        SELECT f.user_id, f.followee_id FROM unnest(CAST(:followed AS bigint[])) AS w(user_id)
        CROSS JOIN LATERAL (
            SELECT user_id, followee_id FROM following WHERE user_id = w.user_id
            ORDER BY moment DESC, followee_id DESC LIMIT :each
        ) AS f
    """),
    _second_degree("""
        SELECT user_id, followee_id FROM (
            SELECT user_id, followee_id,
                   row_number() OVER (PARTITION BY user_id ORDER BY moment DESC, followee_id DESC) AS place
            FROM following WHERE user_id = ANY(CAST(:followed AS bigint[]))
        ) AS f
        WHERE place <= :each
    """),
)
_SHARED_LIKES = text(f"""
    SELECT user_id, array_agg(entity_id) AS posts FROM reactions
    WHERE business_id = {POSTS} AND entity_id = ANY(CAST(:posts AS bigint[])) AND state = {Reaction.LIKE:d}
    GROUP BY user_id HAVING count(*) > 1 ORDER BY count(*) DESC, user_id DESC LIMIT :count
""")  # noqa: S608 - constants
_NEWEST = text("""
    SELECT user_id FROM users WHERE NOT is_private AND suspended IS NULL AND deletion IS NULL
    ORDER BY user_id DESC LIMIT :count
""")


class StoredSuggestions(NamedTuple):
    """The list of a user. `made_ms` is the time at which it was computed, in milliseconds since the Unix epoch; 0 for a
    list that a worker has yet to compute.
    """

    made_ms: int
    users: Sequence[Suggestion]


async def read(cache: Cache, user_id: int) -> StoredSuggestions | None:
    """Reads the list of a user, and prolongs its life. Returns None if there is none. Raises RedisDown."""
    raw: bytes | None = await cache.redis("GETEX", keys.suggested(user_id), "PX", LIFE_MS, write=True)
    if raw is None:
        return None
    format_, made_ms, rows = orjson.loads(raw) if raw else (_FORMAT, 0, ())
    if format_ != _FORMAT:
        return StoredSuggestions(0, ())
    return StoredSuggestions(
        made_ms,
        [Suggestion(id_, SuggestionReason(why), score, tuple(by), *rest) for id_, why, score, by, *rest in rows],
    )


def ask(cache: Cache, user_id: int, now_ms: int) -> None:
    """Makes an empty list of a user unless there is one, and marks the user as due. The commands are queued for one
    round trip and not awaited.
    """
    cache.redis("SET", keys.suggested(user_id), b"", "NX", "PX", LIFE_MS, write=True)
    mark(cache, [user_id], now_ms)


def mark(cache: Cache, users: Collection[int], due_ms: int) -> None:
    """Marks users as due from the time `due_ms` on, in milliseconds since the Unix epoch. The time of a user who is due
    earlier stays. The commands are queued for one round trip and not awaited.
    """
    if users:
        due = keys.suggestions_due()
        cache.redis("ZADD", due, "LT", *(word for user in users for word in (due_ms, user)), write=True)
        cache.redis("ZREMRANGEBYRANK", due, _MOST_DUE, -1, write=True)


async def take_due(cache: Cache, now_ms: int, count: int) -> list[int]:
    """Takes up to `count` users who are due at the time `now_ms`, in milliseconds since the Unix epoch. No other worker
    gets these users. Returns those who have a list. Raises RedisDown.
    """
    due = keys.suggestions_due()
    found = await cache.redis("ZRANGE", due, "-inf", now_ms, "BYSCORE", "LIMIT", 0, count)
    taken = await cache.redis.gather([("ZREM", due, user) for user in found], write=True)
    users = [int(user) for user, is_taken in zip(found, taken, strict=True) if is_taken]
    has_list = await cache.redis.gather([("EXISTS", keys.suggested(user)) for user in users])
    return [user for user, there in zip(users, has_list, strict=True) if there]


async def write(cache: Cache, user_id: int, users: Sequence[Suggestion], now_ms: int) -> None:
    """Replaces the list of a user, if there is one. Its life stays as it is. Raises RedisDown."""
    rows = [(one.user_id, one.reason.value, *one[2:]) for one in users[:MOST]]
    body = orjson.dumps([_FORMAT, now_ms, rows])
    await cache.redis("SET", keys.suggested(user_id), body, "XX", "KEEPTTL", write=True)


class SecondDegree(NamedTuple):
    """A user with followers among the followed users: the number of these followers, and the first three of them."""

    user_id: int
    paths: int
    names: Sequence[int]


async def second_degree(
    postgres: Postgres, followed: Sequence[int], excluded: Collection[int], *, each: int, count: int
) -> list[SecondDegree]:
    """Reads which users the users `followed` follow, without `excluded`: at most `count`, those with most followers
    among `followed` first. Only the newest `each` follows of each user are read.
    """
    parameters = {"followed": list(followed), "excluded": list(excluded), "each": each, "count": count}
    return [SecondDegree(*row) for row in await postgres.read(_SECOND_DEGREE, **parameters)]


async def shared_likes(postgres: Postgres, posts: Sequence[int], count: int) -> dict[int, Sequence[int]]:
    """Reads the users who like at least two of these posts, with the posts that each likes. Those who like most posts
    come first, at most `count`. Reads all likes of the posts.
    """
    return {row.user_id: row.posts for row in await postgres.read(_SHARED_LIKES, posts=list(posts), count=count)}


async def newest_users(postgres: Postgres, count: int) -> list[int]:
    """Reads the newest `count` users who are neither private nor suspended nor deleted."""
    return [row.user_id for row in await postgres.read(_NEWEST, count=count)]
