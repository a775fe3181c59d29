"""Plans return the same bytes as graphql-core while Postgres is down."""

from contextlib import AsyncExitStack

import pytest

from runner.postgres import Postgres
from tests.execution.collected import stored
from tests.execution.compared_executors import ComparedExecutors
from tests.support.logs import capture_logs
from tests.support.outages import known_to_be_back

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest.mark.prove
@pytest.mark.timeout(180)
@pytest.mark.parametrize("warm", [True, False])
async def test_store_outages_have_equal_responses(
    own_executors: ComparedExecutors, postgres: Postgres, warm: bool
) -> None:
    away = AsyncExitStack()
    await own_executors.plain.person("alice").ask("{ viewer { id } }")  # the user of a token is not cached yet
    with capture_logs():
        if not warm:
            await own_executors.planned.empty_redis()
        async with away:
            for store in (own_executors.plain.state.postgres, own_executors.planned.state.postgres):
                away.push_async_callback(known_to_be_back, store)
            away.callback(postgres.start)
            postgres.stop()
            compared = [one async for one in stored(own_executors)]

    assert [str(one) for one in compared if one.differs] == []
    lacking = [one for one in compared if "degraded" in one.planned.json().get("extensions", {})]
    assert len(lacking) > 10
