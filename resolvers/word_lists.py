"""The word list of moderation in the administration API."""

from commands import word_lists
from commands.word_lists import Revision
from context import Context
from domain.errors import BadCursor, BadInput, Unavailable
from models.moderation import WordListChange
from resolvers import admin_pages
from resolvers.pages import Connection, check_first
from store.moderation import word_lists as stored

_LAST = (1 << 31) - 1


async def revision(context: Context, number: int | None) -> Revision | None:
    """Resolves Admin.wordList: a revision or, without a number, the list that is in force; None for an unknown
    revision. Raises BadInput for a number that no revision can have.
    """
    if number is not None and not 1 <= number < _LAST:
        raise BadInput("revision must be a positive number.")
    try:
        return await word_lists.revision(context.state, number)
    except (OSError, ValueError):
        raise Unavailable("The configured word list cannot be read.") from None


async def changes(context: Context, first: int, after: str | None) -> Connection[WordListChange]:
    """Resolves Admin.wordListChanges: the changes of the word list, newest first. Raises BadCursor, and BadInput unless
    `first` is 1 to 100.
    """
    check_first(first)
    cursors, scope = context.state.cursors, "admin word lists"
    key = admin_pages.after_key(cursors, scope, after)
    if key is not None and not key[0].isdecimal():
        raise BadCursor("This is not a cursor of this list.")
    rows = await stored.page(context.state.postgres, int(key[0]) if key else None, first + 1)
    return admin_pages.page(cursors, scope, rows, first, after, lambda row: (str(row.revision),))
