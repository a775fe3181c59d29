"""/readyz: an API is ready if it can serve some requests, but not if it alone has lost a store."""

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
async def test_an_api_is_ready_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    async with away(postgres, system.state.postgres):
        assert await problems(system) == []
    assert await problems(system) == []


@standalone
async def test_an_api_is_ready_while_redis_is_down(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    async with stopped(redis, system.state.redis):
        assert len(await problems(system)) == 1
        await begin(system)
        assert await problems(system) == []


@standalone
async def test_an_api_is_not_ready_while_both_stores_are_down(apart: tuple[System, Valkey], postgres: Postgres) -> None:
    system, redis = apart
    async with stopped(redis, system.state.redis), stopped(postgres, system.state.postgres):
        assert len(await problems(system)) == 2


@standalone
async def test_an_api_that_alone_lost_postgres_is_not_ready_while_writes_are_direct(
    apart: tuple[System, Valkey], postgres: Postgres
) -> None:
    system, redis = apart
    async with stopped(redis, system.state.redis):
        await begin(system)
        async with stopped(postgres, system.state.postgres):
            assert len(await problems(system)) == 1
        assert await problems(system) == []


@standalone
async def test_an_api_is_not_ready_over_tables_that_are_not_migrated(
    make_settings: Callable[..., Settings], postgres: Postgres
) -> None:
    url = postgres.url_of("postgres")
    async with running(make_settings(database_url=url)) as system:
        assert len(await problems(system)) == 1
