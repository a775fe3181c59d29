"""markNotificationsRead: marks notifications as read, through the journal like every write."""

from commands import idempotency
from commands.write_log import WriteLog
from context import Context
from store.write_log.operations import Outcome


async def mark_read(context: Context, moment: int) -> None:
    """Marks the viewer's notifications up to and including this moment as read. Later ones stay unread.

    Raises Unauthenticated, RateLimited, Unavailable. Notifications that were read already stay read.
    """
    viewer_id = context.require_viewer().user_id
    operation = idempotency.operation(context, "markNotificationsRead", None, moment)

    async def prepare() -> int:
        return moment

    async def append(log: WriteLog, moment: int) -> Outcome:
        return await log.mark_read(viewer_id, moment, operation)

    await idempotency.once(context, viewer_id, operation, prepare, append)
    context.forget()
