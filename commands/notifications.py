"""markNotificationsRead: marks notifications as read. Like other writes, the change goes through the write log."""

from collections.abc import Sequence
from dataclasses import dataclass

from commands.changes import Change, DirectWrite, Fields
from commands.write import Write
from context import Context
from state import State
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
