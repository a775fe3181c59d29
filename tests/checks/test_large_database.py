"""Findings about Postgres servers whose settings do not fit a large database."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from checks import Severity
from models import migrations
from runner.postgres import Postgres
from settings import Settings
from tests.checks.found import bad

TUNED = {"shared_buffers": "1GB", "wal_compression": "on", "max_wal_size": "4GB", "checkpoint_timeout": "15min"}
Make = Callable[..., Settings]


async def test_default_settings_are_findings_when_the_database_is_large(
    production: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await bad(production()) == {}
    monkeypatch.setattr("checks.large_database.LARGE", 0)

    assert await bad(production()) == {f"postgres.{name}": Severity.WARNING for name in TUNED}


@pytest.mark.parametrize("autovacuum", ["on", "off"])
async def test_a_large_database_with_the_documented_settings_needs_autovacuum_only(
    production: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autovacuum: str
) -> None:
    monkeypatch.setattr("checks.large_database.LARGE", 0)
    with Postgres(tmp_path, settings=TUNED | {"autovacuum": autovacuum}) as server:
        settings = production(database_url=server.url)
        await asyncio.to_thread(migrations.upgrade, settings)

        assert await bad(settings) == ({} if autovacuum == "on" else {"postgres.autovacuum": Severity.WARNING})
