"""Imports saves."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from archive.importing.known import Known
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Save
from models.counters import CounterKind, EntityRef
from models.saves import DEFAULT, NOT_SAVED
from store.outgoing.events.saves import SAVE_CHANGED
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Rows
from store.reactions import save_rows
from store.reactions.counts import CounterDeltas
from store.reactions.save_rows import SaveRow


async def store(run: Import, items: Sequence[Item[Save]]) -> None:
    """Imports a chunk of saves."""
    records = [record for _, record in items]
    known = await run.library.known([one.user for one in records], [one.target for one in records])
    found: list[tuple[Item[Save], int, EntityRef, int]] = []
    for item in items:
        record = item.record
        try:
            found.append(
                (item, known.user(record.user), known.target(record.target).ref, run.version(record.created_at))
            )
        except REJECTED as error:
            run.reject(item, error)
    named = {(item.record.collection, user) for item, user, *_ in found if item.record.collection is not None}
    collections = await patiently(lambda: run.library.collections(named)) if named else {}
    rows: dict[tuple[int, int, int], SaveRow] = {}
    for item, user, ref, version in found:
        name = item.record.collection
        collection_id = DEFAULT if name is None else collections.get((name, user))
        if collection_id is None:
            run.reject(item, Invalid(f"The user has no collection {name}."))
        elif (user, *ref) not in rows or rows[user, *ref][4] < version:
            rows[user, *ref] = (user, *ref, collection_id, version)
    if not run.is_check:
        await patiently(lambda: _write(run, known, sorted(rows.values())))


async def _write(run: Import, known: Known, rows: Sequence[SaveRow]) -> None:
    async with run.writing(known) as transaction:
        counts = Counter[EntityRef]()
        changed = await save_rows.write_saves(transaction, rows)
        await run.send(transaction, partial(_add_events, changed, rows))
        for _, business, entity, before, after in changed:
            counts[EntityRef(business, entity)] += (after != NOT_SAVED) - (before != NOT_SAVED)
        deltas = CounterDeltas({})
        for ref, delta in counts.items():
            if delta:
                deltas.add(ref, CounterKind.SAVES, delta)
        await deltas.write(transaction)


def _add_events(changed: Rows, rows: Sequence[SaveRow], events: OutgoingEvents) -> None:
    versions = {row[:3]: row[4] for row in rows}
    for user, business, entity, before, after in changed:
        if after != before:
            key = user, business, entity
            events.add(SAVE_CHANGED, user, business, versions[key], key, collection=after)
