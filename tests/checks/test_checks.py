"""Findings of `plaudit check` on real servers with wrong settings."""

import asyncio
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asyncpg
import pytest
from redis.exceptions import ResponseError
from sqlalchemy import text

import checks
from api.health import unready
from checks import Misconfigured, Severity
from checks import settings as of_settings
from domain.ids import wall_clock_ms
from models.database import migrations
from models.database.async_engines import async_engine_at
from models.database.revisions import newest_revision
from runner import pgdata
from runner.ports import free_port
from runner.postgres import Postgres
from runner.valkey import Valkey
from runner.waiting import wait_until
from settings import PeopleSettings, Settings
from state import opened
from tests.checks.found import bad, findings_of
from tests.support.valkey_cluster import ValkeyCluster
from tests.support.valkey_sentinels import SERVICE, Sentinel, ValkeySentinels

Make = Callable[..., Settings]
WARNING, ERROR, REFUSED = Severity.WARNING, Severity.ERROR, Severity.REFUSED


async def test_servers_with_the_documented_settings_have_no_findings(production: Make) -> None:
    assert await bad(production()) == {}


@pytest.mark.parametrize(
    ("setting", "value", "finding", "level"),
    [
        ("maxmemory-policy", "allkeys-lru", "state.eviction", REFUSED),
        ("appendonly", "no", "state.appendonly", REFUSED),
        ("appendfsync", "no", "state.appendfsync", REFUSED),
        ("no-appendfsync-on-rewrite", "yes", "state.rewrites", WARNING),
        ("maxmemory", "0", "state.maxmemory", WARNING),
        ("zset-max-listpack-entries", "1024", "state.listpacks", WARNING),
    ],
)
async def test_a_state_server_that_can_lose_data_or_lacks_a_feature_is_a_finding(
    production: Make, kept: Valkey, setting: str, value: str, finding: str, level: Severity
) -> None:
    with changed(kept, setting, value):
        assert await bad(production()) == {finding: level}
        if level is REFUSED:
            with pytest.raises(Misconfigured, match=finding):
                await start(production())
            assert await bad(production(accepted_findings=(finding,))) == {}
            await start(production(accepted_findings=(finding,)))
        await start(production(env="development"))


@pytest.mark.parametrize(
    ("setting", "value", "finding"),
    [
        ("maxmemory-policy", "noeviction", "cache.eviction"),
        ("maxmemory", "0", "cache.eviction"),
        ("zset-max-listpack-entries", "128", "cache.listpacks"),
    ],
)
async def test_a_cache_server_that_does_not_evict_is_a_finding(
    production: Make, evicting: Valkey, setting: str, value: str, finding: str
) -> None:
    with changed(evicting, setting, value):
        assert await bad(production()) == {finding: WARNING}


async def test_one_server_for_state_and_cache_is_a_finding(production: Make) -> None:
    assert await bad(production(cache_url=None)) == {"cache.separate": WARNING}


async def test_a_server_that_hides_its_settings_is_checked_by_its_info(production: Make, kept: Valkey) -> None:
    kept.command("ACL SETUSER", "app", "on", ">pw", "+@all", "-config", "~*", "&*")
    settings = production(redis_url=kept.url.replace("redis://", "redis://app:pw@"))

    assert await bad(settings) == {"state.config": WARNING}
    await start(settings)
    with changed(kept, "appendonly", "no"):  # INFO shows this
        assert await bad(settings) == {"state.config": WARNING, "state.appendonly": REFUSED}


async def test_a_replica_is_a_finding_because_it_takes_no_writes(
    production: Make, kept: Valkey, tmp_path: Path
) -> None:
    with Valkey(tmp_path, settings={"maxmemory": "200mb"}) as replica:
        replica.command("REPLICAOF", "127.0.0.1", kept.port)
        assert await bad(production(redis_url=replica.url)) == {"state.primary": ERROR}


