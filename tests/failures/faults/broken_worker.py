"""Workers with exactly one defect each, which the checker must find. Run as a program with the name of the defect.

Workers whose name ends in "guarded" have no defect: they show that a guard makes their behaviour harmless.
"""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any, cast

from sqlalchemy import TextClause, text

import store.people.account_rows
import store.people.users
import store.write_log.partition_leases
import workers.deletions.purge
import workers.deletions.run
import workers.deletions.undo
import workers.empty_collections
import workers.main
import workers.persist
from models.counters import CounterKind, EntityRef
from models.likes import Reaction
from projections.batch import Batch
from projections.entries import boundaries, collections, comment_settings, likes, pinned_posts, saves
from projections.entries.likes import Reacted
from projections.events import Event
from projections.projection import Projection
from settings import USERS, Settings
from state import State
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Transaction
from store.reactions import like_rows
from store.reactions.counts import CounterDeltas
from store.write_log.journal import Entry
from store.write_log.partition_leases import advance_heads
from workers.outgoing.render import Rendered
from workers.outgoing.streams import StreamSink
from workers.outgoing.webhooks import WebhookSink
from workers.ownership import Partition

BATCHES = 12
"""The age of redelivered batches in batches, and the number of the batch at which the `head_first` worker dies."""
ALTERED = 0.1
"""The share of outgoing events that a worker does not store."""


def without(statement: TextClause, part: str) -> TextClause:
    """Returns a statement without one part. Raises AssertionError if the part is missing."""
    assert part in statement.text, "the replaced statement has changed"
    return text(statement.text.replace(part, ""))


def redelivered() -> None:
    """Applies an old batch again in the transaction of every batch."""
    persist: Any = workers.persist
    original, batches = persist.apply, list[Sequence[Event]]()

    async def apply(state: State, transaction: Transaction, events: Sequence[Event], *traced: Any) -> set[EntityRef]:
        batches.append(events)
        moved: set[EntityRef] = await original(state, transaction, events, *traced)
        return moved | await original(state, transaction, batches[-BATCHES]) if len(batches) > BATCHES else moved

    persist.apply = apply


def unguarded() -> None:
    """Lets older events win over newer rows."""
    like_rows._UPSERT = without(like_rows._UPSERT, "WHERE r.version < excluded.version")


def replayed() -> None:
    """Lets a new owner of a partition begin at the oldest journal entry instead of the head."""
    partitions: Any = store.write_log.partition_leases
    partitions._CLAIM = text(without(partitions._CLAIM, ", head").text + ", CAST(0 AS bigint) AS head")
    partitions._ADVANCE = without(partitions._ADVANCE, " AND partitions.head = n.old_head")


def believing() -> None:
    """Moves counters by the changes in the journal instead of the changes of the rows."""
    original = likes.PROJECTION.apply

    async def apply(batch: Batch, events: Sequence[Reacted]) -> None:
        deltas, batch.deltas = batch.deltas, CounterDeltas({event.partition: event.version for event in events})
        await original(batch, events)
        batch.deltas = deltas
        for event in events:
            for kind, reaction in ((CounterKind.LIKES, Reaction.LIKE), (CounterKind.DISLIKES, Reaction.DISLIKE)):
                deltas.add(event.ref, kind, (event.state == reaction) - (event.was == reaction), event.partition)
            if event.owner_id:
                delta = (event.state == Reaction.LIKE) - (event.was == Reaction.LIKE)
                deltas.add(EntityRef(USERS, event.owner_id), CounterKind.LIKES_RECEIVED, delta, event.partition)

    replace_apply(likes.PROJECTION, apply)


def head_first() -> None:
    """Commits heads in a separate transaction before the data. Kills the worker once between the two commits."""
    persist: Any = workers.persist
    original, commits = persist._commit, 0

    async def commit(state: State, owned: Mapping[int, Partition], entries: Sequence[Entry], *more: Any) -> Any:
        nonlocal commits
        commits += 1
        heads = {entry.partition: entry.version for entry in entries}
        async with state.postgres.transaction() as transaction:
            await advance_heads(transaction, {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()})
        if commits == BATCHES:
            os.kill(os.getpid(), signal.SIGKILL)
        return await original(state, owned, entries, *more)

    async def moved_already(_: object, moved: Mapping[int, object]) -> dict[int, int]:
        await asyncio.sleep(0)
        return dict.fromkeys(moved, 0)

    persist._commit, persist.advance_heads = commit, moved_already


async def nothing(*_: object) -> int:
    await asyncio.sleep(0)
    return 0


def replace_apply(projection: Projection[Any], apply: Any) -> None:
    object.__setattr__(projection, "apply", apply)


def unstored(projection: Projection[Any]) -> Callable[[], None]:
    """Returns a defect: a projection stores no changes."""
    return lambda: replace_apply(projection, nothing)


