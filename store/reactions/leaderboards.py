"""Leaderboards: the most liked entities of a business (a line of content, such as videos) on a day, in seven days, and
of all time. The same for the reactions of one kind.

Postgres counts likes by day and in total. An index orders entities by the power of two that their likes have reached.
This power changes seldom, so counting rarely writes to the index. A board is computed from the first `_AHEAD` entities
of the index. The board is exact unless more entities than that have reached the power of two of the last place.

A week's board is computed from the first `_AHEAD_OF_DAY` entities of each day: of these, from the `_AHEAD_OF_WEEK` with
the most likes on the days on which they are among the first. All their days are looked up by the primary key. The order
of this key (business, day, entity) lets all likes of a day write to few pages of the index.

A cached board is a list of store/cache/lists.py with scores instead of moments. A score is the number of likes followed
by 20 bits of the entity's id. So two entities with the same number of likes rarely have the same score, and a floor can
cut the list at any place.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import TextClause, text

from models.counters import CounterKind, EntityRef
from models.likes import counter_of
from settings import FIRST_REACTION, LAST_REACTION
from store import keys
from store.cache import lists
from store.cache.lists import FLOOR, Item
from store.cache.values import Cache
from store.content.items import page
from store.groups import grouped
from store.keys import lease
from store.postgres.client import Postgres
from store.postgres.columns import columns

DAY_MS = 86_400_000
WEEK_DAYS = 7
"""Days of a week's leaderboard."""
CAP = 500
LIFE_MS = 600_000
"""The life of a day's cached board, which is updated when likes change."""
SHORT_LIFE_MS = 30_000
"""The life of other cached boards, which are not updated."""
_TIE_BITS = 20
_AHEAD, _AHEAD_OF_DAY, _AHEAD_OF_WEEK = 10_000, 2_000, 1_000

_SCORE = f"(value << {_TIE_BITS}) | ((entity_id >> 22) & {(1 << _TIE_BITS) - 1})"
_RANKED = f"""
    SELECT score, entity_id FROM (SELECT {_SCORE} AS score, entity_id FROM ahead) AS scored
    WHERE (score, entity_id) < (:moment, :member) ORDER BY score DESC, entity_id DESC LIMIT :count
"""  # noqa: S608 - constants
_DAYS = [f"CAST(:day AS integer) - {ago}" for ago in range(WEEK_DAYS)]
_WEEK = ", ".join(_DAYS)


def _of_day(source: str) -> TextClause:
    """Returns the statement that ranks entities by their likes or reactions of a day. `source` is the SQL after FROM: a
    table with a condition on the business and, for reactions, on the kind.
    """
    return text(f"""
        WITH ahead AS (
            SELECT value, entity_id FROM {source} AND day = :day AND magnitude > 0
            ORDER BY magnitude DESC LIMIT {_AHEAD}
        ) {_RANKED}
    """)  # noqa: S608 - constants


def _of_week(source: str) -> TextClause:
    """Returns the statement that ranks entities by their likes or reactions of seven days. For `source`, see
    `_of_day`.
    """
    leaders = " UNION ALL ".join(
        f"""(
            SELECT value, entity_id FROM {source} AND day = {day} AND magnitude > 0
            ORDER BY magnitude DESC LIMIT {_AHEAD_OF_DAY}
        )"""  # noqa: S608 - constants
        for day in _DAYS
    )
    return text(f"""
        WITH known AS MATERIALIZED (
            SELECT entity_id FROM ({leaders}) AS leaders
            GROUP BY entity_id ORDER BY sum(value) DESC LIMIT {_AHEAD_OF_WEEK}
        ), ahead AS (
            SELECT CAST(sum(d.value) AS bigint) AS value, entity_id
            FROM known JOIN (SELECT value, entity_id FROM {source} AND day IN ({_WEEK})) AS d USING (entity_id)
            GROUP BY entity_id HAVING sum(d.value) > 0
        ) {_RANKED}
    """)  # noqa: S608 - constants


def _of_all_time(kinds: str) -> TextClause:
    """Returns the statement that ranks entities by a counter. `kinds` is an SQL condition on the kind of counter, for
    which the table has an index.
    """
    return text(f"""
        WITH ahead AS (
            SELECT value, entity_id FROM counters
            WHERE business_id = :business AND {kinds} AND magnitude > 0
            ORDER BY magnitude DESC LIMIT {_AHEAD}
        ) {_RANKED}
    """)  # noqa: S608 - constants


