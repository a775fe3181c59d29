"""Writes suspensions of users, and their ends, to the profiles, and drops the cached profiles."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from models.base import at
from models.moderation_log import ModerationAction, ModerationRole
from models.users import SuspensionMode, UserRow
from projections import outgoing
from projections.events.moderation import Suspended
from state import State
from store.moderation import log
from store.moderation.log import LogLine
from store.outgoing.outbox import OutgoingEvents
from store.people import users
from store.postgres.client import Transaction
from store.write_log.journal import include, moment_of, version_ms


async def apply(transaction: Transaction, events: Iterable[Suspended], events_out: OutgoingEvents) -> list[LogLine]:
    """Writes the newest decision about each user, and adds it to `events_out`. Returns the lines of the moderation log.
    Locks the users in the order of their ids, against deadlocks.

    Raises ValueError for a user without a row.
    """
    lines = []
    for event in sorted(events, key=attrgetter("ref", "version")):
        found = await users.lock_suspension(transaction, event.ref.entity_id)
        if found is None:
            raise ValueError(f"{event.ref} has no row yet")
        lines += await _apply(transaction, event, *found, events_out)
    return lines


async def apply_alone(state: State, event: Suspended) -> None:
    """Writes one decision before a worker reads its journal entry, and drops the cached profile. A worker applies the
    entry, too. Then no row changes, and the worker drops the cached profile again, in case this process died before it
    did. If Redis loses the entry, workers notice that and use no value that Redis has cached.
    """
    events_out = OutgoingEvents(state.keys.partition_of)
    async with state.postgres.transaction() as transaction:
        await include(transaction, event.partition, event.version)  # locks the partition first, as batches do
        await log.write(transaction, await apply(transaction, [event], events_out))
        await events_out.write(transaction)
    await publish(state, [event])


async def _apply(
    transaction: Transaction, event: Suspended, stored: UserRow, decided: int, events_out: OutgoingEvents
) -> list[LogLine]:
    """Writes a decision, unless a newer one is stored. Returns its lines. Each decision to suspend has a line; one to
    reinstate has none if it changes nothing.
    """
    before, lines = without_ended(stored, version_ms(event.version))
    mode = None if event.mode is None else int(event.mode)
    after = replace(before, suspended=mode, suspended_until_ms=event.until_ms, suspension_reason=event.reason)
    if event.version <= decided:
        return [_decision(event, before, None)] if event.mode else []
    await users.suspend(transaction, stored, after, event.version)
    if after != stored:
        outgoing.suspended(events_out, after)
    return [*lines, _decision(event, before, after)] if event.mode or after != before else lines


async def publish(state: State, events: Sequence[Suspended]) -> None:
    """Drops the cached profiles of users who were suspended or reinstated."""
    await state.cache.drop({users.cache_key(event.ref.entity_id) for event in events})


def without_ended(user: UserRow, now_ms: int) -> tuple[UserRow, list[LogLine]]:
    """Returns a user without a suspension whose time is over, and the line about its end. If there is no such
    suspension, returns the user as it is, and no line.
    """
    end_ms = user.suspended_until_ms
    if end_ms is None or user.suspension(now_ms):
        return user, []
    after = replace(user, suspended=None, suspended_until_ms=None, suspension_reason=None)
    line = _line(
        user,
        moment=end_ms << 10,
        action=ModerationAction.SUSPENSION_ENDED,
        role=ModerationRole.SYSTEM,
        actor_id=None,
        after=_state(after),
        reason=user.suspension_reason,
    )
    return after, [line]


def _decision(event: Suspended, before: UserRow, after: UserRow | None) -> LogLine:
    """Returns the line of a decision. `after` is None if a newer decision was stored before."""
    return _line(
        before,
        moment=moment_of(event.version),
        action=ModerationAction.SUSPENDED if event.mode else ModerationAction.REINSTATED,
        role=ModerationRole.MODERATOR,
        actor_id=event.actor_id,
        after=_state(after) if after else None,
        reason=event.reason,
    )


def _line(before: UserRow, **values: Any) -> LogLine:
    return LogLine(ref=before.ref, user_id=before.user_id, before=_state(before), **values)


def _state(row: UserRow) -> dict[str, Any]:
    mode = None if row.suspended is None else SuspensionMode(row.suspended).name
    return {"mode": mode, "until": row.suspended_until_ms and f"{at(row.suspended_until_ms):%Y-%m-%dT%H:%M:%SZ}"}