def unemptied() -> None:
    """Leaves the saves of deleted collections."""
    emptying: Any = workers.empty_collections
    assert callable(emptying._remove), "the replaced function has changed"
    emptying._remove = nothing


def undeleted() -> None:
    """Undoes nothing of deleted accounts."""
    undo: Any = workers.deletions.undo

    async def steps(*_: object) -> AsyncGenerator[int, None]:
        for _ in ():
            yield 0

    assert callable(undo.steps), "the replaced function has changed"
    undo.steps = steps


def dying(module: Any, name: str, *, after: bool) -> Callable[[], None]:
    """Returns a defect: the worker is killed before or after it calls a function for the first time."""

    def happens() -> None:
        original = getattr(module, name)

        async def call(*args: Any, **more: Any) -> Any:
            if after:
                await original(*args, **more)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(module, name, call)

    return happens


def slow() -> None:
    """Takes five seconds of CPU time for each batch with a dislike."""
    original = likes.PROJECTION.apply

    async def apply(batch: Batch, events: Sequence[Reacted]) -> None:
        ends_at = time.thread_time() + 5
        while any(event.state == Reaction.DISLIKE for event in events) and time.thread_time() < ends_at:
            pass
        await original(batch, events)

    replace_apply(likes.PROJECTION, apply)


def losing_events() -> None:
    """Leaves out some outgoing events of each transaction."""
    outgoing: Any = OutgoingEvents
    original = outgoing.write

    async def write(events_out: Any, transaction: Transaction) -> None:
        events_out._events = [event for event in events_out._events if random.random() > ALTERED]
        await original(events_out, transaction)

    outgoing.write = write


def sending(change: Callable[[Sequence[Rendered]], Sequence[Rendered]]) -> Callable[[], None]:
    """Returns a defect: destinations get other events than those that are due, if several are due."""

    def happens() -> None:
        for sink in cast("tuple[Any, ...]", (WebhookSink, StreamSink)):
            sink.send = changed(sink.send)

    def changed(original: Any) -> Any:
        async def send(sink: Any, partition: int, events: Sequence[Rendered]) -> None:
            await original(sink, partition, change(events) if len(events) > 1 else events)

        return send

    return happens


WAYS: dict[str, Sequence[Callable[[], None]]] = {
    "redelivered, guarded": [redelivered],
    "redelivered, unguarded": [redelivered, unguarded],
    "replayed, guarded": [replayed],
    "replayed, counted from the journal": [replayed, believing],
    "the head before the data": [head_first],
    "blocks and mutes that are not stored": [unstored(boundaries.PROJECTION)],
    "saves that are not stored": [unstored(saves.PROJECTION)],
    "collections that are not stored": [unstored(collections.PROJECTION)],
    "deleted collections that are not emptied": [unemptied],
    "comment policies that are not stored": [unstored(comment_settings.PROJECTION)],
    "pins of posts that are not stored": [unstored(pinned_posts.PROJECTION)],
    "deletions that undo nothing": [undeleted],
}
EVENT_WAYS: dict[str, Sequence[Callable[[], None]]] = {
    "events that are not stored": [losing_events],
    "events that are not sent": [sending(lambda events: events[:-1])],
    "events that are sent in another order": [sending(lambda events: events[::-1])],
}
"""The defects of workers that send outgoing events."""
_RUN, _UNDO, _PURGE = workers.deletions.run, workers.deletions.undo, workers.deletions.purge
DYING_WAYS: dict[str, Sequence[Callable[[], None]]] = {
    "killed after the beginning of a deletion": [dying(_RUN, "_begin", after=True)],
    "killed before the first step that undoes": [dying(_UNDO, "_undo", after=False)],
    "killed after a step that undoes": [dying(_UNDO, "_undo", after=True)],
    "killed before rows are emptied": [dying(_PURGE, "_empty", after=False)],
    "killed while rows are removed": [dying(store.people.account_rows, "remove", after=True)],
    "killed after rows are removed": [dying(_PURGE, "_remove", after=True)],
    "killed before a deletion is finished": [dying(_PURGE, "finish", after=False)],
    "killed in the last transaction of a deletion": [dying(store.people.users, "blank", after=True)],
    "killed after a deletion is finished": [dying(_PURGE, "finish", after=True)],
}
"""Workers that are killed in a phase of a deletion."""
SLOW_WAYS: dict[str, Sequence[Callable[[], None]]] = {"a handler that takes five seconds of CPU time": [slow]}


if __name__ == "__main__":
    for sabotage in (WAYS | EVENT_WAYS | SLOW_WAYS | DYING_WAYS)[sys.argv[1]]:
        sabotage()
    workers.main.run(Settings())
