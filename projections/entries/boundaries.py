"""Blocks, mutes, muted threads, and removals of followers: writes their rows, and tells the other users' data in Redis
about blocks and removals.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from domain.versions import entry_id, moment_of
from models.boundaries import BLOCK, MUTE, THREAD
from models.counters import EntityRef
from models.follows import FollowState
from projections.batch import Batch
from projections.entries.follows import Followed, other_of
from projections.events import FLAGS, Event, RemovableChange, head_of, trace_of
from projections.projection import Projection, Publication
from settings import USERS
from state import State
from store.gather import gather_all
from store.groups import grouped
from store.own_sets.boundaries import FOREVER_MS, REMOVED, UNFOLLOWER
from store.people import boundary_rows
from store.people.boundary_rows import StoredBlock
from store.write_log import partition_leases
from store.write_log.journal import Entry
from store.write_log.pending import PublishedChange


class Blocked(NamedTuple):
    """An event: a user blocked another user or, if `stands` is false, unblocked the user."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The other user."""
    stands: bool


class Muted(NamedTuple):
    """An event: a user muted another user until `until_ms`, in milliseconds since the Unix epoch. 0 ends the mute."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The other user."""
    until_ms: int


class ThreadMuted(NamedTuple):
    """An event: a user muted a thread or, if `stands` is false, unmuted the thread."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post, entity or root comment of the thread."""
    stands: bool


class FollowerRemoved(NamedTuple):
    """An event: a user removed another user from the user's followers. The end of the follow is an event of its own."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The other user."""
    operation: str
    """The name of the request that removed the follower, so that the removal takes effect once."""


BoundaryEvent = Blocked | Muted | ThreadMuted | FollowerRemoved
Changed = TypeVar("Changed", Blocked, Muted, ThreadMuted)


def _head(entry: Entry, data: dict[str, Any]) -> tuple[int, int, int, EntityRef]:
    actor = int(data["actor"])
    return entry.partition, entry.version, actor, EntityRef(USERS, other_of(actor, data["other"]))


def _parse_block(entry: Entry, data: dict[str, Any]) -> list[Event]:
    """Returns the event of a block or unblock and, if a block has ended the actor's follow of the other user, the event
    of this unfollow.
    """
    block, trace = Blocked(*_head(entry, data), FLAGS[entry.fields[b"state"]]), trace_of(data)
    if not (block.stands and FLAGS[entry.fields[b"ends"]]):
        return [block]
    return [block, Followed(*block[:3], block.ref.entity_id, FollowState.NONE, indirect=True, trace=trace)]


def _parse_mute(entry: Entry, data: dict[str, Any]) -> list[Muted]:
    until_ms = int(entry.fields[b"state"])
    if not 0 <= until_ms <= FOREVER_MS:
        raise ValueError(f"a mute cannot end at {until_ms}")
    return [Muted(*_head(entry, data), until_ms)]


def _parse_thread(entry: Entry, data: dict[str, Any]) -> list[ThreadMuted]:
    return [ThreadMuted(*head_of(entry, data), FLAGS[entry.fields[b"state"]])]


def _parse_removal(entry: Entry, data: dict[str, Any]) -> list[FollowerRemoved]:
    return [FollowerRemoved(*_head(entry, data), entry.fields[b"op"].decode())]


async def _apply(batch: Batch, events: Sequence[BoundaryEvent]) -> None:
    """Writes the last state of each block, mute and muted thread to its row."""
    transaction = batch.transaction
    if blocks := _latest([event for event in events if isinstance(event, Blocked)]):
        rows = [(event.actor_id, event.ref.entity_id, event.stands, event.version) for event in blocks]
        await boundary_rows.write_blocks(transaction, rows)
    if mutes := _latest([event for event in events if isinstance(event, Muted)]):
        await boundary_rows.write_mutes(
            transaction, [(event.actor_id, event.ref.entity_id, event.until_ms, event.version) for event in mutes]
        )
    if threads := _latest([event for event in events if isinstance(event, ThreadMuted)]):
        await boundary_rows.write_thread_mutes(
            transaction, [(event.actor_id, *event.ref, event.stands, event.version) for event in threads]
        )


def _latest(events: Iterable[Changed]) -> list[Changed]:
    last = {(event.actor_id, event.ref): event for event in sorted(events, key=attrgetter("version"))}
    return list(last.values())


async def _publish(publication: Publication, events: Sequence[BoundaryEvent]) -> None:
    """Writes blocks, unblocks and removals of followers to the other users' data in Redis. Can be repeated. Raises
    RedisDown if the data of a user cannot be changed now.

    The changes of one actor are written in their order. If an unblock were written first, the older block would be
    ignored and would not end the follow. If a direct write may have replaced a block since, the row is written instead.
    Newer changes in the journal are published later.
    """
    state, ordered = publication.state, sorted(events, key=attrgetter("version"))
    removals = [event for event in ordered if isinstance(event, FollowerRemoved)]
    blocks = grouped(((event.actor_id, event.ref.entity_id), event) for event in ordered if isinstance(event, Blocked))
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
            await state.boundaries.receive(event.ref.entity_id, event.actor_id, REMOVED, event.operation)
        else:
            row = StoredBlock(event.stands, event.version)
            await _write_block(state, (event.actor_id, event.ref.entity_id), row)


async def _write_block(state: State, pair: tuple[int, int], row: StoredBlock) -> None:
    mark = moment_of(row.version) * (1 if row.stands else -1)
    await state.boundaries.receive(pair[1], pair[0], mark, entry_id(row.version))


_KINDS: Mapping[type[Event], str] = {Blocked: BLOCK, Muted: MUTE, ThreadMuted: THREAD}


def _pending(event: BoundaryEvent) -> RemovableChange:
    """Returns the actor's pending change; None for a removal of a follower, which is never pending."""
    kind = _KINDS.get(type(event))
    return PublishedChange(event.actor_id, (kind, event.ref), event.version) if kind else None


PROJECTION: Projection[BoundaryEvent] = Projection(
    (Blocked, Muted, ThreadMuted, FollowerRemoved),
    {BLOCK: _parse_block, MUTE: _parse_mute, THREAD: _parse_thread, UNFOLLOWER: _parse_removal},
    _apply,
    publish=_publish,
    pending=_pending,
)
