"""Whether searches find the viewer."""

from collections.abc import Sequence

from commands import preferences
from context import Context
from domain.errors import Unavailable
from models.preferences import Preference
from models.users import ViewerRow
from resolvers import boundaries


async def is_discoverable(context: Context, viewers: Sequence[ViewerRow]) -> Sequence[bool | Unavailable | None]:
    """Resolves Viewer.isDiscoverable: whether searches may find the viewer; Unavailable if this cannot be read."""
    hidden = Preference.HIDDEN_FROM_SEARCH
    return await boundaries.each(context, viewers, lambda found, _: hidden not in found.preferences)


async def set_discoverable(context: Context, discoverable: bool, idempotency_key: str | None) -> ViewerRow:
    """Sets whether searches may find the viewer. Returns the viewer. Raises Unauthenticated, AccountDeleted,
    RateLimited, Unavailable; Refused with IDEMPOTENCY_MISMATCH.
    """
    viewer = ViewerRow(context.require_viewer().user_id)
    hidden = Preference.HIDDEN_FROM_SEARCH
    await preferences.switch(context, "setDiscoverable", hidden, not discoverable, idempotency_key)
    return viewer
