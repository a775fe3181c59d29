"""Who is sent requests: whoever can serve some, but not who alone has lost a store that others have."""

from collections.abc import Callable

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from tests.support.fallback_mode import begin
from tests.support.outages import Away, both_ways, stopped
from tests.support.stores import standalone
from tests.support.system import System, running


async def problems(system: System) -> list[str]:
    answer = await system.http.get("/readyz")
    assert answer.status_code == (503 if answer.json()["problems"] else 200)
    return list(answer.json()["problems"])


@standalone
@both_ways
async def test_postgres_away(system: System, postgres: Postgres, away: Away) -> None:
    async with away(postgres, system.state.postgres):
        assert await problems(system) == []
    assert await problems(system) == []


@standalone
async def test_redis_away(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    async with stopped(redis, system.state.redis):
        assert len(await problems(system)) == 1
        await begin(system)
        assert await problems(system) == []


@standalone
async def test_both_away(apart: tuple[System, Valkey], postgres: Postgres) -> None:
    system, redis = apart
    async with stopped(redis, system.state.redis), stopped(postgres, system.state.postgres):
        assert len(await problems(system)) == 2


@standalone
async def test_postgres_away_from_one_alone_while_writes_are_direct(
    apart: tuple[System, Valkey], postgres: Postgres
) -> None:
    system, redis = apart
    async with stopped(redis, system.state.redis):
        await begin(system)
        async with stopped(postgres, system.state.postgres):
            assert len(await problems(system)) == 1
        assert await problems(system) == []


@standalone
async def test_tables_that_nobody_has_migrated(make_settings: Callable[..., Settings], postgres: Postgres) -> None:
    url = postgres.url_of("postgres")
    async with running(make_settings(database_url=url)) as system:
        assert len(await problems(system)) == 1
