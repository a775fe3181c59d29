"""`plaudit persisted import` and `list`: writes and reads the imported operations in Postgres, which all API processes
share.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from api.persisted.checking import OperationCheck, check, print_table
from api.persisted.manifests import ManifestOperation, read_all
from api.persisted.registry import Registry
from settings import Settings
from state import opened
from store.persisted import Contradicted, ImportedOperation, read_imported, write_imported


class ImportRefused(Exception):
    """An import was refused, and nothing was imported. The message is the reason."""


def import_manifests(settings: Settings, files: Iterable[Path]) -> str:
    """Imports the operations of manifests. Returns a sentence with the numbers of new and of already imported
    operations. Raises ManifestError, or ImportRefused if an operation cannot run or contradicts an imported one.
    """
    operations = read_all(files)
    Registry().add(operations)  # raises if the files contradict each other
    results = [check(operation) for operation in {one.id: one for one in operations}.values()]
    if failed := [result for result in results if result.problem]:
        print_table(failed)
        raise ImportRefused(f"{len(failed)} of {len(results)} operations cannot run here. Nothing was imported.")
    new = asyncio.run(_write(settings, results))
    return f"New: {new}. Already imported: {len(results) - new}."


async def _write(settings: Settings, results: Iterable[OperationCheck]) -> int:
    rows = [
        ImportedOperation(one.operation.id, one.name, one.kind, one.operation.text, one.operation.source)
        for one in results
    ]
    async with opened(settings, "persisted", makes_ids=False) as state:
        try:
            async with state.postgres.transaction() as transaction:
                return await write_imported(transaction, rows)
        except Contradicted as error:
            raise ImportRefused(f"{error}. Nothing was imported.") from None


async def list_operations(settings: Settings) -> list[OperationCheck]:
    """Checks all imported operations, oldest first, then all operations of the configured manifests. Returns the
    results of the checks in this order.
    """
    async with opened(settings, "persisted", makes_ids=False) as state:
        imported = [ManifestOperation(one.id, one.text, one.source) for one in await read_imported(state.postgres)]
    return [check(operation) for operation in (*imported, *read_all(settings.persisted_manifests))]
