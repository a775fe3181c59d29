"""Writes changes directly to Postgres while Redis is down, with the same code (the projections) with which workers
otherwise store them. Each change is one transaction.

The transaction of a change locks the row of the actor's partition, so it sees all earlier changes of the actor, except
changes in a journal that cannot be read now. Such an earlier change is applied when the journal is back, and could undo
the direct one. So the direct change is usually written with a newer version even if the row has the wanted state
already, such as a like of a liked post (projections/late_reapply.py).
"""

import orjson

from commands.changes import Change, DirectWrite, Fields
from domain.errors import UserError
from models.follows import FOLLOW
from projections.apply import apply
from projections.registry import count_stored, events_of
from state import State
from store.people import follows
from store.write_log import operations, write_mode
from store.write_log.journal import Entry, next_versions
from store.write_log.operations import Operation, Outcome, Status


async def conclude(state: State, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
    """Records in Postgres that the write `operation` was refused with these user errors, so that a repetition gets the
    same errors. Returns the outcome that was recorded before, or None.

    Raises PostgresDown; Moved if nothing was recorded, because writes are not direct any more.
    """
    async with state.write_mode.writing, state.postgres.transaction() as transaction:
        await write_mode.hold(transaction)
        return await operations.remember(transaction, actor_id, operation, orjson.dumps(errors), 0)


async def append(state: State, actor_id: int, operation: Operation, change: Change) -> Outcome:
    """Writes a change to Postgres in one transaction, and in it ends the follow that `Change.unfollow` names.
    `actor_id` is the user to whose partition the change belongs.

    Makes the change at most once for the same `operation`; later calls return the first outcome. If the change is not
    allowed, returns an outcome whose status says why. Raises PostgresDown; Moved if nothing was changed, because writes
    are not direct any more.
    """
    unfollow = change.unfollow(actor_id)
    partition, outcome = state.keys.partition_of(actor_id), f"OK{change.value}".encode()
    partitions = sorted({partition, *(state.keys.partition_of(user) for user in (unfollow or ())[:1])})
    async with state.write_mode.writing, state.postgres.transaction() as transaction:
        await write_mode.hold(transaction)
        versions = {p: await next_versions(transaction, p) for p in partitions}  # in order, against deadlocks
        first = versions[partition]
        if earlier := await operations.remember(
            transaction, actor_id, operation, outcome, first, change.about, change.verb and change.verb.value
        ):
            return earlier
        made = await change.entries(DirectWrite(state, transaction, actor_id))
        if isinstance(made, Status):
            await operations.forget(transaction, actor_id, operation)
            return Outcome(made)
        made = [{"op": operation.name, **fields} for fields in made]
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
