"""Deletions of accounts: writes requests, cancellations and beginnings to the rows of the users, and drops the cached
profiles. workers/deletions/ then removes the data of the accounts.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

from models.base import at
from models.counters import EntityRef
from models.deletions import DELETE_USER, DeletionMode, DeletionState
from models.users import UserRow
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, Publication
from settings import USERS
from store.outgoing.events.users import USER_DELETION
from store.people import deletions, users
from store.write_log.journal import Entry


class DeletionChanged(NamedTuple):
    """An event: somebody has asked to delete an account or cancelled the deletion, or a worker begins with it."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user whose account it is."""
    mode: DeletionMode | None
    """The mode of the requested deletion; None if the event cancels or begins the deletion."""
    due_ms: int | None
    """When workers may begin, in milliseconds since the Unix epoch; None if the event cancels the deletion."""

    @property
    def begins(self) -> bool:
        """Returns whether a worker begins with the deletion that is due at `due_ms`."""
        return self.mode is None and self.due_ms is not None


def _parse(entry: Entry, data: dict[str, Any]) -> list[DeletionChanged]:
    mode = None if data["mode"] is None else DeletionMode(data["mode"])
    due_ms = None if data["due"] is None else int(data["due"])
    if due_ms is not None:
        at(due_ms)  # raises an error for a time that no row can have
    elif mode is not None:
        raise ValueError("a deletion without a time")
    return [DeletionChanged(*head_of(entry, data), mode, due_ms)]


async def _apply(batch: Batch, events: Sequence[DeletionChanged]) -> None:
    """Writes the events to the rows of the users, unless a newer one is stored. Locks the users in the order of their
    ids, against deadlocks. Raises ValueError for a user without a row.
    """
    for event in sorted(events, key=attrgetter("ref", "version")):
        found = await users.lock_decisions(batch.transaction, event.ref.entity_id)
        if found is None:
            raise ValueError(f"{event.ref} has no row yet")
        if event.version > found.deletion and (after := _after(found.user, event)):
            await users.decide(batch.transaction, found, found._replace(user=after, deletion=event.version))
            await _schedule(batch, after)


def _after(user: UserRow, event: DeletionChanged) -> UserRow | None:
    """Returns the user after an event; None if the event has no effect: the deletion has begun already, or the event
    begins a deletion that was cancelled or postponed.
    """
    if user.deletion in (DeletionState.RUNNING, DeletionState.DONE):
        return None
    if event.begins:
        is_due = user.deletion == DeletionState.PENDING and user.deletion_due_ms == event.due_ms
        return replace(user, deletion=DeletionState.RUNNING) if is_due else None
    if event.mode is None:
        return replace(user, deletion=None, deletion_mode=None, deletion_due_ms=None)
    return replace(user, deletion=DeletionState.PENDING, deletion_mode=event.mode, deletion_due_ms=event.due_ms)


async def _schedule(batch: Batch, user: UserRow) -> None:
    """Writes the work that is to be done for a user whose row has changed. Adds the outgoing event of a request or a
    cancellation to the batch.
    """
    if user.deletion != DeletionState.RUNNING:
        to = user.user_id, USERS, 0, (user.user_id,)
        batch.outgoing.add(USER_DELETION, *to, mode=user.deletion_mode, due_ms=user.deletion_due_ms)
    if user.deletion is None:
        await deletions.forget(batch.transaction, user.user_id)
    elif user.deletion == DeletionState.RUNNING:
        await deletions.start(batch.transaction, user.user_id, batch.state.now_ms())
    else:
        assert user.deletion_due_ms is not None
        await deletions.schedule(batch.transaction, user.user_id, user.deletion_due_ms)


async def _publish(publication: Publication, events: Sequence[DeletionChanged]) -> None:
    """Drops the cached profiles of the users."""
    await publication.state.cache.drop({users.cache_key(event.ref.entity_id) for event in events})


PROJECTION = Projection((DeletionChanged,), {DELETE_USER: _parse}, _apply, publish=_publish, rank=6)
