"""Tables: migrations lead to the models, and every key can be sharded."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import pytest_asyncio
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Table, UniqueConstraint, text

import models
from models import METADATA
from models.database.async_engines import async_engine_at
from models.database.revisions import newest_revision
from runner.postgres import Postgres

ROOT = Path(__file__).parents[2]
TABLES = sorted(METADATA.tables.values(), key=lambda table: table.name)
DISTRIBUTED = [table for table in TABLES if "shard" in table.info]


@pytest_asyncio.fixture
async def differences(postgres: Postgres) -> list[object]:
    """Returns the operations that a new migration would need."""
    engine = async_engine_at(postgres.url)
    async with engine.connect() as connection:
        found = await connection.run_sync(_differences)
    await engine.dispose()
    return found


def _differences(connection: Connection) -> list[object]:
    partitions = set(connection.scalars(text("SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r'")))

    def is_ours(name: str | None, kind: str, _: object) -> bool:
        return kind != "table" or name not in partitions  # the workers make partitions

    options = {"compare_type": True, "compare_server_default": True, "include_name": is_ours}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), METADATA))


async def test_a_migrated_database_equals_the_models(differences: list[object]) -> None:
    assert differences == []


async def test_migrated_tables_have_the_storage_parameters_of_the_models(postgres: Postgres) -> None:
    engine = async_engine_at(postgres.url)
    async with engine.connect() as connection:
        rows = await connection.execute(text("SELECT relname, reloptions FROM pg_class WHERE reloptions IS NOT NULL"))
        migrated = {name: set(options) for name, options in rows if name in METADATA.tables}
    await engine.dispose()

    declared = {table.name: table.dialect_options["postgresql"]["with"].items() for table in TABLES}
    assert migrated == {name: {f"{key}={value}" for key, value in one} for name, one in declared.items() if one}


async def test_migrations_end_in_one_revision(postgres: Postgres) -> None:
    engine = async_engine_at(postgres.url)
    async with engine.connect() as connection:
        installed = (await connection.execute(text("SELECT version_num FROM alembic_version"))).all()
    await engine.dispose()

    assert [tuple(row) for row in installed] == [(newest_revision(),)]


@pytest.mark.parametrize("table", DISTRIBUTED, ids=lambda table: str(table.name))
def test_every_key_has_the_sharding_column_of_its_table(table: Table) -> None:
    shard = table.info["shard"]
    unique = [
        set(constraint.columns.keys()) for constraint in table.constraints if isinstance(constraint, UniqueConstraint)
    ]
    unique += [set(index.columns.keys()) for index in table.indexes if index.unique]

    assert shard in table.columns
    for columns in (set(table.primary_key.columns.keys()), *unique):
        assert shard in columns


def test_the_package_declares_every_table() -> None:
    for module in pkgutil.iter_modules(models.__path__, "models."):
        importlib.import_module(module.name)
    print_names = "from models import METADATA; print(*METADATA.tables)"

    alone = subprocess.run([sys.executable, "-c", print_names], cwd=ROOT, capture_output=True, text=True, check=True)

    assert set(alone.stdout.split()) == set(METADATA.tables)


def test_the_docs_list_every_table_with_its_distribution() -> None:
    guide = (ROOT / "docs" / "operate" / "scale.md").read_text()

    assert {table.name for table in TABLES} <= set(re.findall(r"`(\w+)`", guide))


@pytest.mark.parametrize("table", DISTRIBUTED, ids=lambda table: str(table.name))
async def test_every_migrated_unique_index_has_the_sharding_column(table: Table, postgres: Postgres) -> None:
    engine = async_engine_at(postgres.url)
    async with engine.connect() as connection:
        rows = await connection.execute(
            text("""
                SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_index i
                JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
                WHERE i.indrelid = CAST(:table AS regclass) AND i.indisunique GROUP BY i.indexrelid
            """),
            {"table": table.name},
        )
        indexes = [columns for (columns,) in rows.all()]
    await engine.dispose()

    assert indexes
    assert all(table.info["shard"] in columns for columns in indexes)
