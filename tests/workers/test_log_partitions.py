"""Workers create partitions of the logs in advance, and drop those that are too old."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import TextClause, text

from checks import Severity
from checks.postgres import findings
from models.database import migrations
from models.database.async_engines import async_engine_at
from runner import pgdata
from runner.postgres import Postgres
from settings import RetentionSettings, Settings
from state import State
from store import log_partitions, old_rows
from store.log_partitions import LOGS, WEEK_MS
from store.postgres.client import PostgresDown
from store.reactions import like_rows
from tests.support.actions import share, view
from tests.support.deletions import hold
from tests.support.follows import follow
from tests.support.reconciliation import drift, execute
from tests.support.stores import PARTITIONS
from tests.support.system import System, running
from workers import retention

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGE = Path(__file__).parents[2] / "docs" / "operate" / "scale.md"
DAY_MS = 86_400_000
LINES = {
    "like_log": "INSERT INTO like_log (user_id, version, business_id, entity_id, verb) VALUES (1, :version, 1, 1, '')",
    "follow_log": "INSERT INTO follow_log (user_id, version, business_id, followee_id, follows) "
    "VALUES (1, :version, 1, 1, true)",
}
BOUNDS = r"""
    SELECT inhrelid::regclass::text, CAST(b[1] AS bigint) >> 20, CAST(b[2] AS bigint) >> 20 FROM pg_inherits
    JOIN pg_class c ON c.oid = inhrelid,
    regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \(\D*(\d*)\D*\) TO \(\D*(\d+)\D*\)$$) AS b
    WHERE inhparent = to_regclass(:log) AND b[1] <> '' ORDER BY 2
