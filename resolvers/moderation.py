"""Moderation: the queue, and the mutation that approves or rejects."""

from commands import moderation as commands
from context import MODERATE, Context
from domain.errors import Forbidden
from domain.moderation.verdicts import AuditStatus
from resolvers.pages import Connection, Scope, check_first, position
from resolvers.payloads import Payload, payload
from store.cache.lists import Item
from store.moderation import queue as moderation
from store.moderation.queue import ModeratedRow

_SCOPE = "moderation"


async def moderate(context: Context, target_id: str, status: AuditStatus, reason: str) -> Payload[ModeratedRow]:
    """Resolves Mutation.moderate."""
    return await payload(commands.moderate(context, target_id, status, reason))


async def queue(context: Context, first: int, after: str | None) -> Connection[ModeratedRow]:
    """Resolves Query.moderationQueue: a page of waiting posts and comments with reasons, oldest first, from Postgres.

    Raises Forbidden if the token lacks the scope to moderate or is restricted to other businesses, BadCursor for an
    invalid cursor, and BadInput for a bad `first`.
    """
    context.require_scope(MODERATE)
    businesses = context.moderates
    if not businesses:
        raise Forbidden("This token is restricted to other businesses.")
    cursors = context.state.cursors
    before, passed = position(cursors, Scope(_SCOPE), after)
    rows = await moderation.waiting(context.state.postgres, businesses, before, check_first(first) + 1)
    items = [Item(row.moment, row.entity_id) for row in rows]
    by_id = {row.entity_id: row for row in rows}
    reasons = {row.entity_id: row.reason for row in rows}
    more = len(items) > first
    return Connection(cursors, _SCOPE, items[:first], passed, by_id, more, after is not None, reasons)
