"""Views, shares, and actions that businesses define: the mutations that record them."""

from collections.abc import Sequence

from commands import actions as commands
from commands.targets import Subject
from context import Context
from resolvers.payloads import Payload, payload
from store.reactions.actions import SHARED, VIEWED


async def views(context: Context, target_ids: Sequence[str], idempotency_key: str | None) -> Payload[list[Subject]]:
    """Resolves Mutation.recordViews."""
    return await payload(commands.record(context, VIEWED, target_ids, idempotency_key))


async def shares(context: Context, target_ids: Sequence[str], idempotency_key: str | None) -> Payload[list[Subject]]:
    """Resolves Mutation.recordShares."""
    return await payload(commands.record(context, SHARED, target_ids, idempotency_key))


async def actions(
    context: Context, counter: str, target_ids: Sequence[str], idempotency_key: str | None
) -> Payload[list[Subject]]:
    """Resolves Mutation.recordActions. `counter` is the name of the counter."""
    return await payload(commands.record(context, counter, target_ids, idempotency_key))
