"""markNotificationsRead and setNotificationPreferences. Read marks go through the write log, like other writes. The
preferences, which kinds of notifications the viewer wants, are written to Postgres at once, like profiles.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from commands.changes import Change, DirectWrite, Fields
from commands.write import Write
from context import Context
from domain.errors import BadInput, Refused, UserErrorCode
from models.notifications import NotificationKind, NotificationPreference
from state import State
from store.notifications import preferences
from store.notifications.notifications import SEEN, mark_entry
from store.write_log.operations import Operation, Outcome, Status


@dataclass(frozen=True, slots=True)
class _ReadMark(Change):
    """A user has read all notifications up to and including `moment`, a position in the list of notifications."""

    moment: int

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the mark to the actor's journal, at most once for the same `operation`. The status of the outcome is
        DONE, or says why nothing was appended.
        """
        return await state.read_marks.mark(actor_id, self.moment, operation)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the mark."""
        return [{"kind": SEEN, "data": mark_entry(direct.actor_id, self.moment)}]


async def mark_read(context: Context, moment: int) -> None:
    """Marks the viewer's notifications up to and including `moment` as read. `moment` is the position of a notification
    in the list, derived from its time. Later notifications stay unread.

    Raises Unauthenticated, RateLimited, Unavailable.
    """
    async with Write(context, "markNotificationsRead", None, moment) as write:
        await write.append(_ReadMark(moment))
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
