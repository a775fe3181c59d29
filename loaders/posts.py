"""Lists of posts: outboxes, the square, topics. What was rejected since may be in them: readers look at the post."""

from collections.abc import Awaitable, Callable
from functools import partial

from loaders.lists import ListKind
from models.counters import EntityRef
from state import State
from store.cache.lists import LIFE_MS, Item
from store.content import hot as hot_rows
from store.content import outboxes as rows
from store.content import topics
from store.postgres.client import Postgres

_FILLS = 100

Truth = Callable[[Postgres, EntityRef, Item | None, int], Awaitable[list[Item]]]


def outboxes(state: State) -> ListKind:
    """What everybody may see of an author's."""
    return _kind(state, rows.visible_key, rows.visible_page)


def own(state: State) -> ListKind:
    """What an author has not deleted."""
    return _kind(state, rows.own_key, rows.own_page)


def square(state: State) -> ListKind:
    """What everybody may see of anybody's."""
    return _kind(state, rows.square_key, rows.square_page)


def under(state: State) -> ListKind:
    """What everybody may see under a topic."""
    return _kind(state, topics.list_key, topics.page)


def hot(state: State) -> ListKind:
    """What everybody may see under a topic, or of the square, by how hot it is instead of when it was published."""
    return _kind(state, hot_rows.list_key, hot_rows.page, hot_rows.LIFE_MS)


def _kind(state: State, key: Callable[[EntityRef], str], truth: Truth, life_ms: int = LIFE_MS) -> ListKind:
    return ListKind(
        key=key,
        cap=lambda _: state.settings.cached_posts,
        truth=partial(truth, state.postgres),
        fills=_FILLS,
        life_ms=life_ms,
    )
