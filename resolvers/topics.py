"""Lists of topics: trends, topics that begin with a text, and topics that a search finds. Held topics are in them for
moderators only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from context import Context
from domain import topics
from domain.errors import BadInput
from domain.ids import PostId
from models.topics import TopicRow, TopicState, TrendWindow
from resolvers.pages import Connection, Scope, check_first, position
from store.content import topic_search

LONGEST_QUERY = 200
"""The longest text of a search, in characters."""


@dataclass(frozen=True, slots=True)
class TrendRow:
    """A topic of a trend, the number of authors who have written about it, and its score."""

    topic: TopicRow
    author_count: int
    score: float


async def trending(context: Context, window: TrendWindow, language: str | None, first: int) -> list[TrendRow]:
    """Resolves Query.trendingTopics: the first topics of the trend of a window, highest score first. `language` keeps
    the topics whose names are written in a script of this language. Raises BadInput for a language that no setting
    names, and unless `first` is 1 to 100; Unavailable if the trend can be neither read nor computed.
    """
    check_first(first)
    scripts: Sequence[str] | None = None
    if language is not None:
        languages = context.state.settings.trends.languages
        if (scripts := languages.get(language)) is None:
            raise BadInput(f"language must be one of: {', '.join(sorted(languages))}." if languages else _NO_LANGUAGES)
    (found,) = await context.shared.trends.get_many([window])
    shown = (one for one in found if moderates(context) or not one.held)
    kept = [one for one in shown if scripts is None or _pattern(*scripts).fullmatch(one.name)]
    return [TrendRow(TopicRow(one.name), one.authors, one.score) for one in kept[:first]]


_NO_LANGUAGES = "This deployment does not tell languages apart. Omit language."


@lru_cache(100)
def _pattern(*scripts: str) -> "regex.Pattern[str]":
    """Returns the pattern of names with at least one letter, and with letters of these scripts only."""
    of = "".join(rf"\p{{Script={script}}}" for script in scripts)
    return regex.compile(rf"(?=.*\p{{L}})[{of}\P{{L}}]+", regex.V1)


async def beginning(context: Context, prefix: str, first: int) -> list[TopicRow]:
    """Resolves Query.topics: the topics that begin with a text, most posts first. Raises BadInput for a text that is
    longer than any name, and unless `first` is 1 to 20; Unavailable if the topics cannot be read.
    """
    if not 1 <= first <= topic_search.MOST:
        raise BadInput(f"first must be 1 to {topic_search.MOST}.")
    if len(prefix) > topics.LONGEST_INPUT:
        raise BadInput(f"prefix must have at most {topics.LONGEST_INPUT} characters.")
    begun = topics.beginning(prefix)
    if begun is None:
        return []
    (found,) = await context.shared.typed.get_many([begun])
    return [TopicRow(one.name) for one in found if moderates(context) or not one.held][:first]


async def search(context: Context, query: str, first: int, after: str | None) -> Connection[TopicRow]:
    """Resolves Query.searchTopics: a page of the topics whose names have the words of a text or resemble them, best
    first. Raises BadInput for a text without letters and digits or of more than 200 characters, and unless `first` is 1
    to 100; BadCursor if `after` is not a cursor of this search; Unavailable if Postgres is down.
    """
    check_first(first)
    if len(query) > LONGEST_QUERY:
        raise BadInput(f"query must have at most {LONGEST_QUERY} characters.")
    words = topics.words(query)
    if not words:
        raise BadInput("query must have a letter or a digit.")
    state, scope = context.state, f"topics:{' '.join(words)}"
    before, passed = position(state.cursors, Scope(scope), after)
    with_held = moderates(context)
    found = await topic_search.search(state.postgres, words, before, first + 1, with_held=with_held)
    items = [item for item, _ in found[:first]]
    by_id: dict[int, TopicRow | None] = {item.member: TopicRow(name) for item, name in found}
    return Connection(state.cursors, scope, items, passed, by_id, len(found) > first, after is not None)


def moderates(context: Context) -> bool:
    """Returns whether the viewer finds held topics: a moderator whose token is for posts."""
    return PostId.business in context.moderates


async def states(context: Context, rows: Sequence[TopicRow]) -> list[TopicState | None]:
    """Resolves Topic.state: what moderators have decided about each topic; None unless the viewer is a moderator.
    Raises Unavailable if Postgres is down.
    """
    if not moderates(context):
        return [None] * len(rows)
    held = await topic_search.held_among(context.state.postgres, [row.ref.entity_id for row in rows])
    return [TopicState.HELD if row.key in held else TopicState.OPEN for row in rows]
