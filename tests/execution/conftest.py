"""Fixtures: the two applications of the differential tests."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import pytest
import pytest_asyncio

from execution import objects
from runner.postgres import Postgres
from runner.valkey import Valkey
from schema import schema
from schema.planned import Executor, plans_of
from settings import Settings
from tests.execution.compared_executors import ComparedExecutors, compared_executors
from tests.support.system import settings_for_tests


@pytest.fixture(autouse=True)
def no_plans_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clears all compiled plans before and after every test."""
    monkeypatch.setattr(Executor, "plans", plans_of(schema))


@pytest.fixture(autouse=True)
def two_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers the number of objects from which plans complete lists in parts to three."""
    monkeypatch.setattr(objects, "MOST_ROWS", 2)


@pytest_asyncio.fixture(scope="module")
async def executors(
    postgres: Postgres, valkey: Valkey, empty_database: Callable[[], Awaitable[None]]
) -> AsyncIterator[ComparedExecutors]:
    """Starts two applications over the same seeded data, for all tests of a module. They may not change the data."""
    await empty_database()
    valkey.command("FLUSHALL")
    stores = {"database_url": postgres.url, "redis_url": valkey.url}
    async with compared_executors(partial(settings_for_tests, **stores)) as one:
        yield one


@pytest_asyncio.fixture
async def own_executors(make_settings: Callable[..., Settings]) -> AsyncIterator[ComparedExecutors]:
    """Starts two applications over seeded data of their own, which a test may change. It empties the database, so no
    test of a module with `executors` can use it.
    """
    async with compared_executors(make_settings) as one:
        yield one
