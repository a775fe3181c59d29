"""Searches for users: Query.searchUsers and Query.suggestHandles."""

from collections.abc import Sequence

from context import Context
from domain import handles, search_terms
from domain.digests import digest
from domain.errors import BadCursor, BadInput
from domain.ids import born_ms
from domain.versions import moment_at
from models.users import UserRow
from resolvers.pages import Connection, check_first
from settings import USERS
from store.cache.lists import Item
from store.people import user_search
from store.people.user_search import Found

LONGEST = 100
"""The most characters of a query."""
MOST_FOUND, MOST_SUGGESTED = 200, 20
_CANDIDATES = 50
"""How many users are read for suggestions. Some of them may be hidden by blocks."""


async def search(context: Context, query: str, first: int, after: str | None) -> Connection[UserRow]:
    """Resolves Query.searchUsers: a page of the users whom the viewer may see and whose handle or display name matches
    the query, best first. Raises BadInput for a query of more than 100 characters, or unless `first` is 1 to 100;
    BadCursor; Unavailable if users or the viewer's blocks cannot be read.
    """
    check_first(first)
    words = _words(query)
    scope = f"search_users:{digest(*words)}"
    cursors = context.state.cursors
    passed, *place = (0,) if after is None else cursors.open(scope, after)
    if after is not None and len(place) != 3:
        raise BadCursor("This cursor is from an incompatible version. Start again from the first page.")
    found = await _found(context, words, query, MOST_FOUND, few=10)
    rest = [one for one in found if after is None or _place(one) < tuple(place)]
    page = rest[:first]
    return Connection(
        cursors,
        scope,
        [Item(moment_at(born_ms(one.user.user_id)), one.user.user_id) for one in page],
        passed,
        {one.user.user_id: one.user for one in page},
        len(rest) > first,
        after is not None,
        places=lambda at: (passed + at + 1, *_place(page[at])),
    )


async def suggest(context: Context, prefix: str, first: int) -> list[UserRow]:
    """Resolves Query.suggestHandles: up to `first` users in the order of `search`. Raises BadInput for a prefix of more
    than 100 characters, or unless `first` is 1 to 20; Unavailable if users or the viewer's blocks cannot be read.
    """
    if not 1 <= first <= MOST_SUGGESTED:
        raise BadInput(f"first must be 1 to {MOST_SUGGESTED}.")
    return [one.user for one in await _found(context, _words(prefix), prefix, _CANDIDATES, few=1)][:first]


def _words(query: str) -> list[str]:
    if len(query) > LONGEST:
        raise BadInput(f"A query has at most {LONGEST} characters.")
    return search_terms.words(query)


def _place(found: Found) -> tuple[int, int, int]:
    return found.rank, found.followers, found.user.user_id


async def _found(context: Context, words: Sequence[str], query: str, most: int, few: int) -> list[Found]:
    """Returns the users who match, best first, without those whom the viewer may not see. The viewer's blocks are read
    while Postgres searches.
    """
    if not words:
        return []
    context.own.boundaries.ask()
    state, content = context.state, context.content
    found = await user_search.find(
        state.postgres,
        words,
        handles.canonical(query.strip().removeprefix("@")),
        content.reader.viewer_in(USERS),
        now_ms=state.now_ms(),
        moderates=content.reader.moderates_users,
        private=state.settings.people.private_in_search,
        most=most,
        few=few,
    )
    content.kept_users.prime((one.user.user_id, one.user) for one in found)
    shown = await content.users.ask([one.user.user_id for one in found])
    return [one for one, user in zip(found, shown, strict=True) if user]