"""
"""The weekly partitions of a log: name, and the milliseconds at which they begin and end."""


@pytest.fixture(scope="module")
def template(postgres: Postgres) -> Iterator[Callable[[str], None]]:
    """Returns a function that runs a command for databases. There is a migrated database `unused`."""

    def administer(command: str) -> None:
        asyncio.run(_administer(postgres, command))

    administer(f"CREATE DATABASE unused OWNER {pgdata.USER}")
    url = postgres.url_of("unused")
    migrations.upgrade(Settings(database_url=url, jwt_secret="s" * 32, partitions=PARTITIONS))  # type: ignore[arg-type]
    yield administer
    administer("DROP DATABASE unused WITH (FORCE)")


async def _administer(postgres: Postgres, command: str) -> None:
    engine = async_engine_at(postgres.url_of("postgres", pgdata.ADMIN), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(command))
    await engine.dispose()


@pytest.fixture
def own_url(postgres: Postgres, template: Callable[[str], None]) -> Iterator[str]:
    """Returns the URL of a database of the test, because the test changes its tables."""
    template(f"CREATE DATABASE logs OWNER {pgdata.USER} TEMPLATE unused")
    yield postgres.url_of("logs")
    template("DROP DATABASE logs WITH (FORCE)")


@pytest_asyncio.fixture
async def system(own_url: str, make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(database_url=own_url)) as one:
        yield one


def later(state: State, weeks: float, reaction_log_days: float = 0) -> State:
    """Returns a state whose clock is `weeks` weeks ahead."""
    now_ms, ahead = state.now_ms, int(weeks * WEEK_MS)
    settings = state.settings.model_copy(update={"retention": RetentionSettings(reaction_log_days=reaction_log_days)})
    return replace(state, now_ms=lambda: now_ms() + ahead, settings=settings)


async def partition(state: State) -> None:
    """Changes the partitions of the logs until there is nothing to do."""
    for log in LOGS:
        before: object = None
        while before != (before := await log_partitions.read(state.postgres, log)):
            await retention.partition_log(log, state, lambda: True)


async def line(system: System, weeks: float) -> int:
    """Writes a line into each log, dated `weeks` weeks from now. Returns its version."""
    version = system.state.now_ms() + int(weeks * WEEK_MS) << 20
    for log in LOGS:
        await execute(system, LINES[log], version=version)
    return version


async def versions(system: System, log: str) -> list[int]:
    return [version for (version,) in await system.rows(f"SELECT version FROM {log} ORDER BY version")]  # noqa: S608


async def is_warned(now: State) -> bool:
    found = {one.name: one for one in await findings(now.settings, now.postgres, now.now_ms)}
    return found["postgres.log_partitions"].level is Severity.WARNING


async def test_weekly_partitions_are_created_four_weeks_ahead(system: System) -> None:
    await partition(system.state)
    assert await system.rows(BOUNDS, log="like_log") == []
    assert await is_warned(later(system.state, 6))

    now = later(system.state, 6)
    await partition(now)
    await partition(now)

    for log in LOGS:
        found = await system.rows(BOUNDS, log=log)
        assert all(ends - begins == WEEK_MS for _, begins, ends in found)
        assert [begins for _, begins, _ in found[1:]] == [ends for _, _, ends in found[:-1]]
        assert [name for name, _, _ in found] == [
            f"{log}_{datetime.fromtimestamp(begins / 1000, UTC):%Y%m%d}" for _, begins, _ in found
        ]
        assert 4 * WEEK_MS <= found[-1][2] - now.now_ms() < 5 * WEEK_MS
    assert not await is_warned(now)
    await line(system, 9)
    for log in LOGS:
        assert await system.rows(f"SELECT count(*) FROM {log}_default") == [(0,)]  # noqa: S608


async def test_only_partitions_whose_lines_are_all_too_old_are_dropped(system: System) -> None:
    await partition(later(system.state, 20))
    written = [await line(system, week / 2) for week in range(48)]
    now = later(system.state, 20, reaction_log_days=30)
    oldest = now.now_ms() - 30 * DAY_MS << 20

    await partition(later(system.state, 20, reaction_log_days=0))
    assert await versions(system, "like_log") == written
    await partition(now)

    for log in LOGS:
        kept = await versions(system, log)
        assert [version for version in written if version >= oldest] == [one for one in kept if one >= oldest]
        assert kept[0] >= oldest - (WEEK_MS << 20)
        assert await system.rows(f"SELECT to_regclass('{log}_first'), count(*) FROM {log}_default") == [(None, 0)]  # noqa: S608
        begins = (await system.rows(BOUNDS, log=log))[0][1]
        assert begins + WEEK_MS > oldest >> 20
    assert (await retention.sweep(now, lambda: True))["like_log"] == 0
    await line(system, 0)  # a late line, whose partition is gone
    assert (await retention.sweep(now, lambda: True))["like_log"] == 1


async def test_a_partition_with_lines_of_a_user_under_a_legal_hold_stays(system: System) -> None:
    await partition(later(system.state, 20))
    held = [await line(system, week) for week in (2, 3)]
    await hold(system, 1)
    for log in LOGS:
        await execute(system, LINES[log].replace("VALUES (1,", "VALUES (2,"), version=held[0] + 1)
    before = len(await system.rows(BOUNDS, log="like_log"))
    now = later(system.state, 20, reaction_log_days=30)

    await partition(now)
    assert (await retention.sweep(now, lambda: True))["like_log"] == 1  # the line of the other user

    assert [await versions(system, log) for log in LOGS] == [held, held]
    assert 2 < len(await system.rows(BOUNDS, log="like_log")) < before
    await hold(system, 1, lifts=True)
    await partition(now)
    assert [await versions(system, log) for log in LOGS] == [[], []]


async def test_counters_agree_with_their_rows_after_a_partition_was_dropped(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await alice.like(video)
    await follow(alice, await bob.id())
    await view(alice, video)
    await share(alice, video)
    await system.drain()

    await partition(later(system.state, 20, reaction_log_days=30))

    assert [await versions(system, log) for log in LOGS] == [[], []]
    assert await drift(system) == {}
    await bob.like(video)
    await system.drain()
    assert await system.rows("SELECT count(*) FROM like_log_default") == [(1,)]
    assert await drift(system) == {}


async def test_statements_look_only_into_partitions_that_can_have_their_lines(system: System) -> None:
    await partition(later(system.state, 20))
    begins = (await system.rows(BOUNDS, log="like_log"))[0][1] << 20

    deletion = old_rows.KINDS["like_log"].removal
    assert isinstance(deletion, TextClause)
    plan = await explain(system, deletion, before=begins)
    assert set(re.findall(r"like_log_(?:first|default|\d+)", plan)) == {"like_log_first"}
    plan = await explain(system, like_rows._REMOVE_REPETITIONS, users=[1], since=begins)
    changed = re.findall(r"Delete on (like_log_\w+)", plan)
    assert len(changed) > 10
    assert "like_log_first" not in changed


async def explain(system: System, statement: TextClause, **parameters: Any) -> str:
    return "\n".join(line for (line,) in await system.rows(f"EXPLAIN {statement.text}", **parameters))


async def test_a_partition_that_is_read_is_dropped_later(system: System) -> None:
    old, now = await line(system, 0), later(system.state, 20, reaction_log_days=30)
    async with system.state.postgres.transaction() as reader:
        await reader.execute(text("SELECT * FROM like_log"))
        with pytest.raises(PostgresDown):
            await partition(now)
        await line(system, 1)  # no lock is left that writers wait for

    assert (await versions(system, "like_log"))[0] == old
    await partition(now)
    assert await versions(system, "like_log") == []


async def test_two_workers_at_once_create_and_drop_each_partition_once(system: System) -> None:
    await line(system, 0)
    now = later(system.state, 20, reaction_log_days=30)

    await asyncio.gather(*(partition(now) for _ in range(3)), return_exceptions=True)
    await partition(now)

    for log in LOGS:
        found = await system.rows(BOUNDS, log=log)
        assert [begins for _, begins, _ in found[1:]] == [ends for _, _, ends in found[:-1]]
        assert await versions(system, log) == []


async def test_a_role_that_does_not_own_the_logs_removes_lines_by_key(system: System, postgres: Postgres) -> None:
    await line(system, 0)
    engine = async_engine_at(postgres.url_of("logs", pgdata.ADMIN))
    async with engine.begin() as connection:
        names = await connection.scalars(text("SELECT relname FROM pg_class WHERE relname ~ '_log(_first|_default)?$'"))
        for name in [name for name in names if name.startswith(LOGS)]:
            await connection.execute(text(f"ALTER TABLE {name} OWNER TO {pgdata.ADMIN}"))
            if name in LOGS:
                await connection.execute(text(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {pgdata.USER}"))
    await engine.dispose()
    now = later(system.state, 20, reaction_log_days=30)
    recent = await line(system, 20)

    await partition(now)
    removed = await retention.sweep(now, lambda: True)

    assert (removed["like_log"], removed["follow_log"]) == (1, 1)
    assert await versions(system, "like_log") == await versions(system, "follow_log") == [recent]
    assert await system.rows("SELECT tableoid::regclass::text FROM like_log") == [("like_log_default",)]
    assert await is_warned(now)


async def test_the_documented_statements_empty_a_default_partition_that_is_in_the_way(system: System) -> None:
    written, now = await line(system, 7), later(system.state, 6)
    await partition(now)
    ((_, _, ends), *_) = reversed(await system.rows(BOUNDS, log="like_log"))
    assert ends <= written >> 20
    assert await is_warned(now)

    replace_default, move = re.findall(r"^```sql\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    await execute(system, *filter(str.strip, replace_default.split(";")))
    await partition(now)
    await execute(system, *filter(str.strip, move.split(";")))

    assert await versions(system, "like_log") == [written]
    assert await system.rows("SELECT count(*) FROM like_log_default") == [(0,)]
    assert (await system.rows(BOUNDS, log="like_log"))[-1][2] - now.now_ms() >= 4 * WEEK_MS
    assert await system.rows("SELECT to_regclass('like_log_old')") == [(None,)]
