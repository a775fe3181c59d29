"""Views and shares: the two mutations that count them."""

from collections.abc import Sequence

from commands import views_and_shares as commands
from commands.targets import Subject
from context import Context
from resolvers.payloads import Payload, payload
from store.reactions.views_and_shares import ViewOrShareKind


async def record(context: Context, kind: ViewOrShareKind, target_ids: Sequence[str]) -> Payload[list[Subject]]:
    """Resolves Mutation.recordViews and Mutation.recordShares."""
    return await payload(commands.record(context, kind, target_ids))
