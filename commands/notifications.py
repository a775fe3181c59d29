"""markNotificationsRead: marks notifications as read. Like other writes, the change goes through the write log.
setNotificationPreferences: stores in Postgres which kinds of notifications the viewer wants, as profiles are stored.
"""

from collections.abc import Sequence

from commands import idempotency
from commands.write_log import WriteLog
from context import Context
from domain.errors import BadInput, Refused, UserErrorCode
from models.notifications import NotificationKind, NotificationPreference
from store.notifications import preferences
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


async def set_preferences(context: Context, wanted: Sequence[NotificationPreference]) -> None:
    """Stores which kinds of notifications the viewer wants. Kinds that are not in `wanted` stay as they are.

    Raises Unauthenticated, Unavailable; BadInput if a kind is given twice; Refused with INVALID for the attempt to
    switch MODERATION off.
    """
    viewer_id = context.require_viewer().user_id
    by_kind = {one.kind: one.enabled for one in wanted}
    if len(by_kind) < len(wanted):
        raise BadInput("Give each kind at most once.")
    if not by_kind.get(NotificationKind.MODERATION, True):
        raise Refused.because(UserErrorCode.INVALID, "These notifications cannot be switched off.", "preferences")
    on = [kind for kind, enabled in by_kind.items() if enabled]
    await preferences.change(context.state.postgres, viewer_id, on, by_kind.keys() - set(on))
    context.forget()
