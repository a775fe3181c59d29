"""`plaudit distribute`: distributes the tables over the nodes of a Citus cluster."""

import asyncio

from checks.distribution import OLDEST, major
from cli.progress import Show, progress
from models.database.revisions import newest_revision
from settings import Settings
from store.postgres import client, distribution
from store.postgres.client import Postgres
from store.postgres.server import read_revisions
from store.write_log.id_leases import UNUSED_SECONDS

_PATIENCE_S = 7 * 24 * 3600.0
"""The most seconds that one statement may take. Citus copies all rows of a table in one statement."""


class NotDistributable(Exception):
    """Raised if the tables cannot be distributed. Nothing has been changed then."""


def run(settings: Settings, shards: int) -> list[str]:
    """Distributes the tables that are not distributed yet, each into `shards` shards, and returns their names. Shows
    the progress.

    Raises NotDistributable if the tables cannot be distributed. If the command is interrupted, it can be repeated.
    """
    with progress("tables") as show:
        return asyncio.run(_run(settings, shards, show))


async def _run(settings: Settings, shards: int, show: Show) -> list[str]:
    postgres = client.connect(settings, "distribute")
    patient = client.connect(settings.model_copy(update={"database_timeout": _PATIENCE_S}), "distribute")
    try:
        await _refuse(postgres)
        return await _distribute(patient, shards, show)
    finally:
        await postgres.close()
        await patient.close()


async def _refuse(postgres: Postgres) -> None:
    version = await distribution.read_version(postgres)
    if version is None:
        raise NotDistributable("The database has no extension citus: run CREATE EXTENSION citus as a superuser.")
    if major(version) < OLDEST:
        raise NotDistributable(f"Citus {version} is too old: install Citus {OLDEST} or newer.")
    if not await distribution.is_coordinator(postgres):
        raise NotDistributable("DATABASE_URL names a worker node: it must name the coordinator.")
    if not any(node.is_active and node.has_shards for node in await distribution.read_nodes(postgres)):
        raise NotDistributable("The cluster has no worker nodes: add them with citus_add_node.")
    if await read_revisions(postgres) != [newest_revision()]:
        raise NotDistributable("The tables do not have the revision of this version: run plaudit migrate first.")
    if running := await distribution.read_running(postgres, UNUSED_SECONDS):
        raise NotDistributable(
            f"Processes of Plaudit run ({', '.join(running)}): stop them first. "
            "A process that was killed counts for five minutes."
        )
    if wrong := distribution.problems(await distribution.read_placements(postgres)):
        raise NotDistributable(f"The distribution is not Plaudit's: {'; '.join(wrong)}.")


async def _distribute(postgres: Postgres, shards: int, show: Show) -> list[str]:
    known = await distribution.read_placements(postgres)
    missing = [name for tables in distribution.groups().values() for name in tables if name not in known]
    for tables in distribution.groups().values():
        first = next((name for name in tables if name in known), None)
        for name in [one for one in tables if one in missing]:
            show(missing.index(name), len(missing), name)
            await distribution.distribute(postgres, name, first, shards)
            first = first or name
    await distribution.discard_copies(postgres, distribution.columns())
    return missing
