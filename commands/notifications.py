"""markNotificationsRead: through the journal, like every write."""

from commands import idempotency
from commands.write_log import WriteLog
from context import Context
from store.write_log.operations import Outcome


async def mark_read(context: Context, moment: int) -> None:
    """The viewer has seen their notifications down from the one of this moment; later ones stay unread.

    Raises Unauthenticated, RateLimited, Unavailable. What was read already stays read.
    """
    viewer_id = context.require_viewer().user_id
    operation = idempotency.operation(context, "markNotificationsRead", None, moment)

    async def prepare() -> int:
        return moment

    async def append(log: WriteLog, moment: int) -> Outcome:
        return await log.mark_read(viewer_id, moment, operation)

    await idempotency.once(context, viewer_id, operation, prepare, append)
    context.forget()
