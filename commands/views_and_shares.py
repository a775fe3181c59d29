"""recordViews and recordShares: count views and shares, through the journal like every write."""

from collections.abc import Sequence

import orjson

from commands import idempotency, targets
from commands.targets import Subject
from commands.write_log import WriteLog
from context import Context
from domain.errors import BadInput, Unauthenticated
from store.reactions.views_and_shares import HOUR_MS, ViewOrShare, ViewOrShareKind
from store.write_log.operations import Outcome

MOST_TARGETS = 100


async def record(context: Context, kind: ViewOrShareKind, target_ids: Sequence[str]) -> list[Subject]:
    """Counts a view (once per viewer or device and hour) or share of each target. Returns the targets, in order.

    Raises Unauthenticated for a caller with neither token nor device id, BadInput for no targets, too many targets or
    an invalid id, Refused with TARGET_NOT_FOUND. If it raises, nothing is counted.
    """
    if not 1 <= len(target_ids) <= MOST_TARGETS:
        raise BadInput(f"Pass 1 to {MOST_TARGETS} ids.")
    actor_id = context.actor_id
    if actor_id is None:
        raise Unauthenticated("Sign in, or send an X-Device-Id header.")
    operation = idempotency.operation(context, kind.value, None, *target_ids)

    async def prepare() -> list[Subject]:
        return await targets.subjects(context, target_ids, "targetIds")

    async def append(log: WriteLog, entities: list[Subject]) -> Outcome:
        unique = {entity.ref: entity for entity in entities}.values()
        hour = context.state.now_ms() // HOUR_MS
        recorded = [ViewOrShare(e.ref, e.owner_id, _journal_entry(actor_id, e, hour)) for e in unique]
        return await log.record(actor_id, kind, recorded, operation, hour)

    entities, _ = await idempotency.once(context, actor_id, operation, prepare, append)
    context.forget()
    return entities


def _journal_entry(actor_id: int, entity: Subject, hour: int) -> bytes:
    place = {"business": entity.business_id, "entity": entity.entity_id}
    return orjson.dumps({"actor": actor_id, **place, "hour": hour})
