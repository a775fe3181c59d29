"""Measures how fast a worker empties journals, against the same changes as plain SQL."""

import asyncio
import itertools
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import orjson

from bench import rawsql, scratch
from bench.community import Pair
from bench.machine import Machine
from bench.rawsql import BATCH, Batch, RawWriter
from bench.results import Result, compared
from bench.rounds import Turn, alternate
from bench.working import emptied, working
from loaders import lists
from loaders.likes import LIKERS
from loaders.lists import ListPage
from loaders.shared import SharedLoaders
from models.counters import EntityRef
from models.likes import REACT, Reaction
from models.own_sets import Transition
from projections.entries.likes import Reacted
from projections.registry import events_of
from settings import USERS
from store.write_log.operations import Operation, Status
from workers.worker import Worker

_AT_ONCE = 500
_LISTS_AT_ONCE = 100
"""The number of cached lists that are filled at once. Each fill is a query, which fails if it waits too long for a
connection.
"""


async def measure(machine: Machine) -> list[Result]:
    """Measures journal entries per second: of a worker, until they are in rows and caches and the journal is empty, and
    of plain SQL, until they are in rows.
    """
    events: list[Reacted] = []
    async with bare_sql(machine, events) as theirs, working(machine) as worker:

        async def ours() -> float:
            events[:] = await fill(machine, worker, machine.sizes.backlog)
            started = time.perf_counter()
            handled = await emptied(worker)
            seconds = time.perf_counter() - started
            assert handled == len(events)
            return handled / seconds

        worker_rates, bare = await alternate(machine.sizes.rounds, ours, theirs)
    return [compared("drain", "entries/s, from journal to trimmed", worker_rates, bare, at_least=0.7)]


@asynccontextmanager
async def bare_sql(machine: Machine, events: Sequence[Reacted], *, with_events: bool = False) -> AsyncIterator[Turn]:
    """Yields a function that writes the reactions then in `events` as plain SQL, and returns how many it has written
    per second. If `with_events` is true, it also writes the row of an outgoing event for each reaction.
    """
    schema = f"{rawsql.SCHEMA}_events" if with_events else rawsql.SCHEMA
    await scratch.make(machine.settings, schema, rawsql.TABLES)
    connection = await machine.connect(schema)
    writer = await RawWriter.prepared(connection, machine.settings.partitions)

    async def turn() -> float:
        started = time.perf_counter()
        for at in range(0, len(events), BATCH):
            await writer.write(Batch.of(events[at : at + BATCH]), with_events=with_events)
        return len(events) / (time.perf_counter() - started)

    try:
        yield turn
    finally:
        await connection.close()


async def fill(machine: Machine, worker: Worker, count: int) -> list[Reacted]:
    """Appends `count` reactions to the journals. Returns them as parsed events, for the plain SQL to write."""
    pairs = await append(machine, count)
    journals = await machine.state.journals.read([(p, own.done, len(pairs)) for p, own in worker.owned.items()])
    entries = sorted(itertools.chain.from_iterable(journals), key=lambda entry: entry.version)
    assert len(entries) == len(pairs)
    return [event for entry in entries for event in events_of(entry) if isinstance(event, Reacted)]


async def append(machine: Machine, count: int) -> list[Pair]:
    """Appends `count` likes to the journals, with the Redis script of the product. Returns who likes what.

    Caches the counters and likers of all entities, because the worker has the most work if these are cached.
    """
    pairs = list(itertools.islice(machine.community.pairs, count))
    assert len(pairs) == count, "the community has no more pairs"
    for at in range(0, len(pairs), _AT_ONCE):
        await asyncio.gather(*[_react(machine, pair) for pair in pairs[at : at + _AT_ONCE]])
    await _warm(machine, pairs)
    return pairs


async def _react(machine: Machine, pair: Pair) -> None:
    person, entity = pair
    state = machine.state
    operation = Operation(secrets.token_hex(16), "bench", 60_000)
    entry: dict[str, Any] = {"actor": person.user_id, "business": entity.business_id, "entity": entity.entity_id}
    entry |= {
        "verb": "like",
        "owner": entity.owner_id,
        "source": "bench",
        "ip": "203.0.113.7",
        "device": "d1",
        "client": "web",
    }
    change = Transition(REACT, EntityRef(entity.business_id, entity.entity_id), Reaction.LIKE, orjson.dumps(entry))
    outcome = await state.own_sets.change(person.user_id, change, operation, (0, state.now_ms()))
    assert outcome.status is Status.DONE


async def _warm(machine: Machine, pairs: Sequence[Pair]) -> None:
    refs = sorted({entity.ref for _, entity in pairs})
    owners = sorted({EntityRef(USERS, entity.owner_id) for _, entity in pairs if entity.owner_id})
    await SharedLoaders(machine.state).counts.get_many([*refs, *owners])
    for at in range(0, len(refs), _LISTS_AT_ONCE):
        some = [ListPage(ref, None, 1) for ref in refs[at : at + _LISTS_AT_ONCE]]
        await lists.read(machine.state, LIKERS, some)
