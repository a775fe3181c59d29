"""Postgres URLs have libpq's meaning. The servers of these tests have no TLS."""

import pytest
from sqlalchemy import NullPool, text

from models.database.async_engines import async_engine_at
from runner.postgres import Postgres


async def database_at(url: str) -> str:
    async with async_engine_at(url, poolclass=NullPool).connect() as connection:
        return str(await connection.scalar(text("SELECT current_database()")))


@pytest.mark.parametrize("mode", ["disable", "prefer"])
async def test_connections_that_do_not_require_tls_are_served_without_it(postgres: Postgres, mode: str) -> None:
    assert await database_at(postgres.url.replace("disable", mode)) == "plaudit"


async def test_a_connection_that_requires_tls_fails_without_it(postgres: Postgres) -> None:
    with pytest.raises(OSError, match="rejected SSL upgrade"):
        await database_at(postgres.url.replace("disable", "require"))


async def test_the_first_of_several_hosts_that_answers_is_used(postgres: Postgres) -> None:
    one = f"127.0.0.1:{postgres.port}"
    assert await database_at(postgres.url.replace(one, f"127.0.0.1:1,{one}")) == "plaudit"
