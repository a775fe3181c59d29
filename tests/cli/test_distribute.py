"""`plaudit distribute` and `plaudit check` on a cluster: a coordinator and two worker nodes."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import asyncpg
import pytest
from pydantic import SecretStr

from checks import Finding, Severity, distribution
from cli.distribute import NotDistributable
from cli.distribute import run as distribute
from models import METADATA
from models.database import migrations
from runner.pgdata import USER
from runner.ports import HOST
from runner.postgres import Postgres
from runner.waiting import wait_until
from settings import Settings
from store import log_partitions
from store.postgres import client
from store.postgres.distribution import columns
from tests.support import citus
from tests.support.citus import SHARDS, WORKERS, Cluster, run

pytestmark = pytest.mark.timeout(300)
IDS = ("blocks", "comments", "counters", "posts", "reactions", "topic_posts", "users")
"""Some tables that are distributed by ids."""
LAST = 2**63 - 1
"""A version that is higher than any other."""
LINES = """INSERT INTO like_log (user_id, version, business_id, entity_id, verb)
           SELECT n, n, 1, n, 'like' FROM generate_series(1, 100) AS n"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with citus.cluster(citus.archive(), durable=True) as one:
        yield one


def settings_at(url: str) -> Settings:
    return Settings(database_url=url, jwt_secret=SecretStr("s" * 32), partitions=4)


def fetched(cluster: Cluster, query: str) -> list[tuple[Any, ...]]:
    async def fetch() -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(cluster.url(cluster.coordinator))
        try:
            return [tuple(row) for row in await connection.fetch(query)]
        finally:
            await connection.close()

    return asyncio.run(fetch())


def execute(cluster: Cluster, *statements: str) -> None:
    asyncio.run(run(cluster.url(cluster.coordinator), *statements))


@contextmanager
def changed(cluster: Cluster, nodes: Iterable[Postgres], setting: str, value: str) -> Iterator[None]:
    """Changes a setting of some nodes."""
    nodes = list(nodes)
    for node in nodes:
        asyncio.run(run(cluster.url(node), f"ALTER SYSTEM SET {setting} = '{value}'", "SELECT pg_reload_conf()"))
    try:
        yield
    finally:
        for node in nodes:
            asyncio.run(run(cluster.url(node), f"ALTER SYSTEM RESET {setting}", "SELECT pg_reload_conf()"))


def found(url: str) -> Mapping[str, Finding]:
    async def find() -> list[Finding]:
        postgres = client.connect(settings_at(url), "check")
        try:
            return await distribution.findings(postgres)
        finally:
            await postgres.close()

    return {one.name: one for one in asyncio.run(find())}


def bad(url: str) -> dict[str, Severity]:
    return {name: one.level for name, one in found(url).items() if one.level is not Severity.OK}


def test_a_database_without_citus_is_refused_and_has_no_findings(postgres: Postgres) -> None:
    if "citus" in {name for name, _ in found(postgres.url).items()}:
        pytest.skip("this database has Citus")

    with pytest.raises(NotDistributable, match="no extension citus"):
        distribute(settings_at(postgres.url), SHARDS)
    assert found(postgres.url) == {}


