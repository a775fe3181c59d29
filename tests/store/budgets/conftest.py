from collections.abc import AsyncIterator

import pytest_asyncio

from store.scripts import SPEND_BUDGET
from tests.store.budgets.budget_processes import ProcessGroup


@pytest_asyncio.fixture
async def group(redis_url: str, redis_mode: str) -> AsyncIterator[ProcessGroup]:
    """Returns a group of processes, on a standalone server and on a cluster. The script is loaded."""
    one = ProcessGroup(redis_url, redis_mode)
    await one.redis.client.script_load(SPEND_BUDGET.source)
    yield one
    await one.close()
