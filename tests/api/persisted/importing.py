"""`plaudit persisted import`, called from a test."""

import asyncio
from pathlib import Path

from api.persisted.importing import run
from settings import Settings

NOWHERE = "postgresql://plaudit@127.0.0.1:1/plaudit"


async def imported(settings: Settings, *files: Path) -> str:
    """What `plaudit persisted import` says, which has a loop of its own."""
    return await asyncio.to_thread(run, settings, files)
