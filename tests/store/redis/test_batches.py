"""Batches of script calls: while the server executes one, the client makes the next."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence

import pytest
from redis.exceptions import ResponseError

from runner.valkey import Valkey
from store.redis.calls import ScriptCall
from store.scripts import Script
from tests.support.outages import resume, suspend
from tests.support.redis_clients import connected

_INCREMENT = "for _, key in ipairs(KEYS) do redis.call('INCR', key) end"
INCREMENT = Script("increment", _INCREMENT, hashlib.sha1(_INCREMENT.encode(), usedforsecurity=False).hexdigest())
COUNT = 6
NAMES = [f"batch{number}" for number in range(COUNT)]
pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


class Batches:
    def __init__(self) -> None:
        self.made = 0

    def __iter__(self) -> Iterator[Sequence[ScriptCall]]:
        for name in NAMES:
            self.made += 1
            yield [((name,), ()), ((f"{name}-other",), ())]


async def test_two_batches_are_on_their_way_at_once(valkey: Valkey, redis_url: str) -> None:
    batches = Batches()
    async with connected(redis_url) as redis:
        suspend(valkey)
        try:
            running = asyncio.create_task(redis.run_batches(INCREMENT, [], iter(batches)))
            async with asyncio.timeout(20):
                while batches.made < 2:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            assert batches.made == 2
        finally:
            resume(valkey)
        await running

        assert batches.made == COUNT
        assert await redis("MGET", *NAMES, *[f"{name}-other" for name in NAMES]) == [b"1"] * 2 * COUNT


async def test_a_failure_is_raised_when_no_batch_is_on_its_way(redis_url: str) -> None:
    async with connected(redis_url) as redis:
        await redis("SET", NAMES[0], "no number", write=True)

        with pytest.raises(ResponseError):
            await redis.run_batches(INCREMENT, [], iter(Batches()))

        assert await redis("MGET", *NAMES[1:]) == [b"1"] * (COUNT - 1)