async def test_every_master_of_a_cluster_is_checked(production: Make, valkey_cluster: ValkeyCluster) -> None:
    settings = production(redis_url=valkey_cluster.url, redis_mode="cluster", cache_mode="standalone")
    node = valkey_cluster.nodes[1]
    with changed(node, "maxmemory-policy", "volatile-lru"):
        found = await findings_of(settings, "state.eviction")

    assert [finding.level for finding in found].count(REFUSED) == 1
    assert [str(node.port) in finding.message for finding in found if finding.level is REFUSED] == [True]
    assert len(found) == 3
    assert await bad(settings) == {"state.maxmemory": WARNING, "state.full_coverage": WARNING}
    assert await bad(settings.model_copy(update={"redis_mode": "standalone"})) == {
        "state.maxmemory": WARNING,
        "state.mode": ERROR,
    }


async def test_the_primary_behind_sentinels_is_checked(production: Make, tmp_path: Path) -> None:
    with ValkeySentinels(tmp_path) as servers:
        settings = production(redis_url=servers.url, redis_mode="sentinel", cache_mode="standalone")
        assert await bad(settings) == {"state.maxmemory": WARNING}
        with changed(servers.primary, "appendfsync", "no"):
            assert (await bad(settings))["state.appendfsync"] is REFUSED


async def test_a_database_that_can_lose_commits_is_a_finding(production: Make, postgres: Postgres) -> None:
    """The tests' own database can."""
    await execute(postgres, "ALTER DATABASE plaudit SET synchronous_commit = off")
    try:
        found = await bad(production(database_url=postgres.url))
    finally:
        await execute(postgres, "ALTER DATABASE plaudit RESET synchronous_commit")

    names = ("postgres.fsync", "postgres.full_page_writes", "postgres.synchronous_commit")
    assert found == dict.fromkeys(names, REFUSED)


@pytest.mark.parametrize("place", ["DATABASE", "ROLE"])
async def test_a_database_that_is_read_only_is_a_finding(production: Make, durable: Postgres, place: str) -> None:
    await administer(durable, f"ALTER {place} plaudit SET default_transaction_read_only = on")
    try:
        assert await bad(production()) == {"postgres.writes": ERROR}
    finally:
        await administer(durable, f"ALTER {place} plaudit RESET default_transaction_read_only")


async def test_a_role_without_privileges_on_a_table_is_a_finding(production: Make, durable: Postgres) -> None:
    await administer(
        durable,
        f"ALTER TABLE reactions OWNER TO {pgdata.ADMIN}",
        f"REVOKE ALL ON reactions FROM {pgdata.USER}",
        f"GRANT SELECT ON reactions TO {pgdata.USER}",
    )
    try:
        assert await bad(production()) == {"postgres.privileges": ERROR}
        (finding,) = await findings_of(production(), "postgres.privileges")
    finally:
        await administer(durable, f"ALTER TABLE reactions OWNER TO {pgdata.USER}")
    assert "lacks INSERT, UPDATE, DELETE on the table reactions:" in finding.message


@pytest.mark.prove
async def test_a_standby_is_a_finding_because_it_accepts_no_writes(production: Make, tmp_path: Path) -> None:
    with Postgres(tmp_path) as server:
        settings = production(database_url=server.url)
        await asyncio.to_thread(migrations.upgrade, settings)
        server.stop()
        (tmp_path / "data" / "standby.signal").touch()
        server.start()

        assert await bad(settings) == {"postgres.primary": ERROR}


async def test_a_change_that_no_worker_stores_is_a_warning(production: Make) -> None:
    settings = production()
    async with opened(settings, "checks", makes_ids=False) as state:
        (version,) = await state.journals.append([(2, wall_clock_ms() - 60_000, {"kind": "react"})])
        try:
            (finding,) = [one for one in await checks.findings(settings) if one.name == "journals.lag"]
            assert finding.level is WARNING
            expected = "the oldest change that waits in a journal is 6[0-5] s old: workers are stopped"
            assert re.match(expected, finding.message)
        finally:
            await state.journals.trim({2: version})
    assert await bad(settings) == {}


async def test_tables_of_a_newer_version_are_a_warning(production: Make, durable: Postgres) -> None:
    """During an upgrade, API processes of the older version stay ready."""
    await execute(durable, "UPDATE alembic_version SET version_num = '9999'")
    try:
        assert await bad(production()) == {"postgres.revision": WARNING}
        async with opened(production(), "checks", makes_ids=False) as state:
            assert await unready(state) == []
            await execute(durable, "UPDATE alembic_version SET version_num = '0001'")
            assert "run plaudit migrate" in (await unready(state))[0]
    finally:
        await execute(durable, "UPDATE alembic_version SET version_num = :newest", newest=newest_revision())


