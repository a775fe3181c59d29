"""The commands of docs/operate/backup.md restore what the page promises, after users have written much.

Users write at random (`working`). The checker compares all rows and answers with what was acknowledged to them.
"""

from pathlib import Path

import httpx
import pytest

from settings import EventSettings
from state import opened
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.deleting import deletion_violations, deletions_finished, only_deleted
from tests.failures.faults.guides.backups import (
    AFTERWARDS,
    BASE,
    DUMP,
    PAGE,
    START,
    STOP,
    follow,
    installed,
    writes_through_redis,
)
from tests.failures.faults.guides.host import Host
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.external_reviewer import plain
from tests.support.guide_pages import archive_settings, blocks
from tests.support.system import Api
from tests.support.webhooks import receiver

ERASE = "erase.md"
pytestmark = [pytest.mark.prove, pytest.mark.timeout(600)]


async def wrote(host: Host, name: str) -> History:
    """Lets users write for a while. Returns their history, after all of it is stored and checked."""
    await writes_through_redis(host)
    async with working(host.deployment, name) as history:
        await history.grows(100)
    await assert_consistent(host.deployment, history)
    return history


async def heads(host: Host) -> int:
    """Returns how far the journals are stored: the sum over all partitions."""
    return int(await host.query("SELECT sum(head) FROM partitions"))


async def test_a_dump_is_restored_after_everything_was_lost(tmp_path: Path) -> None:
    async with installed(tmp_path) as host:
        kept = await wrote(host, "kept")
        async with working(host.deployment, "during", leavers=20) as during:
            await during.grows(30)
            await follow(host, "Make a dump")
            await during.has_deletions(3)
        save, replay, *_ = blocks(ERASE, "After a restored backup")
        await host.run(save)
        fresh, _ = blocks(PAGE, "Monitor your backups")
        await host.run(fresh)
        (dump,) = Path(host.variables["BACKUPS"]).glob("*.dump")
        assert dump.stat().st_mode & 0o077 == 0, "personal data"

        await follow(host, STOP)
        await host.replace_stores()
        _, *commands = blocks(PAGE, DUMP)  # the first block is for a damaged database, which a new server does not have
        await host.run(*commands)
        await follow(host, *AFTERWARDS)
        await host.run(replay)

        await writes_through_redis(host)
        assert await undeleted_again(host, during) == []
        await assert_consistent(host.deployment, kept)
        await wrote(host, "after")


async def undeleted_again(host: Host, history: History) -> list[str]:
    """Returns a sentence for each deletion that a restored backup has undone."""
    async with (
        opened(host.deployment.settings, "checker", makes_ids=False) as stores,
        httpx.AsyncClient(base_url=host.deployment.url, timeout=10, trust_env=False) as http,
    ):
        deleting = [await only_deleted(stores, one) for one in history.deleting]
        assert any(one.leavers for one in deleting)
        await deletions_finished(stores)
        return await deletion_violations(stores, Api(http, host.deployment.settings), deleting)


async def test_a_restored_copy_sends_no_events(tmp_path: Path) -> None:
    private = EventSettings(private_addresses=True)
    async with (
        receiver() as server,
        installed(tmp_path / "production", events=private) as host,
        installed(tmp_path / "test", events=private) as copy,
    ):
        await host.run(f"plaudit webhooks add hook http://127.0.0.1:{server.port}/hook")
        kept = await wrote(host, "kept")
        server.answer = plain(b"", "503 Service Unavailable")
        await wrote(host, "waiting")
        await follow(host, "Make a dump", STOP)
        await follow(copy, STOP)
        copy.variables["BACKUPS"] = host.variables["BACKUPS"]
        server.answer = plain(b"")
        server.requests.clear()

        await follow(copy, DUMP, "Test your backups", START)

        await assert_consistent(copy.deployment, kept)
        await wrote(copy, "after")
        assert server.requests == []


async def test_a_base_backup_and_redis_lose_no_acknowledged_change(tmp_path: Path) -> None:
    archive = archive_settings(PAGE) | {"archive_timeout": "0"}  # the test says when a segment is archived
    async with installed(tmp_path, postgres=archive, journal_tail_seconds=60.0) as host:
        async with working(host.deployment, "kept") as kept:
            await kept.grows(30)
            await follow(host, "Make a base backup")
            await kept.grows(200)  # all users have signed in
            await host.archive_wal()
            await kept.grows(100)
        before = await heads(host)
        host.lose_postgres()
        await follow(host, STOP)
        stop, _, *commands = blocks(PAGE, BASE)  # the second block is for a damaged directory
        await host.run(stop)
        await host.run(*commands)
        assert await heads(host) < before
        await follow(host, *AFTERWARDS)

        await assert_consistent(host.deployment, kept)
        assert await heads(host) >= before
        await wrote(host, "after")


async def test_a_base_backup_returns_to_the_moment_before_a_mistake(tmp_path: Path) -> None:
    async with installed(tmp_path, postgres=archive_settings(PAGE)) as host:
        async with working(host.deployment, "during") as during:
            await during.grows(30)
            await follow(host, "Make a base backup")
            await during.grows(30)
        await assert_consistent(host.deployment, during)
        kept = await wrote(host, "kept")
        host.variables["UNTIL"] = await host.query("SELECT now()")
        await host.query("DELETE FROM reactions RETURNING 1")
        _, archived = blocks(PAGE, "Monitor your backups")
        await host.run(archived)

        await follow(host, STOP, BASE, *AFTERWARDS)

        for history in (during, kept):
            await assert_consistent(host.deployment, history)
        await wrote(host, "after")