_LIKES = "daily_likes WHERE business_id = :business"
_REACTIONS = "daily_reactions WHERE business_id = :business AND kind = :kind"
_OF_DAY, _OF_WEEK = _of_day(_LIKES), _of_week(_LIKES)
_KIND_OF_DAY, _KIND_OF_WEEK = _of_day(_REACTIONS), _of_week(_REACTIONS)
_OF_ALL_TIME = _of_all_time(f"kind = {CounterKind.LIKES:d}")
_OF_KIND = _of_all_time(f"kind = :kind AND kind BETWEEN {counter_of(FIRST_REACTION)} AND {counter_of(LAST_REACTION)}")
_PLACED = text(f"""
    SELECT business_id, day, CASE WHEN value > 0 THEN {_SCORE} ELSE 0 END, entity_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:days AS integer[]), CAST(:entities AS bigint[]))
         AS wanted(business_id, day, entity_id)
    JOIN daily_likes USING (business_id, day, entity_id)
""")  # noqa: S608 - constants


class LeaderboardChange(NamedTuple):
    """Says that the number of likes that an entity got on one day has changed. Days are counted from the Unix epoch, in
    UTC.
    """

    business_id: int
    day: int
    entity_id: int


def likes_of(item: Item) -> int:
    """Returns how many likes an item of a leaderboard has. The number is part of the item's score."""
    return item.score >> _TIE_BITS


async def of_day(postgres: Postgres, business_id: int, day: int, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` entities of a business from the leaderboard of a day, most likes first: those after `before`
    (None: the first). Counts the likes given on that day minus likes removed. Days are counted from the Unix epoch.
    Items are (score, entity id).
    """
    return await page(postgres, _OF_DAY, before, count, business=business_id, day=day)


async def of_week(postgres: Postgres, business_id: int, day: int, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` entities of a business from the leaderboard of the seven days that end with `day`, most likes
    first: those after `before` (None: the first). Days are counted from the Unix epoch. Items are (score, entity id).
    """
    return await page(postgres, _OF_WEEK, before, count, business=business_id, day=day)


async def of_all_time(postgres: Postgres, business_id: int, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` entities of a business from the leaderboard of all time, most likes first: those after
    `before` (None: the first). Items are (score, entity id).
    """
    return await page(postgres, _OF_ALL_TIME, before, count, business=business_id)


async def of_kind(
    postgres: Postgres, business_id: int, kind: int, days: tuple[int, int] | None, before: Item | None, count: int
) -> list[Item]:
    """Reads up to `count` entities of a business from the leaderboard of one kind of reaction, most reactions first:
    those after `before` (None: the first). `kind` is the id of a kind that the business defines. `days` is the last day
    of the board, counted from the Unix epoch, and the number of its days, 1 or 7; None for all time. Items are (score,
    entity id).
    """
    of = {"business": business_id, "kind": kind}
    if days is None:
        return await page(postgres, _OF_KIND, before, count, **of | {"kind": counter_of(kind)})
    day, length = days
    return await page(postgres, _KIND_OF_DAY if length == 1 else _KIND_OF_WEEK, before, count, **of, day=day)


async def publish(cache: Cache, postgres: Postgres, places: Iterable[LeaderboardChange]) -> None:
    """Updates the cached leaderboards of days: sets the current likes of the entities whose likes have changed.

    Cancels running fills of these leaderboards, because they may have read older rows. Raises RedisDown and
    PostgresDown.
    """
    by_board = grouped((keys.board(place.business_id, str(place.day)), place) for place in sorted(places))
    commands = [command for board in by_board for command in (("DEL", lease(board)), ("ZSCORE", board, FLOOR))]
    floors = (await cache.redis.gather(commands, write=True))[1::2]
    if cache.log:
        await cache.void_elsewhere([board for board, floor in zip(by_board, floors, strict=True) if floor is None])
    wanted = [
        place for some, floor in zip(by_board.values(), floors, strict=True) if floor is not None for place in some
    ]
    if not wanted:
        return
    rows = await postgres.read(_PLACED, **columns(wanted, "businesses", "days", "entities"))
    placed = ((keys.board(business_id, str(day)), Item(score, id_)) for business_id, day, score, id_ in rows)
    await lists.publish_scores(cache, grouped(placed).items(), cap=CAP)


def day_key(board: EntityRef) -> str:
    """Returns the key of the cached leaderboard of a business on one day. `board` is (business number, day); days are
    counted from the Unix epoch.
    """
    return keys.board(board.business_id, str(board.entity_id))


def week_key(board: EntityRef) -> str:
    """Returns the key of the cached leaderboard of a business's last seven days. `board` has the business number."""
    return keys.board(board.business_id, "week")


def all_time_key(board: EntityRef) -> str:
    """Returns the key of a business's cached leaderboard of all time. `board` has the business number."""
    return keys.board(board.business_id, "all")


def kind_key(board: EntityRef, kind: int, days: tuple[int, int] | None) -> str:
    """Returns the key of a business's cached leaderboard of one kind of reaction. `board` has the business number. For
    `days`, see `of_kind`.
    """
    window = "all" if days is None else str(days[0]) if days[1] == 1 else "week"
    return keys.board(board.business_id, f"{window}:{kind}")
