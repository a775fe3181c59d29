"""The breaker: who may call a store while it does not answer, and who waits."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from prometheus_client import REGISTRY

from domain.errors import Unavailable
from runner.valkey import Valkey
from store.breaker import Breaker
from tests.store.redis_clients import connected
from tests.support.outages import hanging


class Down(Unavailable):
    """What the breaker of these tests raises."""


class Line:
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
async def line() -> AsyncIterator[Line]:
    one = Line()
    yield one
    await one.breaker.close()


async def test_a_store_that_answers_is_never_probed(line: Line) -> None:
    for _ in range(100):
        await line.breaker.check()
        assert await line.breaker.call(line.ask()) == "answered"
    assert line.probes == 0


async def test_after_one_silent_call_all_callers_are_refused(line: Line) -> None:
    line.answers = None
    answers = [line.breaker.call(line.ask()) for _ in range(100)]
    assert {type(one) for one in await asyncio.gather(*answers, return_exceptions=True)} == {Down}
    assert line.probes == 1

    with pytest.raises(Down):
        async with asyncio.timeout(0.05):
            await line.breaker.check()


async def test_callers_wait_for_the_probe_while_the_store_is_in_doubt(line: Line) -> None:
    """The breaker does not refuse them, because a broken connection does not mean that the store is down."""
    verdict = line.breaker.suspect()
    await asyncio.gather(*[line.breaker.check() for _ in range(10)])
    assert verdict.result()
    assert line.breaker.is_up
    assert line.probes == 1


async def test_a_slow_answer_of_a_store_that_is_up_is_awaited(line: Line) -> None:
    async def slow() -> str:
        while not line.probes:  # that is, until the breaker has probed the store
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        return "late"

    assert await line.breaker.call(slow()) == "late"
    assert line.breaker.is_up


async def test_an_error_counts_as_an_answer(line: Line) -> None:
    """The caller handles the error."""

    async def refused() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await line.breaker.call(refused())
    assert line.probes == 0


async def test_a_store_that_is_down_gets_one_probe_at_a_time_with_growing_pauses(line: Line) -> None:
    line.answers = False
    line.breaker.suspect()
    await line.until(up=False)
    for _ in range(1000):
        with pytest.raises(Down):
            await line.breaker.check()
    await asyncio.sleep(1)
    assert line.probes <= 7, "pauses of at least 0.05, 0.1, 0.2, 0.4 and 0.5 seconds"

    line.answers = True
    await line.until(up=True)
    await line.breaker.check()
    assert line.breaker.is_up


async def test_a_cancelled_caller_does_not_affect_others(line: Line) -> None:
    line.answers = None
    asked = asyncio.create_task(line.breaker.call(line.ask()))
    await asyncio.sleep(0.6)
    asked.cancel()
    line.answers = False
    await line.until(up=False)
    line.answers = True
    await line.until(up=True)


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