async def test_tables_of_another_version_and_another_number_of_partitions_are_findings(
    production: Make, durable: Postgres
) -> None:
    await execute(durable, "UPDATE alembic_version SET version_num = '0001'")
    try:
        assert await bad(production()) == {"postgres.revision": ERROR}
        await start(production())
    finally:
        await execute(durable, "UPDATE alembic_version SET version_num = :newest", newest=newest_revision())
    assert await bad(production(partitions=5)) == {"postgres.partitions": REFUSED}
    for env in ("production", "development"):
        with pytest.raises(Misconfigured, match="PLAUDIT_PARTITIONS=4"):
            await start(production(partitions=5, env=env))


async def test_a_database_without_migrations_is_a_finding(production: Make, durable: Postgres) -> None:
    administration = await asyncpg.connect(durable.url_of("postgres", pgdata.ADMIN))
    await administration.execute(f"CREATE DATABASE empty OWNER {pgdata.USER}")
    await administration.close()
    (finding,) = await findings_of(production(database_url=durable.url_of("empty")), "postgres.revision")
    assert finding == ("postgres.revision", ERROR, "the database has no tables: run plaudit migrate")


async def test_too_few_connections_are_a_finding(production: Make) -> None:
    assert await bad(production(database_connections=98)) == {"postgres.connections": WARNING}


async def test_nothing_is_said_of_journals_whose_server_does_not_answer(production: Make) -> None:
    settings = production(redis_url=f"redis://127.0.0.1:{free_port()}", redis_timeout=0.2)

    assert "journals.lag" not in {one.name for one in await checks.findings(settings)}


async def test_stores_that_do_not_answer_do_not_stop_a_process_from_starting(production: Make) -> None:
    closed_port = f"127.0.0.1:{free_port()}"
    stores = {"redis_url": f"redis://{closed_port}", "cache_url": f"redis://{closed_port}", "redis_timeout": 0.2}
    settings = production(**stores, database_url=f"postgresql://plaudit@{closed_port}/plaudit")

    assert await bad(settings) == dict.fromkeys(("postgres.answers", "state.answers", "cache.answers"), ERROR)
    await start(settings)


@pytest.mark.parametrize(
    ("seconds", "state", "others"),
    [(0.5, None, None), (-5, WARNING, WARNING), (5, WARNING, WARNING), (3600, REFUSED, ERROR)],
)
async def test_clocks_that_differ_are_a_finding(
    production: Make, seconds: float, state: Severity | None, others: Severity | None
) -> None:
    settings = production(accepted_findings=("settings.root", "settings.interpreter"))
    found = await checks.findings(settings, lambda: wall_clock_ms() + int(seconds * 1000))
    levels = {finding.name: finding.level for finding in found if finding.level is not Severity.OK}

    wanted = {"state.clock": state, "cache.clock": others, "postgres.clock": others}
    assert levels == {name: level for name, level in wanted.items() if level}


@pytest.mark.parametrize("secret", ["short", "s" * 64, "only-31-bytes-long-of-some-kind"])
async def test_missing_secrets_are_a_finding(production: Make, secret: str) -> None:
    assert await bad(production(jwt_secret=secret)) == {"settings.jwt_secret": REFUSED}
    assert await bad(production(secret_key=secret)) == {"settings.secret_key": REFUSED}


@pytest.mark.parametrize(
    "secret",
    ["correct horse battery staple forever", "0123456789abcdef" * 2, "aB3$xY7!" * 4, f"{'k3Y' * 9}-password-1"],
)
async def test_guessable_secrets_are_a_finding(production: Make, secret: str) -> None:
    assert await bad(production(jwt_secret=secret)) == {"settings.jwt_secret_random": WARNING}
    assert await bad(production(secret_key=secret)) == {"settings.secret_key_random": WARNING}


async def test_a_key_set_over_plain_http_is_a_finding(production: Make) -> None:
    for url, expected in {
        "http://id.example.com/keys": {"settings.jwt_jwks_url": WARNING},
        "http://127.0.0.1:8080/keys": {},
        "http://localhost/keys": {},
    }.items():
        assert await bad(production(jwt_jwks_url=url, jwt_audience=("us",))) == expected


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the user and change back")
def test_running_as_root_is_a_warning(production: Make) -> None:
    settings = production()
    (as_root,) = (finding for finding in of_settings.findings(settings) if finding.name == "settings.root")
    os.seteuid(65534)
    try:
        (as_user,) = (finding for finding in of_settings.findings(settings) if finding.name == "settings.root")
    finally:
        os.seteuid(0)

    assert (as_root.level, as_user.level) == (WARNING, Severity.OK)


