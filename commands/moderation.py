"""moderate, resolveReports and warnUser: a moderator approves or rejects a post or comment, decides reports, or warns a
user.
"""

from dataclasses import replace
from enum import Enum

import orjson

from commands import grounds, targets
from commands.appeals import check_may_decide
from commands.changes import ModerationStep
from commands.targets import ReportTarget
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from domain.moderation.reports import ReportStatus
from domain.moderation.verdicts import AuditStatus
from identity.permissions import ModeratorRole
from models.collections import CollectionRow
from models.comments import CommentRow
from models.moderation_steps import JUDGE, RESOLVE, WARN, judgement
from models.posts import PostRow
from models.users import UserRow
from store.moderation.reviews import ModeratedRow

_LONGEST_REASON = 500


class ReportResolution(Enum):
    """The decision of a moderator about the open reports of a target. DISMISS: the reports are unfounded. ACCEPT: they
    are justified. REMOVE: as ACCEPT, and the reported post or comment is rejected, or the collection is made private.
    """

    DISMISS = "dismiss"
    ACCEPT = "accept"
    REMOVE = "remove"


async def moderate(
    context: Context, target_id: str, status: AuditStatus, reason: str, ground: str | None = None
) -> ModeratedRow:
    """Approves or rejects the current content of a post or comment, as `status` says, and overrides earlier decisions.
    Returns the target with the new status. `ground` is the name of the ground; None for none.

    Raises Unauthenticated, Forbidden below the role MODERATOR, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, TARGET_DELETED, NOT_ALLOWED for the viewer's own content, for an open appeal against the viewer's
    decision and for approving content that was removed, SUSPENDED, TEXT_TOO_LONG, TEXT_INVALID, or INVALID for an empty
    reason or an unknown ground.
    """
    moderator_id = context.require_role(ModeratorRole.MODERATOR).user_id
    write = Write(context, "moderate", None, target_id, int(status), reason, unless_suspended=True)
    ground = grounds.check(context, ground)
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    async with write:
        row = await _moderated(context, target_id, status)
        await write.append(ModerationStep(JUDGE, row.ref, judgement(moderator_id, row, status, reason, ground=ground)))
    context.forget()
    return replace(row, status=status, reason=reason)


async def warn(
    context: Context, user_id: str, reason: str, idempotency_key: str | None, ground: str | None = None
) -> UserRow:
    """Warns a user. The user gets a notification with the reason, and the warning is recorded in the moderation log.
    Returns the user.

    Raises Unauthenticated, Forbidden below the role LEAD, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, NOT_ALLOWED if the user is the viewer, SUSPENDED, TEXT_TOO_LONG, TEXT_INVALID,
    IDEMPOTENCY_MISMATCH, or INVALID for an empty reason or an unknown ground.
    """
    moderator_id = context.require_role(ModeratorRole.LEAD).user_id
    parts = user_id, reason, *grounds.parts(ground)
    write = Write(context, "warnUser", idempotency_key, *parts, unless_suspended=True)
    ground = grounds.check(context, ground)
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    async with write:
        user = await targets.kept_user(context, user_id, "userId")
        targets.check_not_own(context, user, "userId")
        about = {"business": user.ref.business_id, "entity": user.ref.entity_id}
        entry = orjson.dumps({"actor": moderator_id, **about, "reason": reason, "ground": ground})
        await write.append(ModerationStep(WARN, user.ref, entry))
    return user


async def resolve_reports(
    context: Context,
    target_id: str,
    resolution: ReportResolution,
    reason: str,
    idempotency_key: str | None,
    ground: str | None = None,
) -> ReportTarget:
    """Accepts or dismisses all open reports of a post, comment, user, entity or collection. REMOVE accepts them and
    rejects the post or comment, or makes the collection private. After DISMISS, the owner can make such a collection
    public again. All three also succeed if there are no open reports. Returns the target, with its new status.

    Raises Unauthenticated, Forbidden below the role MODERATOR, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, TARGET_DELETED, SUSPENDED, TEXT_TOO_LONG, TEXT_INVALID, IDEMPOTENCY_MISMATCH; with NOT_ALLOWED if
    the target is the viewer or belongs to the viewer, and for REMOVE if there is an open appeal against the viewer's
    decision; with INVALID for an empty reason or an unknown ground, and for REMOVE of a user or an entity.
    """
    moderator_id = context.require_role(ModeratorRole.MODERATOR).user_id
    parts = target_id, resolution.value, reason, *grounds.parts(ground)
    write = Write(context, "resolveReports", idempotency_key, *parts, unless_suspended=True)
    ground = grounds.check(context, ground)
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    removes = resolution is ReportResolution.REMOVE
    async with write:
        target = await _reported(context, target_id, removes=removes)
        if removes and isinstance(target, (PostRow, CommentRow)):
            entry = judgement(moderator_id, target, AuditStatus.REJECTED, reason, ground=ground)
            await write.append(ModerationStep(JUDGE, target.ref, entry))
        else:
            status = ReportStatus.DISMISSED if resolution is ReportResolution.DISMISS else ReportStatus.ACCEPTED
            entry = _resolution_entry(moderator_id, target, status, reason, ground, holds=removes)
            await write.append(ModerationStep(RESOLVE, target.ref, entry))
    context.forget()
    if removes and isinstance(target, (PostRow, CommentRow)):
        return replace(target, status=AuditStatus.REJECTED, reason=reason)
    return replace(target, is_public=False) if removes and isinstance(target, CollectionRow) else target


async def _moderated(context: Context, target_id: str, status: AuditStatus) -> ModeratedRow:
    """Returns the post or comment that the viewer wants to approve or reject, as `status` says. Raises Refused if the
    viewer may not decide about it, or wants to approve content that was removed.
    """
    row = await targets.moderated(context, target_id, "targetId")
    targets.check_not_own(context, row, "targetId")
    await check_may_decide(context, row, "targetId")
    if status is AuditStatus.APPROVED and row.is_emptied:
        message = "The content was removed long after the rejection, so it cannot be approved."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "targetId")
    return row


async def _reported(context: Context, target_id: str, *, removes: bool) -> ReportTarget:
    """Returns the target whose reports the viewer wants to decide. `removes` tells whether the decision also rejects
    the post or comment. Raises Refused if the viewer may not make this decision.
    """
    target = await targets.reported(context, target_id, "targetId")
    if removes:
        await check_may_decide(context, target, "targetId")
    targets.check_not_own(context, target, "targetId")
    if removes and not isinstance(target, (PostRow, CommentRow, CollectionRow)):
        what = "Only posts, comments and collections can be removed."
        message = f"{what} Suspend the user, or delete the entity in your own system."
        raise Refused.because(UserErrorCode.INVALID, message, "resolution")
    return target


def _resolution_entry(
    moderator_id: int, target: ReportTarget, status: ReportStatus, reason: str, ground: str | None, *, holds: bool
) -> bytes:
    """Returns the journal entry, as JSON, of a decision about reports that leaves their target as it is or, with
    `holds`, makes a collection private.
    """
    business_id, entity_id = target.ref
    about = {"business": business_id, "entity": entity_id, "owner": targets.author_of(target)}
    what = {"status": int(status), "reason": reason, "ground": ground, **({"holds": True} if holds else {})}
    return orjson.dumps({"actor": moderator_id, **about, **what})
