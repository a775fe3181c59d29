"""How lists of posts are cached and read: of authors, of the square, and of topics.

A list may contain posts that were rejected since. Resolvers load each post and leave these out.
"""

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
    """Returns the kind of list (`ListKind`) for an author's public posts, newest first."""
    return _kind(state, rows.visible_key, rows.visible_page)


def own(state: State) -> ListKind:
    """Returns the kind of list for all posts of an author that are not deleted, which only the author sees."""
    return _kind(state, rows.own_key, rows.own_page)


def square(state: State) -> ListKind:
    """Returns the kind of list for the square: all public posts, newest first."""
    return _kind(state, rows.square_key, rows.square_page)


def under(state: State) -> ListKind:
    """Returns the kind of list for a topic's public posts, newest first."""
    return _kind(state, topics.list_key, topics.page)


def hot(state: State) -> ListKind:
    """Returns the kind of list for the hottest public posts of a topic or of the square, in the order of their hot
    scores.
    """
    return _kind(state, hot_rows.list_key, hot_rows.page, hot_rows.LIFE_MS)


def _kind(state: State, key: Callable[[EntityRef], str], truth: Truth, life_ms: int = LIFE_MS) -> ListKind:
    return ListKind(
        key=key,
        cap=lambda _: state.settings.caches.posts,
        truth=partial(truth, state.postgres),
        fills=_FILLS,
        life_ms=life_ms,
    )
