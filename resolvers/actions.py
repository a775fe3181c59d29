"""Views, shares, and actions that businesses define: the mutations that record them."""

from collections.abc import Sequence

from commands import actions as commands
from commands.targets import Subject
from context import Context
from resolvers.payloads import Payload, payload
from store.reactions.actions import ActionKind


async def record(
    context: Context, kind: ActionKind | str, target_ids: Sequence[str], idempotency_key: str | None
) -> Payload[list[Subject]]:
    """Resolves Mutation.recordViews, recordShares and recordActions. For recordActions, `kind` names the counter."""
    return await payload(commands.record(context, kind, target_ids, idempotency_key))
