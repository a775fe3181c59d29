"""Withdraws operations and versions of clients, or restores them. API processes read these changes every few seconds,
and refuse requests for what is withdrawn.
"""

import asyncio
from collections.abc import Iterable, Sequence

from commands.persisted.manifests import ManifestOperation
from commands.persisted.registry import Registry
from domain import texts
from store.persisted import versions
from store.persisted.operations import read_imported
from store.postgres.client import Postgres, Transaction

DEFAULT_MESSAGE = "This version of the app is no longer supported. Please update the app."
MOST_MESSAGE = 500
"""The most characters of the message that clients get for a withdrawn operation or version."""


class NotWithdrawable(Exception):
    """An operation or version cannot be withdrawn or restored, and nothing was changed. The message is the reason. `at`
    is the index of the operation or version; None if the message for users is the reason.
    """

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.at = at


async def read_operations(postgres: Postgres) -> list[ManifestOperation]:
    """Returns the imported operations, oldest first."""
    return [ManifestOperation(one.id, one.text, one.source) for one in await read_imported(postgres)]


async def known_operations(manifests: Iterable[ManifestOperation], imports: Iterable[ManifestOperation]) -> Registry:
    """Returns the operations that API processes serve: those of manifests, and those of imports, except imports whose
    id has another text in a manifest. Raises ManifestError if the manifests contradict each other.
    """
    return await asyncio.to_thread(_known_operations, manifests, imports)  # it hashes all texts


def _known_operations(manifests: Iterable[ManifestOperation], imports: Iterable[ManifestOperation]) -> Registry:
    known = Registry()
    known.add(manifests)
    known.add(one for one in imports if known.find(one.id) in (None, one.text))
    return known


async def change_operations(
    postgres: Postgres, manifests: Iterable[ManifestOperation], ids: Iterable[str], message: str | None
) -> None:
    """Withdraws operations with a message, or restores them if the message is None: all of them or, after an error,
    none. `manifests` has the operations of the configured manifests.

    Raises NotWithdrawable if an operation is unknown, if an operation to restore is not withdrawn, or if the message is
    invalid; ManifestError if the manifests contradict each other.
    """
    _check_message(message)
    known = await known_operations(manifests, await read_operations(postgres))
    async with postgres.transaction() as transaction:
        for at, identifier in enumerate(ids):
            text = known.find(identifier)
            operation = known.operations.get(text) if text is not None else None
            if operation is None:
                raise NotWithdrawable(f"No operation has the id {identifier[:100]}. Nothing was changed.", at)
            await _change_operation(transaction, operation.ids, message, at)


async def change_versions(postgres: Postgres, client: str, names: Iterable[str], message: str | None) -> None:
    """Withdraws versions of a client with a message, or restores them if the message is None: all of them or, after an
    error, none. Raises NotWithdrawable if nothing was imported for a version, or if the message is invalid.
    """
    _check_message(message)
    async with postgres.transaction() as transaction:
        for at, version in enumerate(names):
            if not await versions.set_version_withdrawn(transaction, client, version, message):
                raise NotWithdrawable(
                    f"Nothing was imported for {client[:100]} {version[:100]}. Nothing was changed.", at
                )


def _check_message(message: str | None) -> None:
    if message is not None and not 0 < len(message.strip()) <= len(message) <= MOST_MESSAGE:
        raise NotWithdrawable(f"The message must have 1 to {MOST_MESSAGE} characters.")
    if message is not None and not texts.is_storable(message):
        raise NotWithdrawable("The message has a control character.")


async def _change_operation(transaction: Transaction, ids: Sequence[str], message: str | None, at: int) -> None:
    if message is not None:
        await versions.withdraw_operation(transaction, ids[0], message)
    elif not await versions.restore_operation(transaction, ids):
        raise NotWithdrawable(f"{ids[0][:100]} is not withdrawn. Nothing was changed.", at)
