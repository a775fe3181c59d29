"""Imports persisted operations: writes them to Postgres, from where all API processes read them."""

import asyncio
import re
from collections.abc import Sequence

from graphql import GraphQLSchema

from commands.persisted.checking import OperationCheck, Report, check_all, tell_nobody
from commands.persisted.manifests import ManifestOperation
from commands.persisted.registry import Registry
from commands.persisted.withdrawals import OTHER, UNNAMED
from store.persisted.operations import Contradicted, ImportedOperation, write_imported
from store.persisted.versions import write_versions
from store.postgres.client import Postgres

_CLIENT = re.compile(r"[!-~](?:[ -~]{0,98}[!-~])?")
"""A valid name or version of a client: 1 to 100 ASCII characters, as a header can contain them."""


class ImportRefused(Exception):
    """An import was refused, and nothing was imported. The message is the reason. `failed` has the results of the
    checks of the operations that cannot run, and `contradicted` the ids that are stored with other texts.
    """

    def __init__(self, message: str, failed: Sequence[OperationCheck] = (), contradicted: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.failed = failed
        self.contradicted = contradicted


async def import_operations(
    postgres: Postgres,
    schema: GraphQLSchema,
    operations: Sequence[ManifestOperation],
    client: str = "",
    versions: Sequence[str] = ("",),
    *,
    report: Report = tell_nobody,
) -> tuple[int, int]:
    """Imports operations for these versions of a client. If `client` is empty, the operations belong to no client.
    Calls `report` before each check of an operation. Returns the numbers of new and of already imported operations.

    Raises ManifestError if two operations with the same id have different texts; ImportRefused if an operation cannot
    run or contradicts an imported one, or if the client or a version has an invalid name.
    """
    if client:
        check_client(client, *versions)
    Registry().add(operations)  # raises if the operations contradict each other
    different = list({one.id: one for one in operations}.values())
    results = await asyncio.to_thread(check_all, schema, different, report)
    if failed := [result for result in results if result.problem]:
        message = f"{len(failed)} of {len(results)} operations cannot run here. Nothing was imported."
        raise ImportRefused(message, failed)
    new = await _write(postgres, results, client, versions)
    return new, len(results) - new


def check_client(*names: str) -> None:
    """Raises ImportRefused if one of the texts cannot be the name or the version of a client."""
    for name in names:
        if not _CLIENT.fullmatch(name) or name in (OTHER, UNNAMED):
            raise ImportRefused(f"{name[:100]!r} cannot be the name or version of a client.")


async def _write(postgres: Postgres, results: Sequence[OperationCheck], client: str, versions: Sequence[str]) -> int:
    rows = [
        ImportedOperation(one.operation.id, one.name, one.kind, one.operation.text, one.operation.source)
        for one in results
    ]
    try:
        async with postgres.transaction() as transaction:
            new = await write_imported(transaction, rows)
            await write_versions(transaction, client, versions, [row.id for row in rows])
            return new
    except Contradicted as error:
        raise ImportRefused(f"{error}. Nothing was imported.", contradicted=error.ids) from None
