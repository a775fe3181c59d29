"""Leaderboards: what was liked most in a business, on a day, in seven days, of all time.

Truth counts likes by day beside the totals. Of every board an index knows who is ahead by powers of two alone, which
change so seldom that counting costs no write to an index; a board is made of the first `_AHEAD` of that order, and is
exact as long as no more than these are as good as its last place. A week's is made of its days' first ones.

A board is a list of store/cache/lists.py with scores for moments: likes, and 20 bits in which no two equals are
likely to meet, so that the order is one and a floor cuts it anywhere.
"""

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import NamedTuple

from sqlalchemy import text

from models.counters import CounterKind, EntityRef
from store import keys
from store.cache import lists
from store.cache.lists import FLOOR, NEWEST, Item
from store.cache.values import Cache
from store.keys import lease
from store.postgres.client import Postgres

DAY_MS = 86_400_000
CAP = 500
LIFE_MS = 600_000
"""Of a day's board, which is published to; others live shortly instead."""
SHORT_LIFE_MS = 30_000
_TIE_BITS = 20
_AHEAD, _AHEAD_OF_DAY = 10_000, 2_000

_SCORE = f"(value << {_TIE_BITS}) | ((entity_id >> 22) & {(1 << _TIE_BITS) - 1})"
_RANKED = f"""
    SELECT score, entity_id FROM (SELECT {_SCORE} AS score, entity_id FROM ahead) AS scored
    WHERE (score, entity_id) < (:score, :member) ORDER BY score DESC, entity_id DESC LIMIT :count
"""  # noqa: S608 - constants
_OF_DAY = text(f"""
    WITH ahead AS (
        SELECT value, entity_id FROM daily_likes
        WHERE business_id = :business AND day = :day AND magnitude > 0 ORDER BY magnitude DESC LIMIT {_AHEAD}
    ) {_RANKED}
""")  # noqa: S608 - constants
_OF_WEEK = text(f"""
    WITH known AS (
        SELECT DISTINCT l.entity_id
        FROM generate_series(CAST(:day AS integer) - 6, CAST(:day AS integer)) AS days(day)
        CROSS JOIN LATERAL (
            SELECT entity_id FROM daily_likes
            WHERE business_id = :business AND day = days.day AND magnitude > 0
            ORDER BY magnitude DESC LIMIT {_AHEAD_OF_DAY}
        ) AS l
    ), ahead AS (
        SELECT CAST(sum(d.value) AS bigint) AS value, entity_id FROM known JOIN daily_likes d USING (entity_id)
        WHERE d.business_id = :business AND d.day BETWEEN CAST(:day AS integer) - 6 AND CAST(:day AS integer)
        GROUP BY entity_id HAVING sum(d.value) > 0
    ) {_RANKED}
""")  # noqa: S608 - constants
_OF_ALL_TIME = text(f"""
    WITH ahead AS (
        SELECT value, entity_id FROM counters
        WHERE business_id = :business AND kind = {CounterKind.LIKES:d} AND magnitude > 0
        ORDER BY magnitude DESC LIMIT {_AHEAD}
    ) {_RANKED}
""")  # noqa: S608 - constants
_PLACED = text(f"""
    SELECT business_id, day, CASE WHEN value > 0 THEN {_SCORE} ELSE 0 END, entity_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:days AS integer[]), CAST(:entities AS bigint[]))
         AS wanted(business_id, day, entity_id)
    JOIN daily_likes USING (business_id, day, entity_id)
""")  # noqa: S608 - constants


class LeaderboardChange(NamedTuple):
    """Something that was liked on a day (since the Unix epoch, in UTC), or no longer."""

    business_id: int
    day: int
    entity_id: int


def likes_of(item: Item) -> int:
    """How many likes put something where it is."""
    return item.moment >> _TIE_BITS


async def of_day(postgres: Postgres, business_id: int, day: int, before: Item | None, count: int) -> list[Item]:
    """What was liked most on a day, below `before`: likes given that day, less those taken back."""
    score, member = before or NEWEST
    rows = await postgres.read(_OF_DAY, business=business_id, day=day, score=score, member=member, count=count)
    return list(starmap(Item, rows))


async def of_week(postgres: Postgres, business_id: int, day: int, before: Item | None, count: int) -> list[Item]:
    """What was liked most in the seven days that end with one."""
    score, member = before or NEWEST
    rows = await postgres.read(_OF_WEEK, business=business_id, day=day, score=score, member=member, count=count)
    return list(starmap(Item, rows))


async def of_all_time(postgres: Postgres, business_id: int, before: Item | None, count: int) -> list[Item]:
    """What has the most likes."""
    score, member = before or NEWEST
    rows = await postgres.read(_OF_ALL_TIME, business=business_id, score=score, member=member, count=count)
    return list(starmap(Item, rows))


async def publish(cache: Cache, postgres: Postgres, places: Iterable[LeaderboardChange]) -> None:
    """What rows say of these places, to those boards of days that are cached.

    Fills that are under way are voided first: what begins later reads what is in the rows by now.
    """
    by_board: dict[str, list[LeaderboardChange]] = {}
    for place in sorted(places):
        by_board.setdefault(keys.board(place.business_id, str(place.day)), []).append(place)
    commands = [command for board in by_board for command in (("DEL", lease(board)), ("ZSCORE", board, FLOOR))]
    floors = (await cache.redis.gather(commands, write=True))[1::2]
    wanted = [
        place for some, floor in zip(by_board.values(), floors, strict=True) if floor is not None for place in some
    ]
    if not wanted:
        return
    changes: dict[str, list[Item]] = {}
    for business_id, day, *item in await _placed(postgres, wanted):
        changes.setdefault(keys.board(business_id, str(day)), []).append(Item(*item))
    await lists.publish_scores(cache, changes.items(), cap=CAP)


async def _placed(postgres: Postgres, places: Sequence[LeaderboardChange]) -> Sequence[Sequence[int]]:
    businesses, days, entities = map(list, zip(*places, strict=True))
    return await postgres.read(_PLACED, businesses=businesses, days=days, entities=entities)


def day_key(board: EntityRef) -> str:
    """Names the cached board of a day; a board is of a business and a day."""
    return keys.board(board.business_id, str(board.entity_id))


def week_key(board: EntityRef) -> str:
    """Names the cached board of a business's last seven days."""
    return keys.board(board.business_id, "week")


def all_time_key(board: EntityRef) -> str:
    """Names the cached board of all likes of a business."""
    return keys.board(board.business_id, "all")
