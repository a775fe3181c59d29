"""markNotificationsRead: through the journal, like every write."""

import orjson

from commands import direct, operations
from context import Context
from store.write_log.operations import Outcome


async def mark_read(context: Context, moment: int) -> None:
    """The viewer has seen their notifications down from the one of this moment; later ones stay unread.

    Raises Unauthenticated, RateLimited, Unavailable. What was read already stays read.
    """
    viewer_id = context.require_viewer().user_id
    operation = operations.operation(context, "markNotificationsRead", None, moment)
    entry = orjson.dumps({"actor": viewer_id, "moment": moment})

    async def prepare() -> int:
        return moment

    async def run(moment: int) -> Outcome:
        if await context.state.modes.writes_directly():
            return await direct.mark(context.state, viewer_id, operation, entry)
        return await context.state.marks.mark(viewer_id, moment, operation, entry)

    await operations.once(context, viewer_id, operation, prepare, run)
    context.forget()
