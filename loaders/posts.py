"""How lists of posts are cached and read: of authors, of topics, and of the square, the list of all public posts.

A list may contain posts that were rejected after it was cached. Resolvers load each post and leave these out.
"""

from loaders.lists import ListKind
from models.counters import EntityRef
from state import State
from store.content import hot, outboxes, topics

_FILLS = 100


def _cap(state: State, _: EntityRef) -> int:
    return state.settings.caches.posts


OUTBOXES = ListKind(outboxes.visible_key, _cap, outboxes.visible_page, _FILLS)
"""The public posts of an author, newest first."""
OWN = ListKind(outboxes.own_key, _cap, outboxes.own_page, _FILLS)
"""The list that only the author sees: all posts of the author that are not deleted, newest first."""
SQUARE = ListKind(outboxes.square_key, _cap, outboxes.square_page, _FILLS)
"""The square: all public posts, newest first."""
QUOTES = ListKind(outboxes.quotes_key, _cap, outboxes.quotes_page, _FILLS)
"""The public posts that quote a post, newest first."""
UNDER = ListKind(topics.list_key, _cap, topics.page, _FILLS)
"""The public posts of a topic, or about an entity, newest first."""
HOT = ListKind(hot.list_key, _cap, hot.page, _FILLS, hot.LIFE_MS)
"""The hottest public posts of a topic or of the square, highest hot score first."""
