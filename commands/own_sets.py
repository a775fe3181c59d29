"""Changes of users' own sets: reactions, saves, collections, follows, blocks, mutes and muted threads. A change is made
in Redis or, while Redis is down, directly in Postgres.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from commands.changes import Change, DirectWrite, Fields
from commands.write import Write
from context import Context
from models.counters import Counts, EntityRef
from models.follows import FollowVerb
from models.likes import KindVerb, Verb
from models.own_sets import NO_TEXT, Member, Transition
from state import State
from store.own_sets.kinds import KINDS
from store.people import boundary_rows
from store.write_log.operations import Operation, Outcome, Status


@dataclass(frozen=True, slots=True)
class OwnChange(Change):
    """A change of the actor's state about one object, such as a like of a post, as `transition` describes it. The
    status of the outcome is DONE, or says why nothing was changed, such as LIMIT or BLOCKED.
    """

    transition: Transition
    verb: Verb | KindVerb | FollowVerb | None = None
    """The verb that the user sent; None if the change is neither a reaction nor a follow."""

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the actor's cached set in Redis and appends the change to the actor's journal, at most once for the
        same `operation`. Loads the set from Postgres first if it is not cached.

        Raises RedisDown; PostgresDown if the set must be loaded, Postgres is down, and the transition is not `blind`;
        Unavailable if the set is lost from the cache again and again.
        """
        return await state.own_sets.change(actor_id, self.transition, operation)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns one journal entry, or the status that says why the change is not allowed. Returns an entry even if
        the row has the wanted state already: an older change may still be in a journal.
        """
        change, kind = self.transition, KINDS[self.transition.kind]
        rows = await kind.rows(direct.transaction, direct.actor_id, change.ref.business_id, [change.ref], 0)
        was = next((member for member in rows if member.ref == change.ref), Member(0, change.ref, 0))
        if refusal := await self._refusal(direct, was):
            return refusal
        after = change.after(was.state)
        if change.to and not await self._is_legal(direct, after):
            if after == change.to:
                return Status.ABSENT
            after = 1  # its collection is gone: the save stays, in no collection
        ends = {"ends": int(change.to > 0)} if kind.ends else {}
        return [{"kind": kind.name, "state": after, "was": was.state, **ends, "data": change.data}]

    async def _refusal(self, direct: DirectWrite, was: Member) -> Status | None:
        """Returns the status that says why the change is not allowed; None if it is allowed. `was` is the actor's
        stored state about the object; `was.state` is 0 if there is no row.
        """
        change, kind, now_ms = self.transition, KINDS[self.transition.kind], direct.state.now_ms()
        if change.must_be and not was.state:
            return Status.ABSENT
        if change.expected and (was.text or NO_TEXT) != change.expected:
            return Status.CHANGED
        joins = change.to and (not was.state or (kind.expires and was.state <= now_ms))
        if joins and kind.count:
            business = direct.state.businesses_by_id.get(change.ref.business_id)
            limit = kind.bounds(direct.state.settings, business).limit
            if limit is not None and await kind.count(direct.transaction, direct.actor_id, now_ms) >= limit:
                return Status.LIMIT
        return Status.BLOCKED if change.to and await self._is_guarded(direct) else None

    async def _is_guarded(self, direct: DirectWrite) -> bool:
        """Returns whether a block between the actor and the other user forbids the change."""
        if not KINDS[self.transition.kind].guards:
            return False
        source, actor_id, other_id = direct.transaction, direct.actor_id, self.transition.ref.entity_id
        blocks = await boundary_rows.blocks(source, [(actor_id, other_id)])
        return any(block.stands for block in blocks.values()) or bool(
            await boundary_rows.blockers_among(source, actor_id, [other_id])
        )

    async def _is_legal(self, direct: DirectWrite, after: int) -> bool:
        """Returns whether the actor may have the state `after`. A state above 1 is the id of an object that must exist,
        such as the collection of a save.
        """
        within = KINDS[self.transition.kind].within
        if within is None or after <= 1:
            return True
        business = KINDS[within].business
        assert business is not None  # the states above 1 are ids of one kind of object
        ref = EntityRef(business, after)
        return bool(await KINDS[within].rows(direct.transaction, direct.actor_id, business, [ref], 0))

    @property
    def about(self) -> EntityRef | None:
        """Returns the target of the reaction, or the followed user; None for other changes."""
        return self.transition.ref if self.verb else None

    @property
    def value(self) -> str:
        """Returns a space and the value of the outcome, as the transition states it; an empty text if it states
        none.
        """
        return f" {self.transition.value}" if self.transition.value else ""


async def append_counted(context: Context, write: Write, change: OwnChange) -> None:
    """Appends a change that also changes counters of its object, such as a like. Drops what the request has loaded
    before. Reads the counters in the same round trip, so that the payload shows the state and the counters after the
    change without another read.

    Raises Refused, RateLimited or Unavailable, as `Write.append` does. The caller must check the status of
    `write.outcome`, which may say that nothing was changed.
    """
    transition = change.transition
    reading = asyncio.create_task(context.shared.counts.cached(transition.ref))
    try:
        await write.append(change)
    except BaseException:
        reading.cancel()
        raise
    finally:
        context.forget()
    counts: Counts | None = None
    with suppress(Exception):  # the payload reads the counters again
        counts = await reading
    if after := write.outcome.after:
        context.own.prime(transition.kind, transition.ref, after, counts)
