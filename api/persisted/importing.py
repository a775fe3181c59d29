"""`plaudit persisted import` and `list`: the imported operations in Postgres, which all processes share."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from api.persisted.checking import OperationCheck, judge_all, show
from api.persisted.manifests import ManifestOperation, read_all
from api.persisted.registry import Registry
from settings import Settings
from state import opened
from store.persisted import Contradicted, ImportedOperation, read_imported, write_imported


class NotImported(Exception):
    """Nothing was imported. The message is the reason."""


def run(settings: Settings, files: Iterable[Path]) -> str:
    """Imports manifests. Returns a report. Raises ManifestError and NotImported."""
    operations = read_all(files)
    Registry().add(operations)  # raises if the files contradict each other
    verdicts = judge_all({one.id: one for one in operations}.values())
    if failed := [verdict for verdict in verdicts if verdict.problem]:
        show(failed)
        raise NotImported(f"{len(failed)} of {len(verdicts)} operations could not run here; nothing was imported.")
    new = asyncio.run(_write(settings, verdicts))
    return f"New: {new}. Imported before: {len(verdicts) - new}."


async def _write(settings: Settings, verdicts: Iterable[OperationCheck]) -> int:
    rows = [
        ImportedOperation(one.operation.id, one.name, one.kind, one.operation.text, one.operation.source)
        for one in verdicts
    ]
    async with opened(settings, "persisted", makes_ids=False) as state:
        try:
            async with state.postgres.transaction() as transaction:
                return await write_imported(transaction, rows)
        except Contradicted as error:
            raise NotImported(f"{error}. Nothing was imported.") from None


def known(settings: Settings) -> list[OperationCheck]:
    """Returns the check of each imported operation, oldest first, then of each operation in the configured
    manifests.
    """

    async def read() -> list[ImportedOperation]:
        async with opened(settings, "persisted", makes_ids=False) as state:
            return await read_imported(state.postgres)

    imported = [ManifestOperation(one.id, one.text, one.source) for one in asyncio.run(read())]
    return judge_all([*imported, *read_all(settings.persisted_manifests)])
