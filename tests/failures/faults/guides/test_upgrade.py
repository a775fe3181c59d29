"""The commands of docs/operate/upgrade.md upgrade from an older version and go back to it, while users write."""

import asyncio
from pathlib import Path

import pytest

from models.database.revisions import newest_revision
from tests.failures.faults.balancer import balanced
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.guides.host import Host, started
from tests.failures.faults.guides.versions import PREVIOUS, checked_out, limits_known_to
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.deployment import ROOT
from tests.support.guide_pages import blocks
from tests.support.persisted_operations import ME, manifest

pytestmark = [pytest.mark.prove, pytest.mark.timeout(600)]

PAGE = "upgrade.md"
OLDER, NEWER = "0.1.0", "0.2.0"
"""The names of the versions in the guide."""
UP = "1. Migrate the tables", "2. Restart the workers", "3. Restart the APIs"
BACK = (
    "1. Restart the APIs with the older version",
    "2. Wait until the changes of the newer APIs are stored",
    "3. Restart the workers with the older version",
)


async def followed(host: Host, name: str, version: str, *headings: str) -> tuple[History, str]:
    """Runs the commands of these sections while users write. Returns their history, and what the commands print.

    Every request of the users must succeed at its first attempt.
    """
    host.variables["VERSION"] = version
    printed = ""
    async with working(host.deployment, name, users=4) as history:
        await history.grows(40)
        for heading in headings:
            commands = [block for block in blocks(PAGE, heading) if "export VERSION" not in block]
            printed += await host.run(*commands)
            await history.grows(20)
    assert [name for user in history.users for name in user.client.repeated] == []
    return history, printed


async def test_the_guide_upgrades_and_goes_back_under_load(tmp_path: Path) -> None:
    older = checked_out(PREVIOUS, tmp_path / "older")
    async with started(tmp_path, drain_seconds=1.0) as host:
        host.set("PLAUDIT_LIMITS", limits_known_to(older, host.deployment.environment["PLAUDIT_LIMITS"]))
        host.install(f"plaudit-{OLDER}", older)
        host.install(f"plaudit-{NEWER}", ROOT)
        host.link(f"plaudit-{OLDER}")
        await host.run("systemctl start plaudit-migrate")
        oldest = await host.query("SELECT version_num FROM alembic_version")
        await host.run(f"plaudit persisted import {manifest(tmp_path, 'app.json', me=ME)}")
        async with balanced([host.ports["8001"], host.ports["8002"]]) as balancer:
            host.deployment.urls = [f"http://127.0.0.1:{balancer.port}"]
            host.deployment.url = host.deployment.urls[0]
            await host.run(*blocks("backup.md", "4. Start Plaudit"))
            async with asyncio.timeout(60):
                while not all(map(balancer.is_ready, (host.ports["8001"], host.ports["8002"]))):
                    await asyncio.sleep(0.02)
            histories = []
            async with working(host.deployment, "before", users=4) as before:
                await before.grows(60)
            histories.append(before)

            for name, version, headings in (("up", NEWER, UP), ("back", OLDER, BACK), ("again", NEWER, UP)):
                history, printed = await followed(host, name, version, *headings)
                histories.append(history)
                newest = newest_revision()
                assert f"the database is at revision {newest}" in printed
                is_ahead = version == OLDER and newest != oldest
                assert ("a newer version of Plaudit has migrated it" in printed) is is_ahead
                for one in histories:
                    await assert_consistent(host.deployment, one)
        versions = await host.run("plaudit persisted versions --json", "plaudit reconcile")
    assert '"operations": 1' in versions
