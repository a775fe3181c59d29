"""assign and release: a moderator takes a case of the moderation queue, so that no other moderator works on it."""

from commands import suspended, targets
from commands.appeals import check_may_decide
from context import Context
from domain.errors import Refused, UserErrorCode
from identity.permissions import ModeratorRole
from models.counters import EntityRef
from models.reports import CaseRow
from store.moderation import cases

_ASSIGNMENT_MS = 3_600_000
"""How long a case stays assigned to a moderator, in milliseconds."""


async def assign(context: Context, target_id: str) -> CaseRow:
    """Assigns the open case of a post, comment, user, entity or collection to the viewer for an hour. If the case
    is assigned to the viewer already, the hour begins again. Returns the case.

    Raises Unauthenticated, Forbidden below the role MODERATOR, or LEAD while the author appeals, BadInput, Unavailable;
    Refused with TARGET_NOT_FOUND, TARGET_DELETED, SUSPENDED, CASE_NOT_FOUND if there is no open case, CASE_ASSIGNED if
    another moderator works on it, or NOT_ALLOWED if the target is the viewer, belongs to the viewer, or has an open
    appeal against the viewer's decision.
    """
    moderator_id = context.require_role(ModeratorRole.MODERATOR).user_id
    ref = await _ref(context, target_id, ModeratorRole.LEAD)
    await suspended.check_viewer(context)
    now_ms = context.state.now_ms()
    assigned = await cases.assign(context.state.postgres, ref, moderator_id, now_ms, now_ms + _ASSIGNMENT_MS)
    case = await cases.by_ref(context.state.postgres, ref)
    if case is None or not case.is_open:
        raise _not_found()
    if not assigned:
        message = "Another moderator works on this case."
        raise Refused.because(UserErrorCode.CASE_ASSIGNED, message, "targetId")
    return case.at_time(context.state.now_ms())


async def release(context: Context, target_id: str) -> CaseRow:
    """Ends the viewer's assignment of a case, so that other moderators can take the case. Returns the case. Succeeds
    and changes nothing if the case is not assigned to the viewer. A suspension does not prevent a release.

    Raises Unauthenticated, Forbidden below the role MODERATOR, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, TARGET_DELETED, CASE_NOT_FOUND if the target never had a case, or NOT_ALLOWED if the target is the
    viewer, belongs to the viewer, or has an open appeal against the viewer's decision.
    """
    moderator_id = context.require_role(ModeratorRole.MODERATOR).user_id
    ref = await _ref(context, target_id, ModeratorRole.MODERATOR)
    await cases.release(context.state.postgres, ref, moderator_id)
    case = await cases.by_ref(context.state.postgres, ref)
    if case is None:
        raise _not_found()
    return case.at_time(context.state.now_ms())


async def _ref(context: Context, target_id: str, while_appealed: ModeratorRole) -> EntityRef:
    """Returns the business and the number of the post, comment, user, entity or collection with this id. Raises
    Refused if the viewer may not moderate it, and Forbidden if its author appeals and the viewer's role is below
    `while_appealed`.
    """
    target = await targets.reported(context, target_id, "targetId")
    targets.check_not_own(context, target, "targetId")
    await check_may_decide(context, target, "targetId", least=while_appealed)
    return target.ref


def _not_found() -> Refused:
    message = "There is no open case about this target."
    return Refused.because(UserErrorCode.CASE_NOT_FOUND, message, "targetId")