def test_an_interpreter_without_optimisation_is_a_warning(production: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = []
    for options in ("'--prefix=/opt'", "'--enable-optimizations' '--with-lto'", None):
        monkeypatch.setattr(sysconfig, "get_config_var", {"CONFIG_ARGS": options}.get)
        (found,) = (one for one in of_settings.findings(production()) if one.name == "settings.interpreter")
        levels.append(found.level)

    assert levels == [WARNING, Severity.OK, Severity.OK]


async def test_tokens_without_an_audience_are_a_finding(production: Make) -> None:
    provider = {"jwt_jwks_url": "https://id.example.com/keys"}
    assert await bad(production(**provider)) == {"settings.jwt_audience": WARNING}
    assert await bad(production(**provider, jwt_audience=("us",))) == {}


@pytest.mark.timeout(180)
def test_operators_see_all_findings_and_processes_refuse_to_start_on_a_refused_one(
    production: Make, kept: Valkey
) -> None:
    settings = production()
    well = plaudit(settings, "check")
    with changed(kept, "maxmemory-policy", "allkeys-lru"):
        ill, worker, api = (plaudit(settings, word) for word in ("check", "worker", "api"))

    assert (well.returncode, well.stdout.count("\nok ")) == (0, len(well.stdout.splitlines()) - 1)
    assert ill.returncode == 1
    assert "refused state.eviction" in ill.stdout
    assert (worker.returncode, worker.stderr.startswith("state.eviction: ")) == (1, True)
    assert (api.returncode, "state.eviction: " in api.stderr) == (3, True)


def plaudit(settings: Settings, word: str) -> "subprocess.CompletedProcess[str]":
    assert settings.jwt_secret
    assert settings.cache_url
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PLAUDIT_")},
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_CACHE_URL": settings.cache_url,
        "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_PORT": str(free_port()),
        "PLAUDIT_ACCEPTED_FINDINGS": '["settings.root", "settings.interpreter"]',
    }
    command = (sys.executable, "-m", "plaudit", word)
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=30)


async def start(settings: Settings) -> None:
    """Runs the checks that an API and a worker run at startup."""
    await checks.refuse_unsafe_start(settings)
    async with opened(settings, "test", makes_ids=False):
        pass


async def administer(server: Postgres, *statements: str) -> None:
    """Runs statements as the superuser, outside a read-only transaction."""
    connection = await asyncpg.connect(server.url_of(pgdata.DATABASE, pgdata.ADMIN))
    try:
        for statement in ("SET default_transaction_read_only = off", *statements):
            await connection.execute(statement)
    finally:
        await connection.close()


@contextmanager
def changed(server: Valkey, setting: str, value: str) -> Iterator[None]:
    before = server.command("CONFIG GET", setting)[setting]
    server.command("CONFIG SET", setting, value)
    try:
        yield
    finally:
        server.command("CONFIG SET", setting, before)


async def execute(server: Postgres, statement: str, **parameters: str) -> None:
    engine = async_engine_at(server.url)
    async with engine.connect() as connection:
        autocommit = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await autocommit.execute(text(statement), parameters)
    await engine.dispose()


async def test_a_primary_that_refuses_writes_without_replicas_is_a_finding(production: Make, kept: Valkey) -> None:
    with changed(kept, "min-replicas-to-write", "1"):
        assert await bad(production()) == {"state.writes": ERROR}
        (finding,) = await findings_of(production(), "state.writes")
    assert "NOREPLICAS" in finding.message
    assert "connect a replica" in finding.message
    assert "\n" not in finding.message
    assert wait_until(lambda: kept.command("KEYS", "plaudit-check:*") == [], 10)


async def test_a_server_with_full_memory_is_a_finding(production: Make, kept: Valkey) -> None:
    with changed(kept, "maxmemory", "1mb"):
        assert await bad(production()) == {"state.memory": WARNING, "state.writes": ERROR}
        (finding,) = await findings_of(production(), "state.writes")
    assert finding.message.endswith("raise its maxmemory")


