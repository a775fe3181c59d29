"""The mutations with which moderators decide."""

from commands import moderation as commands
from commands.moderation import ReportResolution
from commands.targets import ReportTarget
from context import Context
from domain.moderation.verdicts import AuditStatus
from models.users import UserRow
from resolvers.payloads import Payload, payload
from store.moderation.reviews import ModeratedRow


async def moderate(context: Context, target_id: str, status: AuditStatus, reason: str) -> Payload[ModeratedRow]:
    """Resolves Mutation.moderate."""
    return await payload(commands.moderate(context, target_id, status, reason))


async def resolve_reports(
    context: Context, target_id: str, resolution: ReportResolution, reason: str, idempotency_key: str | None
) -> Payload[ReportTarget]:
    """Resolves Mutation.resolveReports."""
    return await payload(commands.resolve_reports(context, target_id, resolution, reason, idempotency_key))


async def warn(context: Context, user_id: str, reason: str, idempotency_key: str | None) -> Payload[UserRow]:
    """Resolves Mutation.warnUser."""
    return await payload(commands.warn(context, user_id, reason, idempotency_key))
