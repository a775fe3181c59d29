"""The persisted operations in the administration API, who uses them, and the versions of clients."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphql import GraphQLSchema

from commands.persisted import reporting
from commands.persisted.checking import OperationCheck, check_all
from commands.persisted.mutations import OperationData, configured_operations, parsed
from commands.persisted.reporting import ListedOperation, Place
from context import Context
from domain import texts
from domain.errors import BadCursor, BadInput, Refused
from resolvers import admin_pages
from resolvers.admin_pages import Key
from resolvers.pages import Connection, check_first
from store.persisted import usage
from store.persisted.usage import OperationUsage, VersionUsage

_LONGEST_NAME = 100
_IMPORTED, _CONFIGURED = "imported", "configured"


@dataclass(frozen=True, slots=True, eq=False)
class OperationRow:
    """A persisted operation, and the schema against which it is checked. `at` is its number among the operations of the
    configured manifests, 0 for an imported one.
    """

    listed: ListedOperation
    schema: GraphQLSchema
    at: int = 0


async def page(context: Context, schema: GraphQLSchema, first: int, after: str | None) -> Connection[OperationRow]:
    """Resolves Admin.operations: the imported operations, oldest first, then those of the configured manifests. Raises
    BadCursor, and BadInput unless `first` is 1 to 100.
    """
    check_first(first)
    cursors, scope = context.state.cursors, "admin operations"
    place = _place(admin_pages.after_key(cursors, scope, after))
    configured = await configured_operations(context)
    found = await reporting.page(context.state.postgres, configured, place, first + 1)
    passed = place.at if place else 0
    rows = list[OperationRow]()
    for one in found:
        passed += one.imported_at is None
        rows.append(OperationRow(one, schema, 0 if one.imported_at else passed))
    return admin_pages.page(cursors, scope, rows, first, after, _key)


def _key(row: OperationRow) -> Key:
    at = row.listed.imported_at
    return (_IMPORTED, at.isoformat(), row.listed.operation.id) if at else (_CONFIGURED, str(row.at), "")


def _place(key: Key | None) -> Place | None:
    if key is None:
        return None
    kind, at, id_ = key
    return Place(datetime.fromisoformat(at), id_) if kind == _IMPORTED else Place(None, at=int(at))


async def checks(_context: Context, rows: Sequence[OperationRow]) -> list[OperationCheck]:
    """Resolves PersistedOperation.check: the results of checking operations."""
    return await asyncio.to_thread(check_all, rows[0].schema, [row.listed.operation for row in rows])


async def totals(context: Context, rows: Sequence[OperationRow]) -> list[OperationUsage]:
    """Resolves PersistedOperation.use: how often all clients together have requested each operation, and when last."""
    found = await usage.read_totals(context.state.postgres, [row.listed.operation.id for row in rows])
    return [
        OperationUsage(id_, "", "", "", *found.get(id_, (0, None))) for id_ in (row.listed.operation.id for row in rows)
    ]


async def check(_context: Context, schema: GraphQLSchema, operations: Sequence[OperationData]) -> list[OperationCheck]:
    """Resolves Admin.operationChecks. Raises BadInput for no or too many operations, and for an invalid id, text or
    source.
    """
    try:
        given = parsed(operations, "operations")
    except Refused as refused:
        raise BadInput(refused.errors[0].message) from None
    return await asyncio.to_thread(check_all, schema, given)


async def uses(
    context: Context, client: str | None, version: str | None, first: int, after: str | None
) -> Connection[OperationUsage]:
    """Resolves Admin.operationUses: how often each version of each client has requested each operation. Raises
    BadCursor, and BadInput for an invalid name or unless `first` is 1 to 100.
    """
    check_first(first)
    for name in filter(None, (client, version)):
        texts.identifier(name, "The name of a client or version", _LONGEST_NAME)
    cursors, scope = context.state.cursors, f"admin uses {client!r} {version!r}"
    key = admin_pages.after_key(cursors, scope, after) or ("", "", "")
    if len(key) != 3:
        raise BadCursor("This is not a cursor of this list.")
    rows = await usage.read_usage_page(context.state.postgres, client, version, (key[0], key[1], key[2]), first + 1)
    return admin_pages.page(cursors, scope, rows, first, after, lambda row: (row.client, row.version, row.id))


async def versions(context: Context, first: int, after: str | None) -> Connection[VersionUsage]:
    """Resolves Admin.clientVersions: the versions for which operations were imported. Raises BadCursor, and BadInput
    unless `first` is 1 to 100.
    """
    check_first(first)
    cursors, scope = context.state.cursors, "admin versions"
    key = admin_pages.after_key(cursors, scope, after)
    start = (key[0], datetime.fromisoformat(key[1]), key[2]) if key else None
    rows = await usage.read_version_usage(context.state.postgres, start, first + 1)
    return admin_pages.page(
        cursors, scope, rows, first, after, lambda row: (row.client, row.imported_at.isoformat(), row.version)
    )
