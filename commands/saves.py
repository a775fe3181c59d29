"""save and unsave: each checks its input and appends one change to the write log, which acknowledges the change."""

from dataclasses import dataclass

import orjson

from commands import idempotency, suspensions, targets
from commands.collections import absent, own_id
from commands.counted import with_counts
from commands.idempotency import Append, Prepare
from commands.targets import ReactableRow
from commands.write_log import WriteLog
from context import Context
from models.counters import Counts, EntityRef
from models.saves import DEFAULT, KEPT, NOT_SAVED
from store.reactions.likes import ReactionTarget
from store.write_log.operations import Operation, Outcome, Status


@dataclass(slots=True)
class _Saving:
    """A save to write: the target, its row if the viewer may see it, and the collection. `counts` are the counters that
    were read with the write.
    """

    ref: EntityRef
    row: ReactableRow | None
    collection_id: int
    counts: Counts | None = None


async def save(
    context: Context, target_id: str, collection_id: str | None, idempotency_key: str | None, *, keeps: bool
) -> ReactableRow | None:
    """Saves an entity, post or comment for the viewer, exactly once, into a collection of the viewer or into none.
    Returns the target. A target that is saved already moves, unless `keeps` says to leave it where it is.

    Raises Unauthenticated, BadInput, Forbidden, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED, BLOCKED,
    SUSPENDED or IDEMPOTENCY_MISMATCH. Saving again succeeds and changes nothing.
    """
    parts = (target_id, collection_id) if keeps or collection_id else (target_id, collection_id, "moves out")
    operation = _operation(context, "save", idempotency_key, *parts)

    async def prepare() -> _Saving:
        into = KEPT if keeps else DEFAULT
        if collection_id is not None:
            targets.check_unrestricted(context)
            into = own_id(context, collection_id, "collectionId")
        row = await targets.reactable(context, target_id, "targetId")
        await targets.check_owner(context, row, "targetId")
        return _Saving(row.ref, row, into)

    return await _write(context, operation, prepare, suspensions.unless_suspended(context, _append(context, operation)))


async def unsave(context: Context, target_id: str, idempotency_key: str | None) -> ReactableRow | None:
    """Removes the viewer's save of an entity, post or comment, exactly once. Returns the target, or None if it is
    deleted or hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, Unavailable; Refused with TARGET_NOT_FOUND for an unknown entity, or
    IDEMPOTENCY_MISMATCH. Succeeds and changes nothing if the target is not saved, or is a post or comment that never
    existed.
    """
    operation = _operation(context, "unsave", idempotency_key, target_id)

    async def prepare() -> _Saving:
        return _Saving(*await targets.kept(context, target_id, "targetId"), NOT_SAVED)

    return await _write(context, operation, prepare, _append(context, operation))


def _operation(context: Context, mutation: str, idempotency_key: str | None, *parts: object) -> Operation:
    context.require_viewer()
    return idempotency.operation(context, mutation, idempotency_key, *parts)


async def _write(
    context: Context, operation: Operation, prepare: Prepare[_Saving], append: Append[_Saving]
) -> ReactableRow | None:
    viewer = context.require_viewer()
    saving, outcome = await idempotency.once(context, viewer.user_id, operation, prepare, append)
    context.forget()
    if outcome.after:
        context.loaders.prime_save(saving.ref, outcome.after, saving.counts)
    return saving.row


def _append(context: Context, operation: Operation) -> Append[_Saving]:
    """Returns the function that appends a save to the write log."""
    viewer_id = context.require_viewer().user_id

    async def append(log: WriteLog, saving: _Saving) -> Outcome:
        business_id, entity_id = saving.ref
        target = ReactionTarget(context.state.businesses_by_id[business_id], entity_id, None)
        entry = orjson.dumps({"actor": viewer_id, "business": business_id, "entity": entity_id})
        writing = log.save(viewer_id, saving.collection_id, target, operation, entry)
        outcome, saving.counts = await with_counts(context, saving.ref, writing)
        if outcome.status is Status.ABSENT:
            raise absent(context)
        return outcome

    return append
