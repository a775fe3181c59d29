"""Fixtures: the two applications of the differential tests."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from execution import levels
from schema import schema
from schema.planned import Executor, plans_of
from settings import Settings
from tests.execution.compared_executors import ComparedExecutors, compared_executors


@pytest.fixture(autouse=True)
def no_plans_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clears all compiled plans before and after every test."""
    monkeypatch.setattr(Executor, "plans", plans_of(schema))


@pytest.fixture(autouse=True)
def two_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers the number of objects from which plans complete lists in parts to three."""
    monkeypatch.setattr(levels, "MOST_ROWS", 2)


@pytest_asyncio.fixture
async def executors(make_settings: Callable[..., Settings]) -> AsyncIterator[ComparedExecutors]:
    """Starts two applications over the same seeded data."""
    async with compared_executors(make_settings) as one:
        yield one
