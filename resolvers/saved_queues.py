"""The saved queues of a moderator."""

from collections.abc import Sequence

from context import Context
from identity.permissions import ModeratorRole
from models.saved_queues import SavedQueue
from models.users import ViewerRow
from store.moderation import saved_queues


async def of_viewer(context: Context, viewers: Sequence[ViewerRow]) -> list[list[SavedQueue] | None]:
    """Resolves Viewer.savedQueues: the saved queues of the viewer, by name; None below the role VIEWER. There
    is one viewer per request. Reads Postgres.
    """
    viewer = context.require_viewer()
    if not context.has_role(ModeratorRole.VIEWER):
        return [None] * len(viewers)
    return [await saved_queues.of_user(context.state.postgres, viewer.user_id)] * len(viewers)
