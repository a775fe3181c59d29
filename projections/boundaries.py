"""Writes blocks and mutes to rows, and blocks and removals of followers to the slots of the other users."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

from projections.events import Blocked, BoundaryEvent, FollowerRemoved, Muted
from state import State
from store.gather import gather_all
from store.groups import grouped
from store.people import boundary_rows
from store.people.boundaries import REMOVED
from store.postgres.client import Transaction
from store.redis.client import RedisDown
from store.write_log.journal import entry_id, moment_of
from store.write_log.operations import Status

Changed = TypeVar("Changed", Blocked, Muted)


async def apply(transaction: Transaction, events: Sequence[BoundaryEvent]) -> None:
    """Writes the last state of each block and mute."""
    if blocks := _latest([event for event in events if isinstance(event, Blocked)]):
        rows = [(event.actor_id, event.other_id, event.stands, event.version) for event in blocks]
        await boundary_rows.write_blocks(transaction, rows)
    if mutes := _latest([event for event in events if isinstance(event, Muted)]):
        await boundary_rows.write_mutes(
            transaction, [(event.actor_id, event.other_id, event.until_ms, event.version) for event in mutes]
        )


def _latest(events: Iterable[Changed]) -> list[Changed]:
    last = {(event.actor_id, event.other_id): event for event in sorted(events, key=attrgetter("version"))}
    return list(last.values())


async def publish(state: State, events: Sequence[BoundaryEvent]) -> None:
    """Writes blocks, unblocks and removals to the slots of the other users. Can be repeated. Raises RedisDown if a slot
    cannot take a change now.

    The changes of one user are written in their order. If an unblock reached the slot first, the slot would ignore the
    older block and would not end the follow.
    """
    ordered = sorted(
        (event for event in events if not isinstance(event, Muted)), key=lambda event: (event.actor_id, event.version)
    )
    await gather_all(*[_tell(state, some) for some in grouped((one.actor_id, one) for one in ordered).values()])


async def _tell(state: State, events: Iterable[Blocked | FollowerRemoved]) -> None:
    for event in events:
        await _tell_one(state, event)


async def _tell_one(state: State, event: Blocked | FollowerRemoved) -> None:
    if isinstance(event, FollowerRemoved):
        mark, change = REMOVED, event.operation
    else:
        mark, change = moment_of(event.version) * (1 if event.stands else -1), entry_id(event.version)
    outcome = await state.boundaries.receive(event.other_id, event.actor_id, mark, change)
    if outcome.status in (Status.FULL, Status.BUSY):
        raise RedisDown
