"""The breaker: who may call a store while it does not answer, and who waits."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from prometheus_client import REGISTRY

from domain.errors import Unavailable
from runner.valkey import Valkey
from store.breaker import Breaker
from tests.support.outages import hanging
from tests.support.redis_clients import connected


class Down(Unavailable):
    """The exception that the breaker of these tests raises."""


class FakeStore:
    """A store that answers, refuses or is silent. Counts its probes."""

    def __init__(self) -> None:
        self.answers: bool | None = True
        self.probes = 0
        self.breaker = Breaker("tested", self.probe, Down)

    async def probe(self) -> None:
        self.probes += 1
        await self.ask()

    async def ask(self) -> str:
        if self.answers is None:
            await asyncio.Event().wait()
        if not self.answers:
            raise ConnectionRefusedError
        return "answered"

    async def until(self, *, up: bool) -> None:
        async with asyncio.timeout(10):
            while REGISTRY.get_sample_value("plaudit_store_up", {"store": "tested"}) != up:
                await asyncio.sleep(0.01)


@pytest.fixture
async def store() -> AsyncIterator[FakeStore]:
    one = FakeStore()
    yield one
    await one.breaker.close()


async def test_a_store_that_answers_is_never_probed(store: FakeStore) -> None:
    for _ in range(100):
        await store.breaker.check()
        assert await store.breaker.call(store.ask()) == "answered"
    assert store.probes == 0


async def test_after_one_silent_call_all_callers_are_refused(store: FakeStore) -> None:
    store.answers = None
    answers = [store.breaker.call(store.ask()) for _ in range(100)]
    assert {type(one) for one in await asyncio.gather(*answers, return_exceptions=True)} == {Down}
    assert store.probes == 1

    with pytest.raises(Down):
        async with asyncio.timeout(0.05):
            await store.breaker.check()


async def test_callers_wait_for_the_probe_while_the_store_is_in_doubt(store: FakeStore) -> None:
    """The breaker does not refuse them, because a broken connection does not mean that the store is down."""
    verdict = store.breaker.suspect()
    await asyncio.gather(*[store.breaker.check() for _ in range(10)])
    assert verdict.result()
    assert store.breaker.is_up
    assert store.probes == 1


async def test_a_slow_answer_of_a_store_that_is_up_is_awaited(store: FakeStore) -> None:
    async def slow() -> str:
        while not store.probes:  # that is, until the breaker has probed the store
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        return "late"

    assert await store.breaker.call(slow()) == "late"
    assert store.breaker.is_up


async def test_an_error_counts_as_an_answer(store: FakeStore) -> None:
    """The caller handles the error."""

    async def refused() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await store.breaker.call(refused())
    assert store.probes == 0


async def test_a_store_that_is_down_gets_one_probe_at_a_time_with_growing_pauses(store: FakeStore) -> None:
    store.answers = False
    store.breaker.suspect()
    await store.until(up=False)
    for _ in range(1000):
        with pytest.raises(Down):
            await store.breaker.check()
    await asyncio.sleep(1)
    assert store.probes <= 7, "pauses of at least 0.05, 0.1, 0.2, 0.4 and 0.5 seconds"

    store.answers = True
    await store.until(up=True)
    await store.breaker.check()
    assert store.breaker.is_up


async def test_a_cancelled_caller_does_not_affect_others(store: FakeStore) -> None:
    store.answers = None
    asked = asyncio.create_task(store.breaker.call(store.ask()))
    await asyncio.sleep(0.6)
    asked.cancel()
    store.answers = False
    await store.until(up=False)
    store.answers = True
    await store.until(up=True)


async def test_a_server_that_comes_back_meets_no_burst_of_connections(valkey: Valkey) -> None:
    async with connected(valkey.url) as client:
        assert await client("SET", "a", "1", write=True) == b"OK"
        made = connections(valkey)
        async with hanging(valkey, client):
            asking = [client("GET", "a") for _ in range(100)]
            assert {type(one).__name__ for one in await asyncio.gather(*asking, return_exceptions=True)} == {
                "RedisDown"
            }
            for _ in range(1000):
                with pytest.raises(Unavailable):
                    await client("GET", "a")
        assert await asyncio.gather(*[client("GET", "a") for _ in range(100)]) == [b"1"] * 100
        assert connections(valkey) - made <= 6


def connections(valkey: Valkey) -> int:
    """Returns the number of connections that a server has accepted, including this one."""
    return int(valkey.command("INFO", "stats")["total_connections_received"])