def test_the_command_distributes_the_tables_with_their_rows_and_can_be_repeated(cluster: Cluster) -> None:
    settings = settings_at(cluster.coordinator.url)
    with pytest.raises(NotDistributable, match="run plaudit migrate"):
        distribute(settings, SHARDS)
    migrations.upgrade(settings)
    execute(cluster, "INSERT INTO topics SELECT n, 'topic ' || n FROM generate_series(1, 100) AS n", LINES)
    _expect_refusals(cluster, settings)

    assert set(distribute(settings, SHARDS)) == set(columns())

    assert fetched(cluster, "SELECT count(*), sum(topic_id) FROM topics") == [(100, 5050)]
    assert fetched(cluster, "SELECT pg_relation_size('topics'), pg_relation_size('like_log_first')") == [(0, 0)]
    assert fetched(cluster, "SELECT count(*), sum(version) FROM like_log") == [(100, 5050)]
    assert fetched(cluster, "SELECT count(*) FROM partitions") == [(4,)]
    known = """SELECT logicalrelid::text, colocationid FROM pg_dist_partition
               JOIN pg_class ON oid = logicalrelid WHERE NOT relispartition"""
    groups = dict(fetched(cluster, known))
    assert groups.keys() == set(columns())
    assert len({groups[name] for name in IDS}) == 1
    nodes = "SELECT nodeport, count(*) FROM citus_shards WHERE table_name = 'users'::regclass GROUP BY 1"
    assert [count for _, count in fetched(cluster, nodes)] == [SHARDS // WORKERS] * WORKERS
    assert distribute(settings, SHARDS) == []


def _expect_refusals(cluster: Cluster, settings: Settings) -> None:
    ((installed,),) = fetched(cluster, "SELECT extversion FROM pg_extension WHERE extname = 'citus'")
    _pretend(cluster, "13.2-1")
    try:
        with pytest.raises(NotDistributable, match="is too old"):
            distribute(settings, SHARDS)
    finally:
        _pretend(cluster, installed)

    with pytest.raises(NotDistributable, match="must name the coordinator"):
        distribute(settings_at(cluster.url(cluster.workers[0], USER)), SHARDS)

    execute(cluster, *(f"SELECT citus_remove_node('{HOST}', {node.port})" for node in cluster.workers))
    with pytest.raises(NotDistributable, match="no worker nodes"):
        distribute(settings, SHARDS)
    execute(cluster, *(f"SELECT citus_add_node('{HOST}', {node.port})" for node in cluster.workers))

    execute(cluster, "INSERT INTO workers (worker, seen_until) VALUES ('w1', now() + interval '1 hour')")
    with pytest.raises(NotDistributable, match=r"Processes of Plaudit run \(w1\)"):
        distribute(settings, SHARDS)
    execute(cluster, "DELETE FROM workers")

    execute(cluster, "SELECT create_distributed_table('follows', 'hi')")
    with pytest.raises(NotDistributable, match="follows is distributed by hi, not by lo"):
        distribute(settings, SHARDS)
    execute(cluster, "SELECT undistribute_table('follows')")
    assert fetched(cluster, "SELECT count(*) FROM pg_dist_partition") == [(0,)]


def _pretend(cluster: Cluster, version: str) -> None:
    """Gives the extension another version. Citus then refuses statements about distributed tables."""
    change = f"UPDATE pg_extension SET extversion = '{version}' WHERE extname = 'citus'"  # noqa: S608 - the test chooses it
    execute(cluster, "SET citus.enable_version_checks TO off", change)


def test_a_table_of_a_later_migration_is_an_error_until_the_command_ran_again(cluster: Cluster) -> None:
    url = _distributed(cluster)
    execute(cluster, "SELECT undistribute_table('saves')")
    finding = found(url)["citus.tables"]
    assert finding.level is Severity.ERROR
    assert "saves are not: run plaudit distribute" in finding.message

    arguments = [sys.executable, "-P", "-m", "plaudit", "distribute"]
    where = {**os.environ, "DATABASE_URL": url, "PLAUDIT_JWT_SECRET": "s" * 32}
    ended = subprocess.run(arguments, env=where, capture_output=True, text=True, timeout=120, check=True)

    assert ended.stdout == "Distributed 1 tables.\n"
    assert "citus.tables" not in bad(url)
    same = "SELECT count(DISTINCT colocationid) FROM pg_dist_partition WHERE logicalrelid::text IN ('saves', 'users')"
    assert fetched(cluster, same) == [(1,)]


def test_partitions_of_logs_are_distributed_when_they_are_made(cluster: Cluster) -> None:
    url = _distributed(cluster)

    async def change() -> tuple[str | None, str | None]:
        postgres = client.connect(settings_at(url), "logs")
        try:
            made = await log_partitions.create_next(postgres, "like_log", LAST)
            return made, await log_partitions.drop_oldest(postgres, "like_log", LAST)
        finally:
            await postgres.close()

    made, dropped = asyncio.run(change())
    assert dropped == "like_log_first"
    known = "SELECT count(DISTINCT colocationid) FROM pg_dist_partition WHERE logicalrelid::text IN ('{}', 'users')"
    assert fetched(cluster, known.format(made)) == [(1,)]
    shards = "SELECT count(*) FROM citus_shards WHERE table_name::text = '{}'"
    assert fetched(cluster, shards.format(made)) == [(SHARDS,)]
    assert fetched(cluster, shards.format(dropped)) == [(0,)]
    assert "citus.placement" not in bad(url)


def test_the_check_finds_a_table_with_another_column_or_group(cluster: Cluster) -> None:
    url = _distributed(cluster)
    execute(
        cluster,
        "SELECT undistribute_table('saves')",
        "SELECT create_distributed_table('saves', 'user_id', colocate_with => 'none')",
        "SELECT create_distributed_table('word_lists', 'revision')",
    )

    finding = found(url)["citus.placement"]
    assert finding.level is Severity.ERROR
    assert "the tables saves and users are not in one co-location group" in finding.message
    assert "the table word_lists is distributed by revision, and must be local" in finding.message

    execute(cluster, "SELECT undistribute_table('saves')", "SELECT undistribute_table('word_lists')")


def test_the_check_requires_a_synchronous_standby_of_each_node(cluster: Cluster) -> None:
    url = _distributed(cluster)
    names = [f"{HOST}:{node.port}" for node in cluster.nodes]
    finding = found(url)["citus.replication"]
    assert finding.level is Severity.REFUSED
    assert all(name in finding.message for name in names)

    with changed(cluster, cluster.nodes, "synchronous_standby_names", "standby"):
        assert wait_until(lambda: "citus.replication" not in bad(url), 20)
        for worst in ("off", "local", "remote_write"):
            with changed(cluster, cluster.workers[:1], "synchronous_commit", worst):
                assert wait_until(lambda: bad(url).get("citus.replication") is Severity.REFUSED, 20)
                message = found(url)["citus.replication"].message
                assert [name for name in names if name in message] == names[1:2]


@pytest.mark.parametrize(
    ("setting", "value", "finding", "level"),
    [
        ("citus.distributed_deadlock_detection_factor", "-1", "citus.deadlocks", Severity.ERROR),
        ("citus.enable_deadlock_prevention", "off", "citus.deadlock_prevention", Severity.WARNING),
        ("full_page_writes", "off", "citus.durability", Severity.REFUSED),
    ],
)
def test_the_check_finds_wrong_settings(
    cluster: Cluster, setting: str, value: str, finding: str, level: Severity
) -> None:
    url = _distributed(cluster)
    assert finding not in bad(url)

    with changed(cluster, [cluster.coordinator], setting, value):
        assert wait_until(lambda: bad(url).get(finding) is level, 20)


@pytest.mark.parametrize(
    ("setting", "value", "finding"),
    [
        ("citus.recover_2pc_interval", "5s", "citus.recovery"),
        ("citus.max_cached_conns_per_worker", str(SHARDS), "citus.connections"),
    ],
)
def test_the_check_recommends_settings(cluster: Cluster, setting: str, value: str, finding: str) -> None:
    url = _distributed(cluster)
    assert bad(url)[finding] is Severity.WARNING

    with changed(cluster, [cluster.coordinator], setting, value):
        assert wait_until(lambda: finding not in bad(url), 20)


def test_the_check_finds_nodes_that_do_not_answer(cluster: Cluster) -> None:
    url = _distributed(cluster)
    assert found(url)["citus.nodes"].message == "the coordinator and 2 worker nodes answer"
    cluster.workers[1].stop()

    try:
        assert f"{HOST}:{cluster.workers[1].port} does not answer" in found(url)["citus.nodes"].message
    finally:
        cluster.workers[1].start()


def _distributed(cluster: Cluster) -> str:
    """Distributes the tables that are not, and returns the address of the coordinator."""
    settings = settings_at(cluster.coordinator.url)
    migrations.upgrade(settings)
    distribute(settings, SHARDS)
    return settings.database_url


def test_every_table_says_how_it_is_distributed() -> None:
    kinds = {name: table.info.keys() & {"shard", "local"} for name, table in METADATA.tables.items()}

    assert all(len(kind) == 1 for kind in kinds.values())
