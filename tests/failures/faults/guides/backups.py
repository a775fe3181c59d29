"""A host on which the operator follows docs/operate/backup.md."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.failures.faults.guides.host import Host, started
from tests.support.deployment import is_ready
from tests.support.guide_pages import blocks

PAGE = "backup.md"
STOP, DUMP, BASE = "1. Stop Plaudit", "2a. Restore a dump", "2b. Restore a base backup"
START = "4. Start Plaudit"
NOT_DIRECT = "plaudit_write_mode_direct 0.0"
AFTERWARDS = "3. Discard caches", START, "5. Check"


@asynccontextmanager
async def installed(folder: Path, **settings: Any) -> AsyncIterator[Host]:
    """Starts a host with an empty Plaudit, on which the operator has set the variables of the guide."""
    async with started(folder, **settings) as host:
        backups = host.root / "var" / "backups" / "plaudit"
        for place in (backups, backups / "wal"):
            place.mkdir(parents=True, exist_ok=True)
            place.chmod(0o777)  # Postgres writes there as a user of its own
        host.variables = {"BACKUPS": str(backups), "PGDATA": str(host.postgres.data_dir / "data")}
        await host.run("systemctl start plaudit-migrate")
        await follow(host, START)
        await writes_through_redis(host)
        yield host


async def follow(host: Host, *headings: str) -> None:
    """Runs the commands of these sections. Each command must end with 0, `plaudit reconcile` too."""
    for heading in headings:
        await host.run(*blocks(PAGE, heading))


async def writes_through_redis(host: Host) -> None:
    """Returns when both APIs are ready and write through Redis. After a restore, writes are direct for some seconds."""
    async with asyncio.timeout(60), httpx.AsyncClient(trust_env=False) as http:
        for url in host.deployment.urls:
            while not (await is_ready(http, url) and NOT_DIRECT in (await http.get(f"{url}/metrics")).text):
                await asyncio.sleep(0.05)
