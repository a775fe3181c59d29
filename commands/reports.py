"""report: a user reports a post, comment, user, entity or public collection to the moderators."""

import orjson

from commands import targets
from commands.changes import ModerationStep
from commands.targets import ReportTarget
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from domain.moderation.reports import ReportReason
from models.comments import CommentRow
from models.moderation_steps import REPORT

_LONGEST_NOTE = 1000


async def report(
    context: Context, target_id: str, reason: ReportReason, note: str | None, idempotency_key: str | None
) -> ReportTarget | None:
    """Reports a post, comment, user, entity or public collection, exactly once. A further report of the same target by
    the viewer replaces the first one. Returns the target, or None if it is hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED,
    CANNOT_REPORT_SELF, TEXT_TOO_LONG, TEXT_INVALID or IDEMPOTENCY_MISMATCH. A suspension does not prevent a report.
    """
    write = Write(context, "report", idempotency_key, target_id, int(reason), note)
    note = texts.user_text(note, _LONGEST_NOTE, "note") if note else None
    async with write:
        target, is_shown = await targets.reportable(context, target_id, "targetId")
        if targets.author_of(target) == write.actor_id:
            message = "You cannot report yourself or your own content."
            raise Refused.because(UserErrorCode.CANNOT_REPORT_SELF, message, "targetId")
        entry = _entry(context, write.actor_id, target, reason, note or None)
        await write.append(ModerationStep(REPORT, target.ref, entry))
    context.forget()
    return target if is_shown else None


def _entry(context: Context, reporter_id: int, target: ReportTarget, reason: ReportReason, note: str | None) -> bytes:
    business_id, entity_id = target.ref
    about = target.subject_business if isinstance(target, CommentRow) else business_id
    what = {"business": business_id, "entity": entity_id, "about": about, "owner": targets.author_of(target)}
    return orjson.dumps({"actor": reporter_id, **what, "reason": int(reason), "note": note, **context.client.trace})
