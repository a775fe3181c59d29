"""`plaudit persisted import`: writes operations to Postgres, from where all API processes read them."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from api.persisted.checking import OperationCheck, Report, check_all, tell_nobody
from api.persisted.manifests import read_all
from api.persisted.registry import Registry
from api.persisted.withdrawals import OTHER, UNNAMED
from settings import Settings
from state import opened
from store.persisted.operations import Contradicted, ImportedOperation, write_imported
from store.persisted.versions import write_versions

_CLIENT = re.compile(r"[!-~](?:[ -~]{0,98}[!-~])?")
"""A valid name or version of a client: 1 to 100 ASCII characters, as a header can contain them."""


class ImportRefused(Exception):
    """An import was refused, and nothing was imported. The message is the reason. `failed` has the results of the
    checks of the operations that cannot run.
    """

    def __init__(self, message: str, failed: Sequence[OperationCheck] = ()) -> None:
        super().__init__(message)
        self.failed = failed


def import_manifests(
    settings: Settings,
    files: Iterable[Path],
    client: str = "",
    versions: Sequence[str] = ("",),
    *,
    report: Report = tell_nobody,
) -> str:
    """Imports the operations of manifests for these versions of a client. If `client` is empty, the operations belong
    to no client. `files` are manifests, or folders whose `*.json` files are manifests. Calls `report` before each check
    of an operation. Returns a sentence with the numbers of new and of already imported operations.

    Raises ManifestError if a manifest is invalid or contradicts another one; ImportRefused if an operation cannot run
    or contradicts an imported one, or if the client or a version has an invalid name.
    """
    if client:
        _check_client(client, *versions)
    operations = read_all(files)
    Registry().add(operations)  # raises if the files contradict each other
    different = list({one.id: one for one in operations}.values())
    results = check_all(different, report)
    if failed := [result for result in results if result.problem]:
        message = f"{len(failed)} of {len(results)} operations cannot run here. Nothing was imported."
        raise ImportRefused(message, failed)
    new = asyncio.run(_write(settings, results, client, versions))
    return f"New: {new}. Already imported: {len(results) - new}."


def _check_client(*names: str) -> None:
    for name in names:
        if not _CLIENT.fullmatch(name) or name in (OTHER, UNNAMED):
            raise ImportRefused(f"{name!r} cannot be the name or version of a client.")


async def _write(settings: Settings, results: Iterable[OperationCheck], client: str, versions: Sequence[str]) -> int:
    rows = [
        ImportedOperation(one.operation.id, one.name, one.kind, one.operation.text, one.operation.source)
        for one in results
    ]
    async with opened(settings, "persisted", makes_ids=False) as state:
        try:
            async with state.postgres.transaction() as transaction:
                new = await write_imported(transaction, rows)
                await write_versions(transaction, client, versions, [row.id for row in rows])
                return new
        except Contradicted as error:
            raise ImportRefused(f"{error}. Nothing was imported.") from None
