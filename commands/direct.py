"""Writes while there is no Redis to trust: the workers' own handlers, in a transaction that also decides (D2).

Each takes the place of one actor script and answers as it does. The row of the actor's partition is the lock: whoever
decides sees all that the actor has changed before, but for what waits in a journal that nobody can read. What is
already as wanted is therefore written all the same, under a newer version: it is not to be undone when that is read in
the end (projections/late_reapply.py).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

import orjson

from domain.errors import UserError
from models.counters import EntityRef
from projections.apply import apply
from projections.events import parse
from state import State
from store.content.patches import JUDGE
from store.notifications.notifications import SEEN
from store.people import follows
from store.postgres.client import Transaction
from store.reactions import likes, views_and_shares
from store.reactions.likes import Target, Verb
from store.reactions.views_and_shares import Recorded, RecordKind
from store.write_log import operations, write_mode
from store.write_log.journal import Entry, next_versions
from store.write_log.operations import Operation, Outcome, Status

Fields = Mapping[str, object]
"""What an entry of the journal would have said."""
Decide = Callable[[Transaction], Awaitable[Sequence[Fields] | Status]]
"""Says what is to be written, or why nothing is."""


async def react(state: State, actor_id: int, verb: Verb, target: Target, operation: Operation, entry: bytes) -> Outcome:
    """As Reactions.react."""

    async def decide(transaction: Transaction) -> Sequence[Fields]:
        was = await likes.state_in(transaction, actor_id, target.ref)
        return [{"kind": "react", "state": verb.after(was), "was": was, "data": entry}]

    return await _acknowledged(state, actor_id, operation, decide, about=target.ref, verb=verb.value)


async def follow(
    state: State, actor_id: int, follows_: bool, followee_id: int, operation: Operation, entry: bytes
) -> Outcome:
    """As Follows.follow."""

    async def decide(transaction: Transaction) -> Sequence[Fields] | Status:
        if follows_ and await follows.is_full(transaction, actor_id, followee_id, state.settings.follow_limit):
            return Status.LIMIT
        return [{"kind": "follow", "state": int(follows_), "data": entry}]

    return await _acknowledged(state, actor_id, operation, decide)


async def record(
    state: State, actor_id: int, kind: RecordKind, recorded: Sequence[Recorded], operation: Operation, hour: int
) -> Outcome:
    """As Records.record; the rows know which views have been counted this hour."""

    async def decide(transaction: Transaction) -> Sequence[Fields]:
        allowed = await views_and_shares.within(transaction, actor_id, kind, recorded, hour, state.records.bounds)
        return [{"kind": kind.value, "data": one.entry} for one in allowed]

    return await _acknowledged(state, actor_id, operation, decide)


async def write(state: State, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
    """As PatchStore.write."""
    return await _written(state, actor_id, operation, [{"kind": kind, "data": entry}], f" {ref.entity_id}", ref)


async def judge(state: State, moderator_id: int, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
    """As PatchStore.judge."""
    return await _written(state, moderator_id, operation, [{"kind": JUDGE, "data": entry}], about=ref)


async def mark(state: State, user_id: int, operation: Operation, entry: bytes) -> Outcome:
    """As Marks.mark."""
    return await _written(state, user_id, operation, [{"kind": SEEN, "data": entry}])


async def refuse(state: State, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
    """As Operations.refuse."""
    async with state.postgres.transaction() as transaction:
        await write_mode.hold(transaction)
        return await operations.remember(transaction, actor_id, operation, orjson.dumps(errors), 0)


async def _written(
    state: State,
    actor_id: int,
    operation: Operation,
    entries: Sequence[Fields],
    value: str = "",
    about: EntityRef | None = None,
) -> Outcome:
    async def decide(_: Transaction) -> Sequence[Fields]:
        return entries

    return await _acknowledged(state, actor_id, operation, decide, value, about)


async def _acknowledged(
    state: State,
    actor_id: int,
    operation: Operation,
    decide: Decide,
    value: str = "",
    about: EntityRef | None = None,
    verb: str | None = None,
) -> Outcome:
    """Raises Moved where writes are not direct; PostgresDown if nobody knows whether it was written."""
    partition, outcome = state.keys.partition_of(actor_id), f"OK{value}".encode()
    async with state.modes.writing, state.postgres.transaction() as transaction:
        await write_mode.hold(transaction)
        first = await next_versions(transaction, partition)
        if earlier := await operations.remember(transaction, actor_id, operation, outcome, first, about, verb):
            return earlier
        decided = await decide(transaction)
        if isinstance(decided, Status):
            await operations.forget(transaction, actor_id, operation)
            return Outcome(decided)
        entries = [Entry(partition, version, _packed(fields)) for version, fields in enumerate(decided, first)]
        await apply(state, transaction, [parse(entry) for entry in entries])
    return Outcome.parse([Status.DONE.value, outcome])


def _packed(fields: Fields) -> dict[bytes, bytes]:
    return {name.encode(): value if isinstance(value, bytes) else str(value).encode() for name, value in fields.items()}
