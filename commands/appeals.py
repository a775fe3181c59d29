"""appeal: the author of a rejected post or comment asks another moderator to decide again."""

import orjson

from commands import targets
from commands.changes import ModerationStep
from commands.targets import ReportTarget
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from domain.moderation.appeals import AppealStatus
from domain.moderation.verdicts import AuditStatus
from models.moderation_steps import APPEAL
from store.moderation import appeals
from store.moderation.reviews import ModeratedRow

_LONGEST_TEXT = 1000


async def appeal(context: Context, target_id: str, text: str, idempotency_key: str | None) -> ModeratedRow:
    """Appeals against the rejection of the viewer's post or comment. One appeal is possible for each version of its
    content. Returns the post or comment.

    Raises Unauthenticated, BadInput, Forbidden if the token is for other businesses, Unavailable; Refused with
    TARGET_NOT_FOUND, TARGET_DELETED, NOT_ALLOWED if the post or comment is not rejected or its content was removed,
    ALREADY_APPEALED,
    TEXT_TOO_LONG, TEXT_INVALID, IDEMPOTENCY_MISMATCH, or INVALID for an empty text. A suspension does not prevent an
    appeal.
    """
    write = Write(context, "appeal", idempotency_key, target_id, text)
    text = texts.user_text(text, _LONGEST_TEXT, "text", empty=False)
    async with write:
        row = await _rejected(context, target_id)
        about = {"business": row.ref.business_id, "entity": row.ref.entity_id, "content": row.content_version}
        entry = orjson.dumps({"actor": write.actor_id, **about, "text": text})
        await write.append(ModerationStep(APPEAL, row.ref, entry))
    return row


async def _rejected(context: Context, target_id: str) -> ModeratedRow:
    """Returns the viewer's rejected post or comment. Raises Refused if the viewer may not appeal against it."""
    row = await targets.own_content(context, target_id, "targetId")
    if row.status is not AuditStatus.REJECTED:
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "This post or comment is not rejected.", "targetId")
    if row.is_emptied:
        message = "The content was removed long after the rejection. Publish it again."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "targetId")
    earlier = await appeals.last(context.state.postgres, row.ref)
    decided_before = earlier and earlier.status is not AppealStatus.MOOT
    if earlier and decided_before and earlier.content_version >= row.content_version:
        message = "You have appealed against this rejection before."
        raise Refused.because(UserErrorCode.ALREADY_APPEALED, message, "targetId")
    return row


async def check_may_decide(context: Context, target: ReportTarget, *field: str) -> None:
    """Raises Refused with NOT_ALLOWED if the target has an open appeal that the viewer made, or that is against the
    viewer's decision. `field` is the path of the input field with the target's id.
    """
    if not isinstance(target, ModeratedRow) or target.status is not AuditStatus.REJECTED:
        return
    appeal = await appeals.last(context.state.postgres, target.ref)
    viewer_id = context.require_viewer().user_id
    if appeal and appeal.status is AppealStatus.OPEN and viewer_id in (appeal.moderator_id, appeal.author_id):
        message = "Another moderator must decide about this appeal."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, *field)
