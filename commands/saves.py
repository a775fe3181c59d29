"""save and unsave: each checks its input and appends one change to the write log, which acknowledges the change."""

import orjson

from commands import targets
from commands.collections import absent, own_id
from commands.own_sets import OwnChange, append_counted
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from models.counters import EntityRef
from models.own_sets import Transition
from models.saves import DEFAULT, KEPT, NOT_SAVED, SAVE
from store.write_log.operations import Status


async def save(
    context: Context, target_id: str, collection_id: str | None, idempotency_key: str | None, *, keeps: bool
) -> ReactableRow:
    """Saves an entity, post or comment for the viewer, exactly once: into the collection `collection_id`, or into none.
    A save of a post that announces an entity is a save of the entity. Returns the target. If the target is saved
    already, moves the save there; `collection_id` None moves it out of its collection unless `keeps` is true.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND,
    TARGET_DELETED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Saving again succeeds and changes nothing.
    """
    into = KEPT if keeps else DEFAULT
    parts = (target_id, collection_id) if keeps or collection_id else (target_id, collection_id, "moves out")
    async with Write(context, "save", idempotency_key, *parts, unless_suspended=True) as write:
        if collection_id is not None:
            targets.check_unrestricted(context)
            into = own_id(context, collection_id, "collectionId")
        row = await targets.reactable(context, target_id, "targetId")
        await targets.check_owner(context, row, "targetId")
        saved = await targets.content(context, row, "targetId")
        await _append(context, write, saved.ref, into)
    return row


async def unsave(context: Context, target_id: str, idempotency_key: str | None) -> ReactableRow | None:
    """Removes the viewer's save of an entity, post or comment, exactly once. Returns the target, or None if the target
    is deleted or hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND for an unknown
    entity, or IDEMPOTENCY_MISMATCH. Succeeds and changes nothing if the target is not saved, or is a post or comment
    that never existed.
    """
    async with Write(context, "unsave", idempotency_key, target_id) as write:
        ref, row = await targets.kept(context, target_id, "targetId")
        await _append(context, write, ref, NOT_SAVED)
    return row


async def _append(context: Context, write: Write, ref: EntityRef, collection_id: int) -> None:
    entry = orjson.dumps({"actor": write.actor_id, "business": ref.business_id, "entity": ref.entity_id})
    to, only = (DEFAULT, NOT_SAVED) if collection_id == KEPT else (collection_id, None)
    await append_counted(context, write, OwnChange(Transition(SAVE, ref, to, entry, only, blind=True)))
    if write.outcome.status is Status.ABSENT:
        raise absent(context)
