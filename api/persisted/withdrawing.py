"""`plaudit persisted withdraw` and `restore`: withdraw operations and versions of clients, or restore them. API
processes read these changes every few seconds, and refuse requests for what is withdrawn.
"""

import asyncio
from collections.abc import Iterable, Sequence

from api.persisted.manifests import ManifestOperation, read_all
from api.persisted.registry import Registry
from settings import Settings
from state import opened
from store.persisted import versions
from store.persisted.operations import read_imported
from store.postgres.client import Postgres, Transaction

DEFAULT_MESSAGE = "This version of the app is no longer supported. Please update the app."
MOST_MESSAGE = 500
"""The most characters of the message that clients get for a withdrawn operation or version."""


class NotWithdrawable(Exception):
    """An operation or version cannot be withdrawn or restored, and nothing was changed. The message is the reason."""


async def read_operations(postgres: Postgres) -> list[ManifestOperation]:
    """Returns the imported operations, oldest first."""
    return [ManifestOperation(one.id, one.text, one.source) for one in await read_imported(postgres)]


def known_operations(manifests: Iterable[ManifestOperation], imports: Iterable[ManifestOperation]) -> Registry:
    """Returns the operations that API processes serve: those of manifests, and those of imports, except imports whose
    id has another text in a manifest.
    """
    known = Registry()
    known.add(manifests)
    known.add(one for one in imports if known.find(one.id) in (None, one.text))
    return known


def change_operations(settings: Settings, ids: Iterable[str], message: str | None) -> None:
    """Withdraws operations with a message, or restores them if the message is None: all of them or, after an error,
    none. Raises ManifestError if a configured manifest is invalid or contradicts another one; NotWithdrawable if an
    operation is unknown, if an operation to restore is not withdrawn, or if the message is invalid.
    """
    _check_message(message)
    asyncio.run(_change_operations(settings, ids, message))


def change_versions(settings: Settings, client: str, names: Iterable[str], message: str | None) -> None:
    """Withdraws versions of a client with a message, or restores them if the message is None: all of them or, after an
    error, none. Raises NotWithdrawable if nothing was imported for a version, or if the message is invalid.
    """
    _check_message(message)
    asyncio.run(_change_versions(settings, client, names, message))


def _check_message(message: str | None) -> None:
    if message is not None and not 0 < len(message.strip()) <= len(message) <= MOST_MESSAGE:
        raise NotWithdrawable(f"The message must have 1 to {MOST_MESSAGE} characters.")


async def _change_operations(settings: Settings, ids: Iterable[str], message: str | None) -> None:
    async with opened(settings, "persisted", makes_ids=False) as state:
        known = known_operations(read_all(settings.manifests), await read_operations(state.postgres))
        async with state.postgres.transaction() as transaction:
            for identifier in ids:
                text = known.find(identifier)
                operation = known.operations.get(text) if text is not None else None
                if operation is None:
                    raise NotWithdrawable(f"No operation has the id {identifier}. Nothing was changed.")
                await _change_operation(transaction, operation.ids, message)


async def _change_operation(transaction: Transaction, ids: Sequence[str], message: str | None) -> None:
    if message is not None:
        await versions.withdraw_operation(transaction, ids[0], message)
    elif not await versions.restore_operation(transaction, ids):
        raise NotWithdrawable(f"{ids[0]} is not withdrawn. Nothing was changed.")


async def _change_versions(settings: Settings, client: str, names: Iterable[str], message: str | None) -> None:
    async with (
        opened(settings, "persisted", makes_ids=False) as state,
        state.postgres.transaction() as transaction,
    ):
        for version in names:
            if not await versions.set_version_withdrawn(transaction, client, version, message):
                raise NotWithdrawable(f"Nothing was imported for {client} {version}. Nothing was changed.")
