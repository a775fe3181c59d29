"""Runs `plaudit persisted import` and `withdraw` in a test."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from cli.operations import StoredOperations, import_manifests
from settings import Settings

NOWHERE = "postgresql://plaudit@127.0.0.1:1/plaudit"


async def imported(settings: Settings, *files: Path, client: str = "", versions: Sequence[str] = ("",)) -> str:
    """Returns the output of `plaudit persisted import`, which runs in a thread with its own event loop."""
    return await asyncio.to_thread(import_manifests, settings, files, client, versions)


async def withdrawn(settings: Settings, *ids: str, message: str | None = "Update!") -> None:
    """Withdraws operations, or restores them if the message is None."""
    await asyncio.to_thread(StoredOperations(settings).change_operations, ids, message)


async def version_withdrawn(settings: Settings, client: str, *versions: str, message: str | None = "Update!") -> None:
    """Withdraws versions of a client, or restores them if the message is None."""
    await asyncio.to_thread(StoredOperations(settings).change_versions, client, versions, message)
