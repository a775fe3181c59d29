"""Bookmarks: the mutations, and the list of what the viewer has bookmarked."""

from collections.abc import Sequence

from commands import bookmarks as commands
from commands.targets import ReactableRow
from context import Context
from models.bookmarks import BOOKMARK
from models.users import ViewerRow
from resolvers import own_lists
from resolvers.pages import Pages
from resolvers.payloads import Payload, payload


async def bookmark(
    context: Context, target_id: str, idempotency_key: str | None, *, stands: bool
) -> Payload[ReactableRow | None]:
    """Resolves Mutation.bookmark and Mutation.unbookmark."""
    return await payload(commands.bookmark(context, target_id, idempotency_key, stands=stands))


async def of_viewer(
    context: Context, viewers: Sequence[ViewerRow], business: str, first: int, after: str | None = None
) -> Pages[ReactableRow]:
    """Resolves Viewer.bookmarks: a page of the viewer's bookmarks in one business, newest first."""
    return await own_lists.of_users(context, "Viewer.bookmarks", BOOKMARK, viewers, business, first, after)
