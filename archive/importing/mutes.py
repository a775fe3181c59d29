"""Imports mutes of users."""

from collections.abc import Mapping, Sequence

from archive.importing import limits
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Mute
from models.base import ms
from store.own_sets.boundaries import FOREVER_MS
from store.people import boundary_rows
from store.postgres.client import Transaction


async def store(run: Import, items: Sequence[Item[Mute]]) -> None:
    """Imports a chunk of mutes."""
    known = await run.library.known(users=[ref for _, one in items for ref in (one.user, one.muted)])
    rows: dict[tuple[int, int], tuple[Item[Mute], tuple[int, int]]] = {}
    for item in items:
        record = item.record
        try:
            pair = known.user(record.user), known.user(record.muted)
            if pair[0] == pair[1]:
                raise Invalid("A user cannot mute oneself.")
            row = FOREVER_MS if record.until is None else ms(record.until), run.version(record.created_at)
        except REJECTED as error:
            run.reject(item, error)
            continue
        if pair not in rows or rows[pair][1][1] < row[1]:
            rows[pair] = item, row
    if not run.is_check:
        await limits.write(run, known, "mute", run.state.settings.people.boundary_limit, rows, _write)


async def _write(transaction: Transaction, rows: Mapping[tuple[int, int], tuple[int, int]]) -> None:
    await boundary_rows.write_mutes(transaction, [(*pair, *row) for pair, row in rows.items()])
