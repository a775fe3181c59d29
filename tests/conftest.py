"""Fixtures: Postgres, Valkey, and a three-node cluster, started once per test process and emptied before each test."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import pytest_asyncio
from pydantic import SecretStr
from sqlalchemy import text

from models import METADATA
from models.database import migrations
from models.database.async_engines import async_engine_at
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from state import calm_collector
from tests.support import citus
from tests.support.outages import hanging
from tests.support.stores import PARTITIONS
from tests.support.system import System, running, settings_for_tests
from tests.support.valkey_cluster import ValkeyCluster

_MOSTLY_STANDALONE = tuple(Path(__file__).parent / name for name in ("features", "archive", "failures/degraded"))

hypothesis.settings.register_profile("shared machine", deadline=None)
hypothesis.settings.load_profile("shared machine")

_EMPTY = """
    DO $$ DECLARE name text; is_small bool;
    BEGIN
        FOREACH name IN ARRAY ARRAY{tables} LOOP
            is_small := pg_relation_size(name::regclass) < 1000000;
            EXECUTE CASE WHEN is_small THEN 'DELETE FROM ' ELSE 'TRUNCATE ' END || name;
        END LOOP;
    END $$
"""
"""TRUNCATE takes fifty times as long as the deletion of a few rows."""
_DISOWNED = (
    "UPDATE partitions SET owner = NULL, lease_until = '-infinity', epoch = 0, head = 0, direct = 0, drained = 0,"
    " reconciled_at = now(), drift = '{}'"
)


@pytest.hookimpl(tryfirst=True)  # before pytest's own hook, which chooses tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves two variants of the tests in these folders to `make prove`: those on a Redis Cluster, except the first one
    of each file, and those in which a store hangs instead of being stopped.
    """
    begun = set[Path]()
    for item in items:
        chosen = getattr(item, "callspec", None)
        if chosen and any(map(item.path.is_relative_to, _MOSTLY_STANDALONE)):
            if chosen.params.get("redis_mode") == "cluster":
                if item.path in begun:
                    item.add_marker(pytest.mark.prove)
                begun.add(item.path)
            if chosen.params.get("away") is hanging:
                item.add_marker(pytest.mark.prove)


def pytest_collection_finish() -> None:
    """Collects garbage as rarely as deployed processes do. Thousands of collected tests would be scanned each time.

    A Hypothesis test runs first: Hypothesis warns if the collector ignores what holds its random generator.
    """
    hypothesis.given(hypothesis.strategies.none())(lambda _: None)()
    calm_collector()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """Starts a migrated database that may lose its last commits if the machine crashes. With PLAUDIT_TEST_CITUS, it is
    distributed over a coordinator and two worker nodes.
    """
    if citus.IS_TESTED:
        with citus.distributed_cluster(citus.archive()) as cluster:
            yield cluster.coordinator
        return
    with Postgres(tmp_path_factory.mktemp("postgres"), durable=False) as server:
        migrations.upgrade(Settings(database_url=server.url, jwt_secret=SecretStr("s" * 32), partitions=PARTITIONS))
        yield server


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """Starts one server, as in development."""
    with Valkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture(scope="session")
def valkey_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """Starts three masters."""
    with ValkeyCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def stoppable_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Valkey, Valkey]]:
    """Starts the servers of `two_redis`."""
    folder = tmp_path_factory.mktemp("stoppable")
    with Valkey(folder / "state") as state, Valkey(folder / "cache") as cache:
        yield state, cache


@pytest.fixture
def two_redis(stoppable_redis: tuple[Valkey, Valkey]) -> tuple[Valkey, Valkey]:
    """Returns an empty Redis for journals and an empty one for a cache, which a test may stop."""
    for server in stoppable_redis:
        server.start()  # in case the test before failed while it was stopped
        server.command("FLUSHALL")
    return stoppable_redis


@pytest.fixture(params=["standalone", "cluster"])
def redis_mode(request: pytest.FixtureRequest) -> str:
    """Returns the mode: tests that use `system` run on one server and on a cluster, unless marked `@standalone`. In
    `tests/features`, `tests/archive` and `tests/failures/degraded`, most of them run on a cluster in `make prove` only.
    """
    return str(request.param)


@pytest.fixture
def redis_url(redis_mode: str, request: pytest.FixtureRequest) -> str:
    """Returns the URL of the emptied Redis of the test's mode."""
    fixture = "valkey_cluster" if redis_mode == "cluster" else "valkey"
    servers: Valkey | ValkeyCluster = request.getfixturevalue(fixture)
    for server in servers.nodes if isinstance(servers, ValkeyCluster) else [servers]:
        server.command("FLUSHALL")
    return servers.url


@pytest_asyncio.fixture(scope="session")
async def empty_database(postgres: Postgres) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Returns a function that deletes all rows of the database except those of its installation."""
    tables = [name for name in METADATA.tables if name != "partitions"]
    engine = async_engine_at(postgres.url, pool_pre_ping=True)  # pool_pre_ping, because some tests stop the server

    async def empty() -> None:
        async with engine.begin() as connection:
            for statement in (_EMPTY.format(tables=tables), _DISOWNED):
                await connection.execute(text(statement))

    yield empty
    await engine.dispose()


@pytest_asyncio.fixture
async def database_url(postgres: Postgres, empty_database: Callable[[], Awaitable[None]]) -> str:
    """Returns the URL of the emptied database."""
    await empty_database()
    return postgres.url


@pytest.fixture
def make_settings(database_url: str, redis_url: str, redis_mode: Any) -> Callable[..., Settings]:
    """Returns a function that makes settings over the test's stores. Keywords replace defaults for tests."""

    return partial(settings_for_tests, database_url=database_url, redis_url=redis_url, redis_mode=redis_mode)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application over empty stores."""
    async with running(make_settings()) as one:
        yield one
