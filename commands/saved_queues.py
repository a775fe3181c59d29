"""saveQueue and deleteSavedQueue: store in Postgres the filters of the moderation queue that a moderator keeps."""

from collections.abc import Sequence

from commands import suspended
from commands.targets import check_unrestricted
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from identity.permissions import ModeratorRole
from models.reports import CaseOrder, CaseStatus
from models.saved_queues import MOST_QUEUES, SavedQueue
from models.users import ViewerRow
from store.moderation import saved_queues

_LONGEST_NAME = 60


async def save(context: Context, queue: SavedQueue, replaces: str | None) -> ViewerRow:
    """Stores a queue of the viewer, a moderator. It replaces the viewer's saved queues with its name and with the name
    `replaces`. Returns the viewer.

    Raises Unauthenticated, AccountDeleted, Unavailable; Forbidden below the role VIEWER, or if the token is restricted
    to businesses; Refused with TEXT_EMPTY, TEXT_TOO_LONG or TEXT_INVALID for the name, with INVALID for
    filters that resolved cases do not have, and with QUEUE_LIMIT_REACHED if the viewer would have too many queues.
    """
    viewer = await _moderator(context)
    name = texts.line(queue.name, _LONGEST_NAME, "name")
    renamed = replaces and texts.line(replaces, _LONGEST_NAME, "replaces")
    if not name:
        raise Refused.because(UserErrorCode.TEXT_EMPTY, "A saved queue needs a name.", "name")
    only_open = queue.source or queue.assignment or queue.sort == CaseOrder.MOST_REPORTED.name
    if queue.status == CaseStatus.RESOLVED.name and only_open:
        message = "Resolved cases have no source, no assignment and no open reports."
        raise Refused.because(UserErrorCode.INVALID, message, "status")

    def after(stored: Sequence[SavedQueue]) -> list[SavedQueue]:
        kept = [one for one in stored if one.name not in (name, renamed)]
        if len(kept) >= MOST_QUEUES:
            message = f"You can save at most {MOST_QUEUES} queues."
            raise Refused.because(UserErrorCode.QUEUE_LIMIT_REACHED, message)
        return [*kept, queue._replace(name=name)]

    await saved_queues.change(context.state.postgres, viewer.user_id, after)
    return viewer


async def delete(context: Context, name: str) -> ViewerRow:
    """Deletes the viewer's saved queue with this name, if there is one. Returns the viewer.

    Raises Unauthenticated, AccountDeleted, Unavailable; Forbidden below the role VIEWER, or if the token is restricted
    to businesses; Refused with TEXT_TOO_LONG or TEXT_INVALID for the name.
    """
    viewer = await _moderator(context)
    name = texts.line(name, _LONGEST_NAME, "name")
    after = lambda stored: [one for one in stored if one.name != name]  # noqa: E731
    await saved_queues.change(context.state.postgres, viewer.user_id, after)
    return viewer


async def _moderator(context: Context) -> ViewerRow:
    """Returns the viewer. Raises Forbidden below the role VIEWER, or if the token is restricted to businesses."""
    context.require_role(ModeratorRole.VIEWER)
    check_unrestricted(context)
    await suspended.check_exists(context)
    return ViewerRow(context.require_viewer().user_id)
