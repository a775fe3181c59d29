"""Bookmarks: the list of what the viewer has bookmarked."""

from collections.abc import Sequence

from commands.targets import ReactableRow
from context import Context
from models.bookmarks import BOOKMARK
from models.users import ViewerRow
from resolvers import own_lists
from resolvers.pages import Pages


async def of_viewer(
    context: Context, viewers: Sequence[ViewerRow], business: str, first: int, after: str | None = None
) -> Pages[ReactableRow]:
    """Resolves Viewer.bookmarks: a page of the viewer's bookmarks in one business, newest first."""
    return await own_lists.of_users(context, "Viewer.bookmarks", BOOKMARK, viewers, business, first, after)
