"""Lists of posts: outboxes, the square, topics. What was rejected since may be in them: readers look at the post."""

from collections.abc import Awaitable, Callable
from functools import partial

from loaders.lists import ListKind
from models.counters import EntityRef
from state import State
from store import keys, topics
from store import outboxes as rows
from store.lists import Item
from store.postgres import Postgres

_FILLS = 100

Truth = Callable[[Postgres, EntityRef, Item | None, int], Awaitable[list[Item]]]


def outboxes(state: State) -> ListKind:
    """What everybody may see of an author's."""
    return _kind(state, lambda author: keys.outbox(author.entity_id), rows.visible_page)


def own(state: State) -> ListKind:
    """What an author has not deleted."""
    return _kind(state, lambda author: keys.own(author.entity_id), rows.own_page)


def square(state: State) -> ListKind:
    """What everybody may see of anybody's."""
    return _kind(state, lambda _: keys.square(), rows.square_page)


def under(state: State) -> ListKind:
    """What everybody may see under a topic."""
    return _kind(state, lambda topic: keys.under(topic.entity_id), topics.page)


def _kind(state: State, key: Callable[[EntityRef], str], truth: Truth) -> ListKind:
    return ListKind(
        key=key, cap=lambda _: state.settings.cached_posts, truth=partial(truth, state.postgres), fills=_FILLS
    )
