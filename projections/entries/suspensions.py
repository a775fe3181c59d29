"""Suspensions of users, and their ends: writes them to the rows of the users, and drops the cached profiles."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

from domain.versions import moment_of, version_ms
from models.base import at
from models.counters import EntityRef
from models.moderation_log import ModerationAction, ModerationRole
from models.moderation_steps import SUSPEND
from models.users import SuspensionMode, UserRow
from projections.batch import Batch
from projections.events import ground_of, head_of
from projections.projection import Projection, Publication, count_targets
from settings import USERS
from store.moderation.log import LogLine
from store.outgoing.events.suspensions import USER_SUSPENDED
from store.outgoing.new_events import OutgoingEvents
from store.people import users
from store.write_log.journal import Entry


class Suspended(NamedTuple):
    """An event: a moderator suspended a user, or ended the suspension."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user."""
    mode: SuspensionMode | None
    """The mode of the suspension; None if the event ends the suspension."""
    until_ms: int | None
    """When the suspension ends, in milliseconds since the Unix epoch; None for one without an end."""
    reason: str | None
    ground: str | None = None
    """The name of the ground that the moderator names; None for none."""


def _parse(entry: Entry, data: dict[str, Any]) -> list[Suspended]:
    mode = None if data["mode"] is None else SuspensionMode(data["mode"])
    until_ms = None if data["until"] is None else int(data["until"])
    if mode is None:
        return [Suspended(*head_of(entry, data), None, None, None)]
    if until_ms is not None:
        at(until_ms)  # raises an error for a time that no row can have
    return [Suspended(*head_of(entry, data), mode, until_ms, f"{data['reason']}", ground_of(data))]


async def _apply(batch: Batch, events: Sequence[Suspended]) -> None:
    """Writes the newest decision about each user, except those that no appeal lifts any more. Adds outgoing events and
    lines of the moderation log to the batch. Locks the users in the order of their ids, against deadlocks.

    Raises ValueError for a user without a row.
    """
    effective = [event for event in events if (event.ref, event.version) not in batch.without_effect]
    for event in sorted(effective, key=attrgetter("ref", "version")):
        found = await users.lock_decisions(batch.transaction, event.ref.entity_id)
        if found is None:
            raise ValueError(f"{event.ref} has no row yet")
        await _decide(batch, event, found)


async def _decide(batch: Batch, event: Suspended, stored: users.Locked) -> None:
    """Writes a decision about the user `stored`, unless a newer one is stored. Adds a line to the moderation log for
    each decision to suspend, and for each decision to reinstate that changes something.
    """
    before, lines = without_ended(stored.user, version_ms(event.version))
    mode = None if event.mode is None else int(event.mode)
    after = replace(before, suspended=mode, suspended_until_ms=event.until_ms, suspension_reason=event.reason)
    if event.version <= stored.suspension:
        batch.log += [_decision(event, before, None)] if event.mode else []
        return
    await users.decide(batch.transaction, stored, stored._replace(user=after, suspension=event.version))
    if after != stored.user:
        add_outgoing(batch.outgoing, after)
    batch.log += [*lines, _decision(event, before, after)] if event.mode or after != before else lines


def add_outgoing(outgoing: OutgoingEvents, user: UserRow) -> None:
    """Adds the outgoing event of a user who was suspended or reinstated, or whose suspension ended."""
    outgoing.add(
        *(USER_SUSPENDED, user.user_id, USERS, 0, (user.user_id,)),
        mode=user.suspended,
        until_ms=user.suspended_until_ms,
        reason=user.suspension_reason,
    )


async def _publish(publication: Publication, events: Sequence[Suspended]) -> None:
    """Drops the cached profiles of users who were suspended or reinstated."""
    await publication.state.cache.drop({users.cache_key(event.ref.entity_id) for event in events})


def without_ended(user: UserRow, now_ms: int) -> tuple[UserRow, list[LogLine]]:
    """Returns a user without a suspension whose time is over, and the line of the moderation log about its end. If
    there is no such suspension, returns the user unchanged, and no line.
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
    """Returns the line of the moderation log about a decision. `before` and `after` are the user before and after it;
    `after` is None if a newer decision was stored already, so that this one has no effect.
    """
    return _line(
        before,
        moment=moment_of(event.version),
        action=ModerationAction.SUSPENDED if event.mode else ModerationAction.REINSTATED,
        role=ModerationRole.MODERATOR,
        actor_id=event.actor_id,
        after=_state(after) if after else None,
        reason=event.reason,
        ground=event.ground,
        until_ms=event.until_ms,
    )


def _line(before: UserRow, **values: Any) -> LogLine:
    return LogLine(ref=before.ref, user_id=before.user_id, before=_state(before), **values)


def _state(row: UserRow) -> dict[str, Any]:
    mode = None if row.suspended is None else SuspensionMode(row.suspended).name
    return {"mode": mode, "until": row.suspended_until_ms and f"{at(row.suspended_until_ms):%Y-%m-%dT%H:%M:%SZ}"}


PROJECTION = Projection((Suspended,), {SUSPEND: _parse}, _apply, count_targets, _publish, rank=5)