async def test_a_user_without_write_permission_is_a_finding(production: Make, kept: Valkey) -> None:
    kept.command("ACL SETUSER", "reader", "on", ">pw", "+@read", "+@connection", "+info", "+time", "+config|get", "~*")
    settings = production(redis_url=kept.url.replace("redis://", "redis://reader:pw@"))
    assert await bad(settings) == {"state.writes": ERROR}


async def test_a_slot_with_an_unfinished_move_is_a_finding(production: Make, valkey_cluster: ValkeyCluster) -> None:
    settings = production(redis_url=valkey_cluster.url, redis_mode="cluster", cache_mode="standalone")
    giver, taker, _ = valkey_cluster.nodes
    giver.command("CLUSTER SETSLOT", 7, "MIGRATING", taker.command("CLUSTER MYID"))
    taker.command("CLUSTER SETSLOT", 7, "IMPORTING", giver.command("CLUSTER MYID"))
    try:
        found = [finding for finding in await findings_of(settings, "state.slots") if finding.level is WARNING]
    finally:
        for node in (giver, taker):
            node.command("CLUSTER SETSLOT", 7, "STABLE")
    assert sorted(str(node.port) in one.message for node in (giver, taker) for one in found) == [
        False,
        False,
        True,
        True,
    ]
    assert all(
        "slots are being moved, the first is 7" in one.message and "--cluster fix" in one.message for one in found
    )
    assert await bad(settings) == {"state.maxmemory": WARNING, "state.full_coverage": WARNING}


async def test_masters_that_stop_while_another_is_down_are_a_finding(
    production: Make, valkey_cluster: ValkeyCluster
) -> None:
    settings = production(redis_url=valkey_cluster.url, redis_mode="cluster", cache_mode="standalone")
    first, *others = valkey_cluster.nodes
    with ExitStack() as stack:
        for node in others:
            stack.enter_context(changed(node, "cluster-require-full-coverage", "no"))
        found = [one for one in await findings_of(settings, "state.full_coverage") if one.level is WARNING]
        assert [str(first.port) in one.message for one in found] == [True]


@pytest.mark.parametrize(("setting", "value"), [("appendonly", "no"), ("appendfsync", "no")])
async def test_a_replica_that_could_lose_data_is_a_finding(
    production: Make, tmp_path: Path, setting: str, value: str
) -> None:
    with ValkeySentinels(tmp_path) as servers:
        settings = production(redis_url=servers.url, redis_mode="sentinel", cache_mode="standalone")
        with changed(servers.replica, setting, value):
            assert await bad(settings) == {"state.maxmemory": WARNING, "state.replica_appendonly": ERROR}


@pytest.mark.prove
async def test_too_few_sentinels_for_a_failover_are_a_finding(production: Make, tmp_path: Path) -> None:
    with ValkeySentinels(tmp_path, sentinels=3) as servers:
        settings = production(redis_url=servers.url, redis_mode="sentinel", cache_mode="standalone")
        assert await bad(settings) == {"state.maxmemory": WARNING}
        servers.sentinels[2].kill()
        assert (await bad(settings))["state.sentinels"] is WARNING
        servers.sentinels[1].kill()
        assert wait_until(lambda: "NOQUORUM" in refusal(servers.sentinels[0]), 20)
        assert (await bad(settings))["state.quorum"] is ERROR


def refusal(sentinel: Sentinel) -> str:
    try:
        return str(sentinel.command("SENTINEL CKQUORUM", SERVICE))
    except ResponseError as error:
        return str(error)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("like = { who } aime.", {"settings.message_folder.fr": WARNING}),
        ("like = { $person } aime.", {"settings.message_folder": ERROR}),
    ],
)
async def test_texts_that_are_missing_or_cannot_be_used_are_a_finding(
    production: Make, tmp_path: Path, text: str, found: dict[str, Severity]
) -> None:
    (tmp_path / "fr.ftl").write_text(text)
    settings = production(people=PeopleSettings(message_folder=tmp_path))

    assert await bad(settings) == found
    if ERROR in found.values():
        with pytest.raises(Misconfigured, match="has no variable"):
            async with opened(settings, "api"):
                pass
