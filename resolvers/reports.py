"""report: reports something to the moderators."""

import commands.reports
from commands.targets import ReportTarget
from context import Context
from domain.moderation.reports import ReportReason
from resolvers.payloads import Payload, payload


async def report(
    context: Context, target_id: str, reason: ReportReason, note: str | None, idempotency_key: str | None
) -> Payload[ReportTarget | None]:
    """Resolves Mutation.report."""
    return await payload(commands.reports.report(context, target_id, reason, note, idempotency_key))
