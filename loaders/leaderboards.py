"""Reads the leaderboards of a business (a kind of content). Workers update the cached board of the day. The boards of
the week and of all time are read from Postgres and cached for 30 seconds.
"""

from collections.abc import Awaitable, Callable
from enum import Enum

from loaders import lists
from loaders.lists import ListKind, ListPage
from models.counters import EntityRef
from state import State
from store.cache.lists import Item
from store.postgres.client import Postgres
from store.reactions import leaderboards
from store.reactions.leaderboards import CAP, DAY_MS, LIFE_MS, SHORT_LIFE_MS, WEEK_DAYS


class LeaderboardWindow(Enum):
    """The period whose likes a leaderboard counts."""

    DAY = "DAY"
    WEEK = "WEEK"
    ALL = "ALL"


Truth = Callable[[Postgres, EntityRef, Item | None, int], Awaitable[list[Item]]]


def _kind(key: Callable[[EntityRef], str], truth: Truth, life_ms: int) -> ListKind:
    return ListKind(key, lambda _, __: CAP, truth, None, life_ms)


_KINDS = {
    LeaderboardWindow.DAY: _kind(
        leaderboards.day_key,
        lambda postgres, of, before, count: leaderboards.of_day(postgres, *of, before, count),
        LIFE_MS,
    ),
    LeaderboardWindow.WEEK: _kind(
        leaderboards.week_key,
        lambda postgres, of, before, count: leaderboards.of_week(postgres, *of, before, count),
        SHORT_LIFE_MS,
    ),
    LeaderboardWindow.ALL: _kind(
        leaderboards.all_time_key,
        lambda postgres, of, before, count: leaderboards.of_all_time(postgres, of.business_id, before, count),
        SHORT_LIFE_MS,
    ),
}
"""The kind of list for each window. The owner of a list is an EntityRef: the business id, and the current day, counted
from the Unix epoch in UTC.
"""


_LENGTHS = {LeaderboardWindow.DAY: 1, LeaderboardWindow.WEEK: WEEK_DAYS}


def _of_kind(window: LeaderboardWindow, kind: int, today: int) -> ListKind:
    """Returns the kind of list of the leaderboards of one kind of reaction. `kind` is its id, and `today` the current
    day, counted from the Unix epoch in UTC. The owner of a list is an EntityRef with the business id.
    """
    days = (today, _LENGTHS[window]) if window in _LENGTHS else None
    return _kind(
        lambda board: leaderboards.kind_key(board, kind, days),
        lambda postgres, of, before, count: leaderboards.of_kind(postgres, of.business_id, kind, days, before, count),
        SHORT_LIFE_MS,
    )


async def read(
    state: State, business_id: int, window: LeaderboardWindow, kind: int | None, before: Item | None, count: int
) -> list[Item]:
    """Returns up to `count` items of a leaderboard, best first, that follow the item `before`; the first items if
    `before` is None. `kind` is the id of the kind of reaction that the board counts; None for likes. `likes_of`
    (store/reactions/leaderboards.py) returns the number of likes or reactions of an item. Raises PostgresDown if the
    items are not cached and Postgres is down.
    """
    board = EntityRef(business_id, state.now_ms() // DAY_MS)
    list_kind = _KINDS[window] if kind is None else _of_kind(window, kind, board.entity_id)
    (items,) = await lists.read(state, list_kind, [ListPage(board, before, count)])
    return items
