"""moderate: a moderator approves or rejects a post or comment."""

from dataclasses import replace

from commands import idempotency, targets
from commands.write_log import WriteLog
from context import MODERATE, Context
from domain import texts
from domain.moderation.verdicts import AuditStatus
from store.content import patches
from store.moderation.queue import ModeratedRow
from store.write_log.operations import Outcome

_LONGEST_REASON = 500


async def moderate(context: Context, target_id: str, status: AuditStatus, reason: str) -> ModeratedRow:
    """Approves or rejects the current content of a post or comment, and overrides earlier decisions. Returns the target
    with the new status.

    Raises Unauthenticated, Forbidden without the scope `moderate`, BadInput, Unavailable; Refused with
    TARGET_NOT_FOUND, TARGET_DELETED, TEXT_TOO_LONG, TEXT_INVALID, or INVALID for an empty reason.
    """
    moderator_id = context.require_scope(MODERATE).user_id
    operation = idempotency.operation(context, "moderate", None, target_id, int(status), reason)
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)

    async def append(log: WriteLog, row: ModeratedRow) -> Outcome:
        entry = patches.judgement(moderator_id, row, status, reason)
        return await log.judge(moderator_id, row.ref, operation, entry)

    row, _ = await idempotency.once(
        context, moderator_id, operation, lambda: targets.moderated(context, target_id, "targetId"), append
    )
    context.forget()
    return replace(row, status=status, reason=reason)
