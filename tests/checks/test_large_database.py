"""Findings about Postgres servers whose settings do not fit a large database."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest

from checks import Severity
from models.database import migrations
from runner.postgres import Postgres
from settings import Settings
from tests.checks.found import bad

TUNED = {"shared_buffers": "1GB", "wal_compression": "lz4", "max_wal_size": "4GB", "checkpoint_timeout": "15min"}
Make = Callable[..., Settings]


async def test_default_settings_are_findings_when_the_database_is_large(
    production: Make, durable: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await bad(production()) == {}
    monkeypatch.setattr("checks.large_database.LARGE", 0)

    expected = TUNED if await has_lz4(durable) else TUNED.keys() - {"wal_compression"}
    assert await bad(production()) == {f"postgres.{name}": Severity.WARNING for name in expected}


@pytest.mark.parametrize("autovacuum", [pytest.param("on", marks=pytest.mark.prove), "off"])
async def test_a_large_database_with_the_documented_settings_needs_autovacuum_only(
    production: Make, durable: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autovacuum: str
) -> None:
    monkeypatch.setattr("checks.large_database.LARGE", 0)
    compression = "lz4" if await has_lz4(durable) else "off"
    tuned = TUNED | {"autovacuum": autovacuum, "wal_compression": compression}
    with Postgres(tmp_path, settings=tuned) as server:
        settings = production(database_url=server.url)
        await asyncio.to_thread(migrations.upgrade, settings)

        assert await bad(settings) == ({} if autovacuum == "on" else {"postgres.autovacuum": Severity.WARNING})


async def has_lz4(server: Postgres) -> bool:
    """Returns whether this Postgres was built with lz4."""
    connection = await asyncpg.connect(server.url)
    found = await connection.fetchval("SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'wal_compression'")
    await connection.close()
    return bool(found)
