"""Search for posts, comments and entities.

1. Find candidates: documents of the index that match, newest first or best first (`_Searching._best`), and posts or
   comments that the viewer has just written or edited. The index may not have these yet.
2. Load the rows. Leave out rows that the viewer may not see, rows of authors who have chosen not to be found, and rows
   that the viewer has edited so that they no longer match.
3. Fill the page: `timelines.page` takes more candidates while a page is short.

The ranked list of the best matches is made again each second. Later pages read the stored list of the first page, so
they neither skip nor repeat an item.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from commands import targets
from commands.targets import Subject
from context import Context
from domain import ranking, texts
from domain.errors import BadCursor, BadInput
from domain.ids import EntityId, PostId, parse_id
from domain.search import Phrase, Query, differ_by_one, parsed, words_of
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from models.search import HAS_IMAGE, Searchable, about, document_of, of_author, of_topic, texts_of
from models.topics import SQUARE, TopicRow
from resolvers import timelines
from resolvers.pages import Connection
from resolvers.timelines import Load
from settings import COMMENTS, POSTS
from store.cache.lists import Item, newest_of
from store.content import hot, search
from store.content.search import Search
from store.people import discoverable
from store.redis.client import RedisDown

Row = TypeVar("Row", bound=Searchable)
_LIST_MS = 1000
"""Milliseconds after which the list of the best matches is made again. A new post of the viewer stays among the pending
changes for much longer. So when it is no longer pending, the list has it.
"""
_LEAST_CORRECTED, _MOST_CORRECTED = 4, 3
"""The least letters of a word that is corrected, and the most words of a query that are corrected."""
_PLACE_BITS = 11
_BEST_PLACE = 1023
"""The place of the first item of a list. Higher places are for posts and comments that the viewer has just written."""


class SearchSort(Enum):
    """The order of what a search finds."""

    BEST = "BEST"
    NEWEST = "NEWEST"


async def posts(context: Context, query: str, sort: SearchSort, first: int, after: str | None) -> Connection[PostRow]:
    """Resolves Query.searchPosts: a page of the posts that match a query. Raises BadInput for an invalid query, and
    unless `first` is 1 to 100; BadCursor; Unavailable if the page cannot be read or filled.
    """
    searching = await _Searching[PostRow].of(context, POSTS, query)
    return await searching.page(context.content.feed_posts, sort, first, after)


async def comments(
    context: Context, subject_id: str, query: str, sort: SearchSort, first: int, after: str | None
) -> Connection[CommentRow] | None:
    """Resolves Query.searchComments: a page of the comments on a post or entity that match a query; None if there is no
    such post or entity, or the viewer may not see it. The comments on a post that announces an entity are those on the
    entity. Raises the errors of `posts`, and BadInput for a malformed id.
    """
    subject = await _subject(context, subject_id)
    if subject is None:
        return None

    async def load(ids: Sequence[int]) -> list[CommentRow | None]:
        return [row if row and row.author_id else None for row in await context.content.feed_comments(ids)]

    (content,) = await targets.contents(context, [subject])
    searching = await _Searching[CommentRow].of(context, COMMENTS, query, about(content.ref))
    return await searching.page(load, sort, first, after)


async def entities(
    context: Context, business_name: str, query: str, first: int, after: str | None
) -> Connection[EntityRow]:
    """Resolves Query.searchEntities: a page of the entities of a business whose titles match a query, best first.
    Raises the errors of `posts`, and BadInput for an unknown business.
    """
    business = context.state.external.get(business_name)
    if business is None:
        raise BadInput(texts.no_business(business_name))

    async def load(ids: Sequence[int]) -> Sequence[EntityRow | None]:
        return await context.content.entities_by_id.ask([EntityRef(business.id, id_) for id_ in ids])

    searching = await _Searching[EntityRow].of(context, business.id, query)
    return await searching.page(load, SearchSort.BEST, first, after)


async def _subject(context: Context, subject_id: str) -> Subject | None:
    parsed_id = parse_id(subject_id)
    if isinstance(parsed_id, PostId):
        return await context.content.posts.load(parsed_id.id)
    if isinstance(parsed_id, EntityId) and (business := context.state.external.get(parsed_id.business)):
        return await context.content.entities.load((business.id, parsed_id.key))
    return None


def _search(query: Query, business_id: int, phrases: Sequence[Phrase], labels: Sequence[str]) -> Search:
    words = " & ".join(phrase.sql() for phrase in phrases)
    terms = " & ".join([*filter(None, [words]), *(f"'{label}'" for label in labels)])
    return Search(business_id, terms, words, query.since_ms << 10, query.until_ms << 10)


@dataclass(eq=False)
class _Searching(Generic[Row]):
    """One search. A match has all `phrases` and all `labels`. If a setting names a language, the words of phrases are
    stems. `search` is the search in the form for the index.
    """

    context: Context
    query: Query
    phrases: Sequence[Phrase]
    labels: Sequence[str]
    search: Search
    _ranked: Sequence[int] | None = field(default=None, init=False)
    """The ids in the list of the best, in its order; None until it is read."""

    @classmethod
    async def of(cls, context: Context, business_id: int, text: str, *labels: str) -> "_Searching[Row]":
        """Returns the search for a query from a client. Raises BadInput if the query is invalid."""
        query = parsed(text)
        stems = await search.stems(context.state.postgres, context.state.settings.content.search_language, query.words)
        authors = await context.content.handles.ask(query.handles) if query.handles else ()
        every = *labels, *(of_author(id_ or 0) for id_ in authors), *map(of_topic, query.topics)
        every += (HAS_IMAGE,) if query.has_image else ()
        phrases = query.stemmed(stems)
        return cls(context, query, phrases, every, _search(query, business_id, phrases, every))

    async def page(self, load: Load[Row], sort: SearchSort, first: int, after: str | None) -> Connection[Row]:
        """Returns the page after the cursor `after`. `load` loads rows by id; None for rows that the viewer may not
        see.
        """
        own = await self._own() if self.search.business_id in (POSTS, COMMENTS) else {}

        async def matching(ids: Sequence[int]) -> list[Row | None]:
            rows = await self._of_discoverable(await load(ids))
            return [row if row and own.get(id_, row) else None for id_, row in zip(ids, rows, strict=True)]

        async def newest(before: Item | None, count: int) -> list[Item]:
            found = await search.newest(self.context.state.postgres, self.search, before, count)
            return newest_of({*found, *mine}, before, count)

        async def best(before: Item | None, count: int) -> list[Item]:
            return await self._best(mine, before, count)

        mine = sorted(Item(row.moment, id_) for id_, row in own.items() if row)
        source = newest if sort is SearchSort.NEWEST else best
        scope = f"search:{sort.value}:{self.search.name}"
        page = await timelines.page(self.context, scope, matching, [source], first, after)
        if isinstance(page, BadCursor):
            raise page
        return page

    async def _best(self, mine: Sequence[Item], before: Item | None, count: int) -> list[Item]:
        """Returns `count` items after `before`, or the first ones: what the viewer has just written and the list lacks,
        newest first, then the list of the best. Raises BadCursor if the list has expired, and Unavailable.
        """
        token = before.score >> _PLACE_BITS if before else self.context.state.now_ms() // _LIST_MS
        ranked = self._ranked
        if ranked is None:
            ranked = self._ranked = await self._list(token, is_first=before is None, is_long=count - len(mine))
        top = (token << _PLACE_BITS) + _BEST_PLACE
        new = [item.member for item in mine if item.member not in {*ranked}]
        items = [Item(top + place, id_) for place, id_ in reversed([*enumerate(new, 1)])]
        items += [Item(top - rank, id_) for rank, id_ in enumerate(ranked)]
        return [item for item in items if before is None or item < before][:count]

    async def _list(self, token: int, *, is_first: bool, is_long: int) -> Sequence[int]:
        """Returns the ids in the list of the best with the number `token`. Makes the list if it is for a first page, or
        if Redis is down, and stores it if it has `is_long` items. Raises BadCursor if the list has expired.
        """
        state = self.context.state
        with suppress(RedisDown):
            ids = await search.kept(state.cache, self.search, token)
            if ids is not None:
                return ids
            if not is_first:
                raise BadCursor("This cursor has expired. Start again from the first page.")
        found = await search.ranked(state.postgres, self.search) or await self._nearly()
        scores: Mapping[int, int] = {}
        if self.search.business_id == POSTS and found:
            scores = await hot.scores(state.postgres, TopicRow(SQUARE).ref, [id_ for id_, _, _ in found])
        ranked = sorted(
            ((ranking.found(scores.get(id_, moment), rank), id_) for id_, moment, rank in found), reverse=True
        )
        ids = [id_ for _, id_ in ranked]
        if len(ids) >= is_long:
            with suppress(RedisDown):
                return await search.keep(state.cache, self.search, token, ids)
        return ids

    async def _nearly(self) -> list[tuple[int, int, float]]:
        """Returns what `search.ranked` returns for the search with corrected words; nothing if there are no words to
        correct. A word that no document has is replaced by the commonest one that differs in one letter.
        """
        postgres, business_id = self.context.state.postgres, self.search.business_id
        words = [one.terms[0] for one in self.phrases if len(one.terms) == 1 and len(one.terms[0]) >= _LEAST_CORRECTED]
        known = await asyncio.gather(
            *[search.similar(postgres, business_id, self.labels, word) for word in words[:_MOST_CORRECTED]]
        )
        right = {
            word: next((one for one in like if differ_by_one(word, one)), word)
            for word, like in zip(words, known, strict=False)
            if word not in like
        }
        phrases = [Phrase(tuple(right.get(term, term) for term in terms), prefix) for terms, prefix in self.phrases]
        if phrases == list(self.phrases):
            return []
        return await search.ranked(postgres, _search(self.query, business_id, phrases, self.labels))

    async def _of_discoverable(self, rows: Sequence[Row | None]) -> list[Row | None]:
        """Returns the rows, with None in place of those by authors whom searches must not find. The viewer always finds
        what is the viewer's own. Raises Unavailable.
        """
        viewer = self.context.own.reader.viewer_in(self.search.business_id)
        authors = {row.author_id for row in rows if isinstance(row, (PostRow, CommentRow))} - {viewer}
        hidden = await discoverable.hidden_among(self.context.state.postgres, sorted(authors)) if authors else ()
        return [None if isinstance(row, (PostRow, CommentRow)) and row.author_id in hidden else row for row in rows]

    async def _own(self) -> Mapping[int, PostRow | CommentRow | None]:
        """Returns the posts or comments that the viewer has just written or edited, by id: None for one that does not
        match or is deleted. Raises Unavailable.
        """
        content, business_id = self.context.content, self.search.business_id
        patches = await self.context.own.patched_in(business_id).patches()
        ids = [*(patches.posts if business_id == POSTS else patches.comments)]
        if not ids:
            return {}
        rows: Sequence[PostRow | CommentRow | None]
        rows = await (content.posts.ask(ids) if business_id == POSTS else content.comments.ask(ids))
        language = self.context.state.settings.content.search_language
        words = words_of(text for row in rows if row for text in texts_of(row)) if language else ()
        stems = await search.stems(self.context.state.postgres, language, words)
        return {id_: row if row and self._matches(row, stems) else None for id_, row in zip(ids, rows, strict=True)}

    def _matches(self, row: PostRow | CommentRow, stems: Mapping[str, str]) -> bool:
        is_in_time = self.query.since_ms <= row.moment >> 10 < self.query.until_ms
        return is_in_time and document_of(row, stems).terms.have(self.phrases, self.labels)
