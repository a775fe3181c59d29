"""Fixtures: a system with separate Redis servers for journals and cache, which runs queries with and without plans."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from tests.support.degraded_answers import StoppableSystem
from tests.support.system import LENIENT, running


@pytest.fixture(params=[True, False], ids=["plans", "graphql-core"])
def plans(request: pytest.FixtureRequest) -> bool:
    """Whether queries run by compiled plans or by graphql-core."""
    return bool(request.param)


@pytest_asyncio.fixture
async def stoppable(
    make_settings: Callable[..., Settings], postgres: Postgres, two_redis: tuple[Valkey, Valkey], plans: bool
) -> AsyncIterator[StoppableSystem]:
    """Returns a system over empty stores. A test can stop each store."""
    state, cache = two_redis
    own = {"redis_url": state.url, "cache_url": cache.url, "redis_mode": "standalone", "redis_timeout": 1.0}
    async with running(make_settings(**own, moderation=LENIENT, local_cache_seconds=0, compiled_plans=plans)) as system:
        yield StoppableSystem(system, postgres, state, cache)
