"""appeal: the author of a rejected post or comment appeals."""

import commands.appeals
from context import Context
from resolvers.payloads import Payload, payload
from store.moderation.reviews import ModeratedRow


async def appeal(context: Context, target_id: str, text: str, idempotency_key: str | None) -> Payload[ModeratedRow]:
    """Resolves Mutation.appeal."""
    return await payload(commands.appeals.appeal(context, target_id, text, idempotency_key))
