"""markNotificationsRead, markNotificationRead and markNotificationsSeen: mark notifications. Like other writes, the
change goes through the write log.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from commands.changes import Change, DirectWrite, Fields
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from domain.ids import NotificationId, parse_id
from loaders import notifications, visible_notifications
from models.notifications import NotificationRow
from state import State
from store.notifications.marks import Mark
from store.write_log.operations import Operation, Outcome, Status


async def _visible(context: Context, notification_id: str) -> NotificationRow:
    """Returns the viewer's notification with this id. Raises Refused if there is none, or the viewer may not see it;
    BadInput for an invalid id, Unavailable if it cannot be read.
    """
    user_id, parsed = context.require_viewer().user_id, parse_id(notification_id)
    if isinstance(parsed, NotificationId):
        newest = await visible_notifications.newest(context.own, context.content, user_id)
        found = await notifications.by_ids(context.state, user_id, newest, [parsed.id])
        rows = [row] if (row := found.get(parsed.id)) else []
        shown, unreadable = await visible_notifications.visible(context.content, user_id, rows)
        if shown:
            return shown[0]
        if unreadable:
            raise unreadable
    message = "You have no notification with this id."
    raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, message, "notificationId")


@dataclass(frozen=True, slots=True)
class _Marking(Change):
    """A user marks notifications as read or as seen."""

    mark: Mark

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the mark to the actor's journal, at most once for the same `operation`. The status of the outcome is
        DONE, or says why nothing was appended.
        """
        return await state.read_marks.mark(actor_id, self.mark, operation)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the mark."""
        return [{"kind": self.mark.kind, "data": self.mark.entry(direct.actor_id)}]


async def mark_read(context: Context, moment: int) -> None:
    """Marks the viewer's notifications up to and including `moment` as read. `moment` is the position of a notification
    in the list, derived from its time. Later notifications stay unread.

    Raises Unauthenticated, RateLimited, Unavailable.
    """
    async with Write(context, "markNotificationsRead", None, moment) as write:
        await write.append(_Marking(Mark(moment)))
    context.forget()


async def mark_seen(context: Context, moment: int) -> None:
    """Marks the viewer's notifications up to and including `moment` as seen; see `mark_read`. Raises as `mark_read`."""
    async with Write(context, "markNotificationsSeen", None, moment) as write:
        await write.append(_Marking(Mark(moment, seen=True)))
    context.forget()


async def mark_one_read(context: Context, notification_id: str) -> NotificationRow:
    """Marks one notification of the viewer as read, and no other. A new event of the notification makes it unread
    again. Returns the notification.

    Raises Unauthenticated, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND if the viewer has no notification
    with this id, or may not see it.
    """
    async with Write(context, "markNotificationRead", None, notification_id) as write:
        row = await _visible(context, notification_id)
        await write.append(_Marking(Mark(row.moment, notification_id=row.notification_id)))
    context.forget()
    return row.marked(0, 0, row.moment)
