"""Runs `plaudit persisted import` in a test."""

import asyncio
from pathlib import Path

from api.persisted.importing import import_manifests
from settings import Settings

NOWHERE = "postgresql://plaudit@127.0.0.1:1/plaudit"


async def imported(settings: Settings, *files: Path) -> str:
    """Returns the output of `plaudit persisted import`, which runs in a thread with its own event loop."""
    return await asyncio.to_thread(import_manifests, settings, files)
