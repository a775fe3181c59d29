"""All rows of Postgres, and their return to an earlier state while Redis keeps its data."""

from models import METADATA
from tests.support.reconciliation import execute
from tests.support.system import System
from tests.support.workers import ready

_TABLES = {
    table.name: ", ".join(column.name for column in table.columns if not column.computed)
    for table in METADATA.sorted_tables
}
"""The written columns of each table."""
_FREE = "UPDATE partitions SET lease_until = '-infinity'", "DELETE FROM workers"


async def dump(system: System) -> dict[str, str]:
    """Returns the rows of every table as JSON."""
    found = {}
    for table in _TABLES:
        ((rows,),) = await system.rows(f"SELECT coalesce(jsonb_agg(t), '[]')::text FROM {table} t")  # noqa: S608
        found[table] = rows
    return found


async def restore(system: System, dumped: dict[str, str]) -> None:
    """Replaces all rows by those of a dump. No worker owns a partition after that."""
    for table, rows in dumped.items():
        await execute(system, f"DELETE FROM {table}")  # noqa: S608
        columns, source = _TABLES[table], f"jsonb_populate_recordset(NULL::{table}, CAST(:rows AS jsonb))"
        await execute(system, f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {source}", rows=rows)  # noqa: S608
    await execute(system, *_FREE)


async def store_again(system: System, dumped: dict[str, str]) -> None:
    """Returns all rows to the state of a dump, and stores the later changes of all journals in one batch."""
    await restore(system, dumped)
    worker = await ready(system)
    owned = dict(worker.owned)
    await worker.handle(owned, await worker.read(owned))
    await worker.ownership.leave()
