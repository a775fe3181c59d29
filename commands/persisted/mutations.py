"""The mutations of the administration API about persisted operations."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphql import GraphQLSchema

from commands import admin
from commands.persisted import importing, manifests, withdrawing
from commands.persisted.importing import ImportRefused
from commands.persisted.manifests import ManifestError, ManifestOperation
from commands.persisted.registry import Registry
from commands.persisted.withdrawing import NotWithdrawable
from context import Context
from domain import texts
from domain.errors import BadInput, Refused, Unavailable, UserError, UserErrorCode

LONGEST_SOURCE = 200
_MOST_TEXT = 1_000_000


@dataclass(frozen=True, slots=True)
class OperationData:
    """An operation in the input of the administration API. `kind` is `query`, `mutation` or `subscription`; it and the
    name are None if the client does not state them.
    """

    id: str
    text: str
    source: str
    name: str | None = None
    kind: str | None = None


def parsed(operations: Sequence[OperationData], *at: str) -> list[ManifestOperation]:
    """Returns the operations of an input whose field has the path `at`. Raises BadInput for no or too many operations,
    or too much text; Refused with INVALID for an invalid id, text or source.
    """
    if not 1 <= len(operations) <= admin.MOST_NAMED:
        raise BadInput(f"Pass 1 to {admin.MOST_NAMED} operations.")
    if sum(len(one.text) for one in operations) > _MOST_TEXT:
        raise BadInput(f"The operations have more than {_MOST_TEXT:,} characters together. Send them in parts.")
    found = list[ManifestOperation]()
    for number, one in enumerate(operations):
        if len(one.source) > LONGEST_SOURCE or not texts.is_storable(one.source):
            message = f"The name of the manifest has at most {LONGEST_SOURCE} characters, without control characters."
            raise Refused.because(UserErrorCode.INVALID, message, *at, str(number), "source")
        try:
            found.append(manifests.checked(one.id, one.text, one.source, one.name, one.kind))
        except ManifestError as error:
            raise Refused.because(UserErrorCode.INVALID, str(error), *at, str(number)) from None
    return found


@dataclass(frozen=True, slots=True)
class Imported:
    """The numbers of new and of already imported operations of an import."""

    new_count: int
    known_count: int


async def import_operations(
    context: Context, schema: GraphQLSchema, operations: Sequence[OperationData], client: str, versions: Sequence[str]
) -> Imported:
    """Imports operations for versions of a client; an empty client and no version if they belong to no client.

    Raises Unauthenticated, Forbidden; BadInput for no or too many operations, and for too many versions; Refused with
    INVALID for an operation that cannot run, whose id has another text already, or with an invalid value, and for an
    invalid client or version.
    """
    admin.require(context)
    given = parsed(operations, "operations")
    if bool(client) != bool(versions):
        raise Refused.because(UserErrorCode.INVALID, "Pass a client and its versions, or neither.", "client")
    if len(versions) > admin.MOST_NAMED:
        raise BadInput(f"Pass at most {admin.MOST_NAMED} versions.")
    try:
        named = (client, list(dict.fromkeys(versions))) if client else ("", [""])
        imported = Imported(*await importing.import_operations(context.state.postgres, schema, given, *named))
    except ManifestError as error:
        raise Refused.because(UserErrorCode.INVALID, str(error), "operations") from None
    except ImportRefused as error:
        raise Refused(*_reasons(error, given)) from None
    ids = [one.id for one in given]
    admin.log_change(context, "operations imported", ids, client=client, versions=list(versions))
    return imported


def _reasons(error: ImportRefused, given: Sequence[ManifestOperation]) -> list[UserError]:
    """Returns one user error for each operation that is refused, or one for the whole import."""
    at = {one.id: str(number) for number, one in reversed([*enumerate(given)])}

    def reason(id_: str, why: str) -> UserError:
        return UserError(UserErrorCode.INVALID, f"{id_}: {why}", ("operations", at[id_]))

    failed = [reason(one.operation.id, one.problem) for one in error.failed]
    other = [reason(id_, "Another text was imported with this id.") for id_ in error.contradicted]
    return failed + other or [UserError(UserErrorCode.INVALID, str(error), ("client",))]


async def change_operations(context: Context, ids: Sequence[str], message: str | None) -> list[str]:
    """Withdraws operations with a message, or restores them if the message is None. Returns their ids.

    Raises Unauthenticated, Forbidden; BadInput for no or too many ids; Refused with TARGET_NOT_FOUND for an operation
    that is unknown or, to be restored, is not withdrawn, with INVALID for an invalid message.
    """
    admin.require(context)
    _check_number(ids, "ids")
    configured = await configured_operations(context)
    try:
        await withdrawing.change_operations(context.state.postgres, configured, ids, message)
    except NotWithdrawable as error:
        raise _refused(error, "ids") from None
    admin.log_change(context, f"operations {_done(message)}", ids)
    return list(ids)


async def change_versions(context: Context, client: str, versions: Sequence[str], message: str | None) -> list[str]:
    """Withdraws versions of a client with a message, or restores them if the message is None. Returns their names.

    Raises Unauthenticated, Forbidden; BadInput for no or too many versions; Refused with TARGET_NOT_FOUND for a version
    for which nothing was imported, with INVALID for an invalid message, client or version.
    """
    admin.require(context)
    _check_number(versions, "versions")
    try:
        importing.check_client(client, *versions)
        await withdrawing.change_versions(context.state.postgres, client, versions, message)
    except ImportRefused as error:
        raise Refused.because(UserErrorCode.INVALID, str(error), "client") from None
    except NotWithdrawable as error:
        raise _refused(error, "clientVersions") from None
    admin.log_change(context, f"versions {_done(message)}", versions, client=client)
    return list(versions)


def _done(message: str | None) -> str:
    return "restored" if message is None else "withdrawn"


def _check_number(named: Sequence[str], what: str) -> None:
    if not 1 <= len(named) <= admin.MOST_NAMED:
        raise BadInput(f"Pass 1 to {admin.MOST_NAMED} {what}.")


def _refused(error: NotWithdrawable, field: str) -> Refused:
    if error.at is None:
        return Refused.because(UserErrorCode.INVALID, str(error), "message")
    return Refused.because(UserErrorCode.TARGET_NOT_FOUND, str(error), field, str(error.at))


async def configured_operations(context: Context) -> list[ManifestOperation]:
    """Returns the operations of the configured manifests. Raises Unavailable if a file was changed and is invalid, or
    contradicts another one.
    """
    try:
        return await asyncio.to_thread(_consistent, context.state.settings.manifests)
    except ManifestError:
        raise Unavailable("A configured manifest cannot be read.") from None


def _consistent(files: Sequence[Path]) -> list[ManifestOperation]:
    """Returns the operations of manifests. Raises ManifestError if one is invalid or contradicts another one."""
    operations = manifests.read_all(files)
    Registry().add(operations)
    return operations
