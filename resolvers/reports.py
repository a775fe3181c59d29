"""report: reports something to the moderators."""

import commands.reports
from commands.targets import ReportTarget, unless_missing
from context import Context
from domain.ids import CommentId, PostId, UserId
from domain.moderation.reports import ReportReason
from resolvers.payloads import Payload, payload


async def report(
    context: Context, target_id: str, reason: ReportReason, note: str | None, idempotency_key: str | None
) -> Payload[ReportTarget | None]:
    """Resolves Mutation.report."""
    writing = commands.reports.report(context, target_id, reason, note, idempotency_key)
    return await payload(unless_missing(target_id, PostId | CommentId | UserId, writing))
