"""Reads the persisted operations: the imported ones and those of the configured manifests, which are withdrawn, and how
often clients request them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphql import GraphQLSchema

from commands.persisted.checking import OperationCheck, Report, check_all, tell_nobody
from commands.persisted.manifests import ManifestOperation
from commands.persisted.registry import Registry
from commands.persisted.withdrawals import Withdrawals
from commands.persisted.withdrawing import known_operations, read_operations
from store.persisted.operations import ImportedOperation, read_imported_page, read_with_texts
from store.postgres.client import Postgres


@dataclass(frozen=True, slots=True, eq=False)
class ListedOperation:
    """A persisted operation in a list. `imported_at` is None for an operation of a configured manifest. `withdrawn` is
    the message for users if the operation is withdrawn, else None.
    """

    operation: ManifestOperation
    imported_at: datetime | None
    withdrawn: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the list of persisted operations: after an imported operation or, if `imported_at` is None, after the
    first `at` operations of the configured manifests.
    """

    imported_at: datetime | None
    id: str = ""
    at: int = 0


def checked(
    schema: GraphQLSchema, operations: Sequence[ListedOperation], report: Report = tell_nobody
) -> list[OperationCheck]:
    """Returns the results of checking these operations. If an operation is withdrawn, its problem is the message of the
    withdrawal. Calls `report` before each check.
    """
    results = check_all(schema, [one.operation for one in operations], report)
    return [
        result if one.withdrawn is None else replace(result, problem=f"Withdrawn: {one.withdrawn}")
        for one, result in zip(operations, results, strict=True)
    ]


async def list_operations(postgres: Postgres, manifests: Sequence[ManifestOperation]) -> list[ListedOperation]:
    """Returns all imported operations, oldest first, then those of the configured manifests. Raises ManifestError if
    the manifests contradict each other.
    """
    imports = await read_operations(postgres)
    known = await known_operations(manifests, imports)
    return await _listed(postgres, known, [*((one, None) for one in imports), *((one, None) for one in manifests)])


async def page(
    postgres: Postgres, manifests: Sequence[ManifestOperation], after: Place | None, most: int
) -> list[ListedOperation]:
    """Returns up to `most` operations after a place in the list that `list_operations` returns; `after` is None for
    its beginning. Raises ManifestError if the manifests contradict each other.
    """
    imported: Sequence[ImportedOperation] = ()
    if after is None or after.imported_at is not None:
        start = (after.imported_at, after.id) if after else (None, "")
        imported = await read_imported_page(postgres, *start, most)
    begin = after.at if after and after.imported_at is None else 0
    rest = manifests[begin : begin + most - len(imported)]
    found = [(ManifestOperation(one.id, one.text, one.source, one.name, one.kind), one.imported_at) for one in imported]
    same = await read_with_texts(postgres, [one.text for one, _ in found] + [one.text for one in rest])
    known = await known_operations(manifests, (ManifestOperation(one.id, one.text, one.source) for one in same))
    return await _listed(postgres, known, [*found, *((one, None) for one in rest)])


async def _listed(
    postgres: Postgres, known: Registry, operations: Sequence[tuple[ManifestOperation, datetime | None]]
) -> list[ListedOperation]:
    """Returns operations with the messages of their withdrawals. `known` has all ids of their texts."""
    withdrawals = Withdrawals(postgres)
    await withdrawals.refresh()

    def message(one: ManifestOperation) -> str | None:
        operation = known.operations.get(one.text)
        return withdrawals.operation_message(operation) if operation else None

    return [ListedOperation(one, imported_at, message(one)) for one, imported_at in operations]
