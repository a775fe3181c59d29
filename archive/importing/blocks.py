"""Imports blocks."""

from collections.abc import Mapping, Sequence

from archive.importing import limits
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Block
from store.people import boundary_rows
from store.postgres.client import Transaction


async def store(run: Import, items: Sequence[Item[Block]]) -> None:
    """Imports a chunk of blocks. Does not end follows between the two users: they stay if the archive has them."""
    known = await run.library.known(users=[ref for _, one in items for ref in (one.user, one.blocked)])
    rows: dict[tuple[int, int], tuple[Item[Block], int]] = {}
    for item in items:
        record = item.record
        try:
            pair = known.user(record.user), known.user(record.blocked)
            if pair[0] == pair[1]:
                raise Invalid("A user cannot block oneself.")
            version = run.version(record.created_at)
        except REJECTED as error:
            run.reject(item, error)
            continue
        if pair not in rows or rows[pair][1] < version:
            rows[pair] = item, version
    if not run.is_check:
        await limits.write(run, known, "block", run.state.settings.people.boundary_limit, rows, _write)


async def _write(transaction: Transaction, rows: Mapping[tuple[int, int], int]) -> None:
    await boundary_rows.write_blocks(transaction, [(*pair, True, version) for pair, version in rows.items()])
