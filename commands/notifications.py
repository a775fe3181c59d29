"""markNotificationsRead: marks notifications as read. Like other writes, the change goes through the write log."""

from commands import idempotency
from commands.write_log import WriteLog
from context import Context
from store.write_log.operations import Outcome


async def mark_read(context: Context, moment: int) -> None:
    """Marks the viewer's notifications up to and including this moment as read. Later notifications stay as they are.

    Raises Unauthenticated, RateLimited, Unavailable.
    """
    viewer_id = context.require_viewer().user_id
    operation = idempotency.operation(context, "markNotificationsRead", None, moment)

    async def prepare() -> int:
        return moment

    async def append(log: WriteLog, moment: int) -> Outcome:
        return await log.mark_read(viewer_id, moment, operation)

    await idempotency.once(context, viewer_id, operation, prepare, append)
    context.forget()
