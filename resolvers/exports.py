"""The last export of the viewer's account."""

from collections.abc import Sequence

from commands.exports import shown
from context import Context
from models.exports import ExportRow
from models.users import ViewerRow
from store.people import exports


async def of_viewer(context: Context, viewers: Sequence[ViewerRow]) -> list[ExportRow | None]:
    """Resolves Viewer.export: the last export that the viewer requested; None without one. There is one viewer per
    request. Raises Unavailable if it cannot be read.
    """
    user_id = viewers[0].user_id
    requested_ms = await exports.requested(context.state.postgres, user_id)
    found = None if requested_ms is None else shown(context.state, user_id, requested_ms)
    return [found] * len(viewers)
