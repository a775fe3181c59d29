"""save and unsave: each checks its input and appends one change to the write log, which acknowledges the change."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from commands import targets
from commands.changes import ATTEMPTS, Change, DirectWrite, Fields, run_knowing
from commands.collections import absent, held_by, own_id
from commands.counted import with_counts
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain.errors import Unavailable
from models.counters import Counts, EntityRef
from models.saves import DEFAULT, KEPT, NOT_SAVED
from state import State
from store.reactions import saves
from store.reactions.collections import CollectionsNotCached
from store.reactions.likes import Known, NotCached
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import SAVE


@dataclass(frozen=True, slots=True)
class _Saving(Change):
    """A save into a collection, or the removal of one (`NOT_SAVED`). `KEPT` keeps the current collection. If the actor
    has no such collection, the status is ABSENT. `counters` are the ids of the counters of the target's business.
    """

    collection_id: int
    ref: EntityRef
    counters: Sequence[int]
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the cached save. Reads it from Postgres if it is not cached. If it is not cached and Postgres is
        down, writes without it.
        """

        async def read(answer: NotCached) -> int:
            found = await state.saves.from_truth(actor_id, [self.ref], asked_ms=answer.asked_ms, newest=not answer.warm)
            return found[self.ref].collection_id if self.ref in found else NOT_SAVED

        async def save(known: Known | None) -> Outcome | NotCached | CollectionsNotCached:
            return await state.saves.save(
                actor_id, self.collection_id, self.ref, self.counters, operation, self.data, known
            )

        async def run(known: Known | None) -> Outcome | NotCached:
            for _ in range(ATTEMPTS):
                answer = await save(known)
                if not isinstance(answer, CollectionsNotCached):
                    return answer
                await state.collections.warm([actor_id])
            raise Unavailable("Your collections could not be read.")

        return await run_knowing(state.redis, run, read, is_absolute=True)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns an entry with the collection after the save, unless the actor has no such collection."""
        was = await saves.collection_in(direct.transaction, direct.actor_id, self.ref)
        after = max(was, DEFAULT) if self.collection_id == KEPT else self.collection_id
        if after > DEFAULT and after not in await held_by(direct.transaction, direct.actor_id):
            if self.collection_id != KEPT:
                return Status.ABSENT
            after = DEFAULT  # the saves of a deleted collection are removed later; this one stays
        return [{"kind": SAVE, "state": after, "was": was, "data": self.data}]


async def save(
    context: Context, target_id: str, collection_id: str | None, idempotency_key: str | None, *, keeps: bool
) -> ReactableRow | None:
    """Saves an entity, post or comment for the viewer, exactly once, into a collection of the viewer or into none.
    Returns the target. A target that is saved already moves, unless `keeps` says to leave it where it is.

    Raises Unauthenticated, BadInput, Forbidden, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED, BLOCKED,
    SUSPENDED or IDEMPOTENCY_MISMATCH. Saving again succeeds and changes nothing.
    """
    counts: Counts | None = None
    into = KEPT if keeps else DEFAULT
    parts = (target_id, collection_id) if keeps or collection_id else (target_id, collection_id, "moves out")
    async with Write(context, "save", idempotency_key, *parts, unless_suspended=True) as write:
        if collection_id is not None:
            targets.check_unrestricted(context)
            into = own_id(context, collection_id, "collectionId")
        row = await targets.reactable(context, target_id, "targetId")
        await targets.check_owner(context, row, "targetId")
        counts = await _append(context, write, row.ref, into)
    _show_saved(context, write, row.ref, counts)
    return row


async def unsave(context: Context, target_id: str, idempotency_key: str | None) -> ReactableRow | None:
    """Removes the viewer's save of an entity, post or comment, exactly once. Returns the target, or None if it is
    deleted or hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, Unavailable; Refused with TARGET_NOT_FOUND for an unknown entity, or
    IDEMPOTENCY_MISMATCH. Succeeds and changes nothing if the target is not saved, or is a post or comment that never
    existed.
    """
    counts: Counts | None = None
    async with Write(context, "unsave", idempotency_key, target_id) as write:
        ref, row = await targets.kept(context, target_id, "targetId")
        counts = await _append(context, write, ref, NOT_SAVED)
    _show_saved(context, write, ref, counts)
    return row


async def _append(context: Context, write: Write, ref: EntityRef, collection_id: int) -> Counts | None:
    """Appends a save. Returns the counters that were read with the write, as `with_counts` does."""
    entry = orjson.dumps({"actor": write.actor_id, "business": ref.business_id, "entity": ref.entity_id})
    counters = [counter.id for counter in context.state.businesses_by_id[ref.business_id].counters]
    counts = await with_counts(context, ref, write.append(_Saving(collection_id, ref, counters, entry)))
    if write.outcome.status is Status.ABSENT:
        raise absent(context)
    return counts


def _show_saved(context: Context, write: Write, ref: EntityRef, counts: Counts | None) -> None:
    """Lets the payload show the save and the counters after it."""
    context.forget()
    if after := write.outcome.after:
        context.loaders.prime_save(ref, after, counts)
