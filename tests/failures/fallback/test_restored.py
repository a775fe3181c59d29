"""Postgres restored from a dump, with an empty Redis and with a Redis that is newer than the dump."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from models import migrations
from runner import pgdata
from runner.binaries import postgres_bin
from runner.postgres import Postgres
from settings import Settings
from tests.support.fallback_mode import end, worker_apart
from tests.support.posts import on_profile, published
from tests.support.stores import PARTITIONS, standalone
from tests.support.system import SEEN, System, running

pytestmark = [standalone, pytest.mark.prove]

NEW_GENERATION = """
    INSERT INTO modes (id, direct, generation, since)
    VALUES (1, true, extract(epoch FROM now())::bigint, now() - interval '10 s')
    ON CONFLICT (id) DO UPDATE SET direct = true, since = excluded.since,
        generation = greatest(modes.generation + 1, excluded.generation)
    RETURNING 1
"""
"""The statement of docs/operate/backup.md, executed ten seconds ago."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Postgres]:
    with Postgres(tmp_path / "postgres", durable=False) as server:
        migrations.upgrade(Settings(database_url=server.url, jwt_secret=SecretStr("s" * 32), partitions=PARTITIONS))
        yield server


def tool(name: str, url: str, *options: str) -> None:
    command = [str(postgres_bin() / name), "--dbname", url, *options]
    subprocess.run(command, check=True, capture_output=True)


def restored(server: Postgres, dump: Path) -> str:
    """Restores a dump into a new database. Returns its URL."""
    tool("psql", server.url_of("postgres", pgdata.ADMIN), "-c", f"CREATE DATABASE restored OWNER {pgdata.USER}")
    url = server.url_of("restored")
    tool("pg_restore", url, "--no-owner", str(dump))
    return url


async def shown(system: System, video: str) -> tuple[str | None, int, int]:
    """Returns alice's reaction, and the number of likes as alice and as an anonymous client see it."""
    seen = (await system.person("alice").ask(SEEN, id=video))["node"]
    others = (await system.person(None).ask(SEEN, id=video))["node"]
    return seen["viewerReaction"], seen["likeCount"], others["likeCount"]


async def test_a_restored_postgres_with_an_empty_redis_has_all_dumped_rows(
    database: Postgres, make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    dump = tmp_path / "dump"
    async with running(make_settings(database_url=database.url)) as system:
        (video,) = await system.videos("v1")
        await system.person("alice").like(video)
        await published(system.person("alice"), "hello")
        await system.drain()
        tool("pg_dump", database.url, "--format=custom", f"--file={dump}")
        await system.empty_redis()

    async with running(make_settings(database_url=restored(database, dump))) as system:
        assert await shown(system, video) == ("LIKE", 1, 1)
        async with worker_apart(system) as worker:
            await worker.recovery.check()
            assert worker.state.write_mode.current.direct, "journals lack what is stored"
        await system.rows("UPDATE modes SET since = since - interval '3 s' RETURNING 1")
        await end(system)
        assert await shown(system, video) == ("LIKE", 1, 1)
        assert await on_profile(system.person("alice"), "alice") == ["hello"]
        await system.person("alice").unlike(video)
        await system.drain()
        assert await shown(system, video) == (None, 0, 0)


async def test_a_worker_stores_changes_that_an_older_dump_lacks_from_the_journal_tail(
    database: Postgres, make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    dump = tmp_path / "dump"
    async with running(make_settings(database_url=database.url, journal_tail_seconds=60.0)) as system:
        early, late = await system.videos("early", "late")
        await system.person("alice").like(early)
        await system.drain()
        tool("pg_dump", database.url, "--format=custom", f"--file={dump}")
        await system.person("alice").like(late)
        await system.drain()

    async with running(make_settings(database_url=restored(database, dump), journal_tail_seconds=60.0)) as system:
        await generation_raised(system)
        for video in (early, late):
            assert await shown(system, video) == ("LIKE", 1, 1)
        assert await system.rows("SELECT count(*) FROM reactions WHERE state = 1") == [(2,)]


async def test_all_users_see_the_state_of_an_older_dump_for_changes_that_left_the_journal(
    database: Postgres, make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    dump = tmp_path / "dump"
    async with running(make_settings(database_url=database.url)) as system:
        (video,) = await system.videos("v1")
        await system.person("alice").like(video)
        await system.drain()
        tool("pg_dump", database.url, "--format=custom", f"--file={dump}")
        await system.person("alice").unlike(video)
        await system.drain()
        assert await shown(system, video) == (None, 0, 0)

    async with running(make_settings(database_url=restored(database, dump))) as system:
        await generation_raised(system)
        assert await shown(system, video) == ("LIKE", 1, 1)
        await system.person("alice").unlike(video)
        await system.drain()
        assert await shown(system, video) == (None, 0, 0)


async def generation_raised(system: System) -> None:
    """Raises the generation as an operator does, and lets a worker end direct writes."""
    await system.rows(NEW_GENERATION)
    await system.state.write_mode.refresh()
    await end(system)
