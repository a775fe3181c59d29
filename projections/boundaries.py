"""Writes blocks, mutes and muted threads to rows, and blocks and removals of followers to the slots of the other
users.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

from projections.events import BoundaryEvent
from projections.events.people import Blocked, FollowerRemoved, Muted, ThreadMuted
from state import State
from store.gather import gather_all
from store.groups import grouped
from store.own_sets.boundaries import REMOVED
from store.people import boundary_rows
from store.people.boundary_rows import StoredBlock
from store.postgres.client import Transaction
from store.write_log import partition_leases
from store.write_log.journal import entry_id, moment_of

Changed = TypeVar("Changed", Blocked, Muted, ThreadMuted)


async def apply(transaction: Transaction, events: Sequence[BoundaryEvent]) -> None:
    """Writes the last state of each block, mute and muted thread."""
    if blocks := _latest([event for event in events if isinstance(event, Blocked)]):
        rows = [(event.actor_id, event.other_id, event.stands, event.version) for event in blocks]
        await boundary_rows.write_blocks(transaction, rows)
    if mutes := _latest([event for event in events if isinstance(event, Muted)]):
        await boundary_rows.write_mutes(
            transaction, [(event.actor_id, event.other_id, event.until_ms, event.version) for event in mutes]
        )
    if threads := _latest([event for event in events if isinstance(event, ThreadMuted)]):
        await boundary_rows.write_thread_mutes(
            transaction, [(event.actor_id, *event.ref, event.stands, event.version) for event in threads]
        )


def _latest(events: Iterable[Changed]) -> list[Changed]:
    last = {(event.actor_id, event.ref): event for event in sorted(events, key=attrgetter("version"))}
    return list(last.values())


async def publish(state: State, events: Sequence[BoundaryEvent]) -> None:
    """Writes blocks, unblocks and removals to the slots of the other users. Can be repeated. Raises RedisDown if a slot
    cannot take a change now.

    The changes of one user are written in their order. If an unblock reached the slot first, the slot would ignore the
    older block and would not end the follow. Blocks that a direct write may have replaced since are not written. Newer
    changes of the journal are published later.
    """
    ordered = sorted(events, key=attrgetter("version"))
    removals = [event for event in ordered if isinstance(event, FollowerRemoved)]
    blocks = grouped(((event.actor_id, event.other_id), event) for event in ordered if isinstance(event, Blocked))
    stored = await boundary_rows.blocks(state.postgres, sorted(blocks))
    last = {pair: some[-1] for pair, some in blocks.items()}
    newer = {pair: row for pair, row in stored.items() if row.version > last[pair].version}
    partitions = {last[pair].partition for pair in newer}
    direct = await partition_leases.direct_versions(state.postgres, partitions) if partitions else {}
    replaced = {pair: row for pair, row in newer.items() if last[pair].version <= direct[last[pair].partition]}
    current: list[Blocked | FollowerRemoved] = [
        *removals,
        *(event for pair, some in blocks.items() if pair not in replaced for event in some),
    ]
    by_actor = grouped((event.actor_id, event) for event in sorted(current, key=attrgetter("version")))
    await gather_all(
        *[_write(state, some) for some in by_actor.values()],
        *[_write_block(state, pair, row) for pair, row in replaced.items()],
    )


async def _write(state: State, events: Iterable[Blocked | FollowerRemoved]) -> None:
    for event in events:
        if isinstance(event, FollowerRemoved):
            await state.boundaries.receive(event.other_id, event.actor_id, REMOVED, event.operation)
        else:
            row = StoredBlock(event.stands, event.version)
            await _write_block(state, (event.actor_id, event.other_id), row)


async def _write_block(state: State, pair: tuple[int, int], row: StoredBlock) -> None:
    mark = moment_of(row.version) * (1 if row.stands else -1)
    await state.boundaries.receive(pair[1], pair[0], mark, entry_id(row.version))
