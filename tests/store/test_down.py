"""Redis errors that count as answers."""

import asyncio
import gc
from typing import Any

import pytest
from redis import exceptions

from store.redis.down import result_or_error


async def _fails(*words: Any) -> None:
    raise exceptions.ConnectionError(*words)


async def test_a_redis_error_counts_as_an_answer() -> None:
    assert isinstance(await result_or_error(_fails, "gone"), exceptions.ConnectionError)


async def test_a_call_that_is_cancelled_before_it_begins_leaves_no_coroutine(recwarn: pytest.WarningsRecorder) -> None:
    task = asyncio.create_task(result_or_error(_fails, "gone"))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    gc.collect()

    assert not recwarn.list
