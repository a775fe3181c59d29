"""What the rounds count as stale, leaked, lost and twice, and how the network between the sites behaves."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.failures.faults.sites.link import Direction, Link, linked
from tests.failures.faults.sites.probes import Age, Change, Probes, Watch
from tests.failures.faults.sites.report import counted

HOST = "127.0.0.1"


def test_an_answer_is_stale_two_seconds_after_the_write_site_showed_the_change() -> None:
    like = Change("like", acknowledged=10, first=11, second=15, missed=[10.5, 12.9, 13.1, 14])

    assert Probes([like]).stale == 2
    assert Probes([like]).leaks == 0


def test_an_answer_leaks_one_second_after_the_block_was_acknowledged() -> None:
    block = Change("block", acknowledged=10, first=12, second=12, missed=[10.9, 11.1])

    assert Probes([block]).leaks == 1
    assert Probes([block]).stale == 0


def test_a_stall_of_the_write_site_or_of_the_test_excuses_an_answer() -> None:
    like = Change("like", acknowledged=10, first=10, second=15, missed=[13])

    assert Probes([like], Watch([Age(11, 1.5, 0, 0)], [])).stale == 0
    assert Probes([like], Watch([], [(12, 1.5)])).stale == 0
    assert Probes([like], Watch([Age(11, 0.9, 0, 0)], [(9, 5)])).stale == 1


def test_a_round_counts_deviations_by_their_kind() -> None:
    sentences = [
        "the log of (1, 'Entity:video:v') has lost [('a', 'like')], has twice [], has beyond that []",
        "the log of (1, 'Entity:video:v') has lost [], has twice [('a', 'like')], has beyond that []",
        "w1 is stored 0 times",
        "w2 is stored 2 times",
        "1700000000.123 5 sees 6, whom they block",
        "1700000000.123 Post:5 says 'a' instead of 'b'",
        "1700000000.123 w3 of anna was answered with {'INTERNAL'}",
    ]

    result = counted("a round", 7, Probes(), sentences)

    assert (result.lost, result.twice, result.leaks, result.own, result.other) == (2, 2, 1, 1, 1)
    assert not result.is_right
    assert counted("a round", 7, Probes(), []).is_right


class Echo:
    """An echo server behind a link, and a connection to it."""

    def __init__(self, there: Direction, back: Direction) -> None:
        self.there, self.back = there, back
        self.heard = b""
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            self.heard += data
            writer.write(data)
        writer.close()

    async def hears(self, words: bytes) -> None:
        async with asyncio.timeout(30):
            while self.heard != words:
                await asyncio.sleep(0.01)


@pytest_asyncio.fixture
async def echo() -> AsyncIterator[Echo]:
    one = Echo(Direction(), Direction())
    async with await asyncio.start_server(one.answer, HOST, 0) as server:
        link = Link(server.sockets[0].getsockname()[1], one.there, one.back)
        async with linked([link]):
            one.reader, one.writer = await asyncio.open_connection(HOST, link.port)
            yield one
            one.writer.close()


async def test_a_cut_of_one_direction_lets_the_other_pass_and_keeps_what_was_sent(echo: Echo) -> None:
    echo.back.cut()
    echo.writer.write(b"one")
    await echo.hears(b"one")
    echo.there.cut()
    echo.writer.write(b" two")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await echo.reader.read(100)
    assert echo.heard == b"one"
    echo.there.mend()
    await echo.hears(b"one two")
    echo.back.mend()

    assert await echo.reader.readexactly(7) == b"one two"


async def test_a_delay_does_not_add_up(echo: Echo) -> None:
    echo.there.delay = 0.5
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in range(100):
        echo.writer.write(b"%d" % (number % 10))
        await echo.writer.drain()
        await asyncio.sleep(0)
    await echo.reader.readexactly(100)

    assert loop.time() - began >= 0.5
