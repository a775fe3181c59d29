"""Writes changes directly to Postgres while Redis is down: runs the projections of the workers in one transaction.

Each transaction locks the row of the actor's partition, so it sees all earlier changes of the actor except changes in a
journal that cannot be read. Therefore a change is written with a newer version even if the row has the wanted state
already, such as a like of a liked post. Otherwise an older change from the journal could undo it later
(projections/late_reapply.py).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

import orjson

from domain.errors import UserError
from models.collections import CollectionRow
from models.counters import EntityRef
from models.follows import FollowState
from models.saves import DEFAULT, KEPT
from projections.apply import apply
from projections.events import count_stored, events_of
from state import State
from store.content.patches import SUSPEND
from store.notifications.notifications import SEEN, mark_entry
from store.people import boundary_rows, follows
from store.people.boundaries import UNFOLLOWER
from store.people.boundary_rows import Standing
from store.postgres.client import Transaction
from store.reactions import actions, collections, like_rows, saves
from store.reactions.actions import Action, ActionKind
from store.reactions.collections import CollectionChange, CollectionVerb
from store.reactions.likes import ReactionTarget, Verb
from store.write_log import operations, write_mode
from store.write_log.journal import Entry, next_versions
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import BLOCK, FOLLOW, SAVE, THREAD

Fields = Mapping[str, object]
"""The fields that the entry in the journal would have."""
MakeEntries = Callable[[Transaction], Awaitable[Sequence[Fields] | Status]]
"""Returns the entries to write, or the status of the outcome if nothing is to be written."""


class DirectLog:
    """The WriteLog (commands/write_log.py) that writes each change in one transaction to Postgres."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """Returns the outcome that Postgres has stored for an earlier call with this operation, or None."""
        return await operations.recorded(self._state.postgres, actor_id, operation)

    async def conclude(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Stores in Postgres why a command did not make the write that `operation` identifies: its user errors; none if
        there was nothing to change. Returns the outcome that was stored before, or None.
        """
        async with self._state.postgres.transaction() as transaction:
            await write_mode.hold(transaction)
            return await operations.remember(transaction, actor_id, operation, orjson.dumps(errors), 0)

    async def react(
        self, actor_id: int, verb: Verb, target: ReactionTarget, operation: Operation, entry: bytes
    ) -> Outcome:
        """Writes a like or dislike, or the removal of one, to Postgres."""

        async def make_entries(transaction: Transaction) -> Sequence[Fields]:
            was = await like_rows.state_in(transaction, actor_id, target.ref)
            return [{"kind": "react", "state": verb.after(was), "was": was, "data": entry}]

        return await self._write(actor_id, operation, make_entries, about=target.ref, verb=verb.value)

    async def save(
        self, actor_id: int, collection_id: int, target: ReactionTarget, operation: Operation, entry: bytes
    ) -> Outcome:
        """Writes a save, or the removal of one (`NOT_SAVED`), to Postgres. `KEPT` keeps the current collection. If the
        actor has no such collection, writes nothing and returns the status ABSENT.
        """

        async def make_entries(transaction: Transaction) -> Sequence[Fields] | Status:
            was = await saves.collection_in(transaction, actor_id, target.ref)
            after = max(was, DEFAULT) if collection_id == KEPT else collection_id
            if after > DEFAULT and after not in await self._collections(transaction, actor_id):
                if collection_id != KEPT:
                    return Status.ABSENT
                after = DEFAULT  # the saves of a deleted collection are removed later; this one stays
            return [{"kind": SAVE, "state": after, "was": was, "data": entry}]

        return await self._write(actor_id, operation, make_entries)

    async def change_collection(
        self, actor_id: int, change: CollectionChange, operation: Operation, entry: bytes
    ) -> Outcome:
        """Writes a new, changed or deleted collection to Postgres. If the actor has no such collection, writes nothing
        and returns the status ABSENT; if the actor has too many, LIMIT; if it would be public with a name that was not
        judged, UNJUDGED.
        """

        async def make_entries(transaction: Transaction) -> Sequence[Fields] | Status:
            held = await self._collections(transaction, actor_id)
            was = held.get(change.collection_id)
            if change.verb is CollectionVerb.CREATE:
                if len(held) >= self._state.settings.collection_limit:
                    return Status.LIMIT
            elif was is None:
                return Status.ABSENT
            after = change.after(actor_id, was)
            if after != was and not change.allows(after):
                return Status.UNJUDGED
            return [{**change.fields(after), "data": entry}]

        return await self._write(actor_id, operation, make_entries, f" {change.collection_id}")

    async def _collections(self, transaction: Transaction, user_id: int) -> dict[int, CollectionRow]:
        rows = (await collections.of_users(transaction, [user_id]))[user_id]
        return {row.collection_id: row for row in rows}

    async def follow(
        self, actor_id: int, state: FollowState, followee_id: int, operation: Operation, entry: bytes
    ) -> Outcome:
        """Writes a follow, an unfollow or a request to follow to Postgres. If the actor already follows too many users,
        writes nothing and returns the status LIMIT; if one of the two users blocks the other, BLOCKED.
        """

        async def make_entries(transaction: Transaction) -> Sequence[Fields] | Status:
            was, size = await follows.stored_state(transaction, actor_id, followee_id)
            if state and not was and size >= self._state.settings.follow_limit:
                return Status.LIMIT
            if state and (await self._standing(transaction, actor_id, followee_id)).forbids_follow:
                return Status.BLOCKED
            written = was if state is FollowState.REQUESTED and was is FollowState.FOLLOWS else state
            return [{"kind": FOLLOW, "state": int(written), "data": entry}]

        return await self._write(actor_id, operation, make_entries)

    async def answer_request(
        self, follower_id: int, accepts: bool, followee_id: int, operation: Operation, entry: bytes
    ) -> Outcome:
        """Writes to Postgres that a user accepts or rejects the request to follow the user. Writes nothing if the
        follower follows the user already. Without a stored request, the status is ABSENT for an acceptance; a rejection
        also ends a request that only a journal has.
        """

        async def make_entries(transaction: Transaction) -> Sequence[Fields] | Status:
            was, _ = await follows.stored_state(transaction, follower_id, followee_id)
            if was is FollowState.FOLLOWS:
                return []
            if accepts and was is FollowState.NONE:
                return Status.ABSENT
            return [{"kind": FOLLOW, "state": int(accepts), "data": entry}]

        return await self._write(follower_id, operation, make_entries)

    async def set_boundary(
        self, actor_id: int, kind: str, state: int, ref: EntityRef, operation: Operation, entry: bytes
    ) -> Outcome:
        """Writes a block or mute of the user `ref`, or a mute of the thread `ref`, or the end of one to Postgres. A
        block ends the follows in both directions.

        If the actor already blocks or mutes too many users or threads, writes nothing and returns the status LIMIT.
        """

        async def make_entries(transaction: Transaction) -> Sequence[Fields] | Status:
            if state and await self._is_full(transaction, actor_id, kind, ref):
                return Status.LIMIT
            return [{"kind": kind, "state": state, "unfollows": int(kind == BLOCK and state > 0), "data": entry}]

        ends_follow = kind == BLOCK and state > 0
        return await self._write(
            actor_id, operation, make_entries, unfollow=(ref.entity_id, actor_id) if ends_follow else None
        )

    async def remove_follower(self, actor_id: int, follower_id: int, operation: Operation, entry: bytes) -> Outcome:
        """Ends the follow of a follower of the actor in Postgres."""

        async def make_entries(_: Transaction) -> Sequence[Fields]:
            return [{"kind": UNFOLLOWER, "op": operation.digest, "data": entry}]

        return await self._write(actor_id, operation, make_entries, unfollow=(follower_id, actor_id))

    async def _is_full(self, transaction: Transaction, user_id: int, kind: str, ref: EntityRef) -> bool:
        """Returns whether a user has as many boundaries of a kind as allowed, not counting that with `ref`."""
        limit = self._state.settings.boundary_limit
        if kind == THREAD:
            return await boundary_rows.mutes_too_many_threads(transaction, user_id, ref, limit)
        return (await self._standing(transaction, user_id, ref.entity_id)).is_full(kind, limit)

    async def _standing(self, transaction: Transaction, user_id: int, other_id: int) -> Standing:
        return await boundary_rows.standing(transaction, user_id, other_id, self._state.now_ms())

    async def record(
        self, actor_id: int, kind: ActionKind, recorded: Sequence[Action], operation: Operation, hour: int
    ) -> Outcome:
        """Writes actions of one kind to Postgres, except those beyond the limits of an anonymous device's network.
        Unique rows ensure that an action that counts once per hour, such as a view, is not counted twice in an hour.
        """

        async def make_entries(transaction: Transaction) -> Sequence[Fields]:
            bounds = self._state.actions.bounds
            allowed = await actions.within(transaction, actor_id, kind, recorded, hour, bounds)
            return [{"kind": kind.name, "data": one.entry} for one in allowed]

        return await self._write(actor_id, operation, make_entries)

    async def write(
        self,
        actor_id: int,
        kind: str,
        ref: EntityRef,
        operation: Operation,
        entry: bytes,
        *,
        changes: bool = True,  # noqa: ARG002 - written in any case, against older changes from a journal
    ) -> Outcome:
        """Writes a new, edited or deleted post or comment to Postgres. The value of the outcome is the id of the post
        or comment.
        """
        return await self._write_entry(actor_id, operation, {"kind": kind, "data": entry}, f" {ref.entity_id}", ref)

    async def append(self, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Writes a report, an appeal or what a moderator decides to Postgres. The outcome has no value."""
        return await self._write_entry(actor_id, operation, {"kind": kind, "data": entry}, about=ref)

    async def suspend(self, moderator_id: int, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Writes the suspension of a user, or its end, to Postgres."""
        return await self.append(moderator_id, SUSPEND, ref, operation, entry)

    async def mark_read(self, user_id: int, moment: int, operation: Operation) -> Outcome:
        """Writes to Postgres that a user has read the notifications up to and including this moment."""
        return await self._write_entry(user_id, operation, {"kind": SEEN, "data": mark_entry(user_id, moment)})

    async def _write_entry(
        self, actor_id: int, operation: Operation, fields: Fields, value: str = "", about: EntityRef | None = None
    ) -> Outcome:
        async def make_entries(_: Transaction) -> Sequence[Fields]:
            return [fields]

        return await self._write(actor_id, operation, make_entries, value, about)

    async def _write(
        self,
        actor_id: int,
        operation: Operation,
        make_entries: MakeEntries,
        value: str = "",
        about: EntityRef | None = None,
        verb: str | None = None,
        unfollow: tuple[int, int] | None = None,
    ) -> Outcome:
        """Makes entries and applies them in one transaction. `unfollow` are the ids of a follower and a followee, whose
        follow ends in the same transaction.
        """
        state = self._state
        partition, outcome = state.keys.partition_of(actor_id), f"OK{value}".encode()
        partitions = sorted({partition, *(state.keys.partition_of(user) for user in (unfollow or ())[:1])})
        async with state.write_mode.writing, state.postgres.transaction() as transaction:
            await write_mode.hold(transaction)
            versions = {p: await next_versions(transaction, p) for p in partitions}  # in order, against deadlocks
            first = versions[partition]
            if earlier := await operations.remember(transaction, actor_id, operation, outcome, first, about, verb):
                return earlier
            made = await make_entries(transaction)
            if isinstance(made, Status):
                await operations.forget(transaction, actor_id, operation)
                return Outcome(made)
            entries = [Entry(partition, version, _encoded(fields)) for version, fields in enumerate(made, first)]
            if unfollow:
                follower, followee = unfollow
                ended: Fields = {"kind": FOLLOW, "state": 0, "data": follows.ended(follower, followee)}
                last = versions[state.keys.partition_of(follower)] + len(made)
                entries.append(Entry(state.keys.partition_of(follower), last, _encoded(ended)))
            await apply(state, transaction, [event for entry in entries for event in events_of(entry)])
        count_stored(entries, "direct")
        return Outcome.parse([Status.DONE.value, outcome])


def _encoded(fields: Fields) -> dict[bytes, bytes]:
    return {name.encode(): value if isinstance(value, bytes) else str(value).encode() for name, value in fields.items()}
