"""Who asks a store of which somebody has learned that it does not answer."""

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
    """To a store that answers, refuses or says nothing; counts its questions."""

    def __init__(self) -> None:
        self.says: bool | None = True
        self.probes = 0
        self.breaker = Breaker("tested", self.probe, Down)

    async def probe(self) -> None:
        self.probes += 1
        await self.ask()

    async def ask(self) -> str:
        if self.says is None:
            await asyncio.Event().wait()
        if not self.says:
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


async def test_one_silence_is_everybodys(line: Line) -> None:
    line.says = None
    answers = [line.breaker.call(line.ask()) for _ in range(100)]
    assert {type(one) for one in await asyncio.gather(*answers, return_exceptions=True)} == {Down}
    assert line.probes == 1

    with pytest.raises(Down):
        async with asyncio.timeout(0.05):
            await line.breaker.check()


async def test_while_it_is_in_doubt_whoever_comes_waits_for_the_probe(line: Line) -> None:
    """They are not refused for nothing: a broken connection may be one of a store that is there."""
    verdict = line.breaker.suspect()
    await asyncio.gather(*[line.breaker.check() for _ in range(10)])
    assert verdict.result()
    assert line.breaker.is_up
    assert line.probes == 1


async def test_a_slow_answer_is_waited_for_where_the_store_is_there(line: Line) -> None:
    async def slow() -> str:
        while not line.probes:  # that is, until it has been found slow
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        return "late"

    assert await line.breaker.call(slow()) == "late"
    assert line.breaker.is_up


async def test_an_error_is_an_answer_here(line: Line) -> None:
    """What it means is for whoever asked to say."""

    async def refused() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await line.breaker.call(refused())
    assert line.probes == 0


async def test_a_store_that_is_down_gets_one_question_at_a_time_ever_more_rarely_until_it_answers(line: Line) -> None:
    line.says = False
    line.breaker.suspect()
    await line.until(up=False)
    for _ in range(1000):
        with pytest.raises(Down):
            await line.breaker.check()
    await asyncio.sleep(1)
    assert line.probes <= 7, "pauses of 0.05, 0.1, 0.2, 0.4 and 0.5 seconds, if all are as short as may be"

    line.says = True
    await line.until(up=True)
    await line.breaker.check()
    assert line.breaker.is_up


async def test_whoever_gives_up_takes_nothing_with_them(line: Line) -> None:
    line.says = None
    asked = asyncio.create_task(line.breaker.call(line.ask()))
    await asyncio.sleep(0.6)
    asked.cancel()
    line.says = False
    await line.until(up=False)
    line.says = True
    await line.until(up=True)


async def test_a_server_that_wakes_up_meets_no_crowd(valkey: Valkey) -> None:
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
    """How many have been made to a server, with the one that asks."""
    return int(valkey.command("INFO", "stats")["total_connections_received"])
