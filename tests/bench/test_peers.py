"""The GraphQL server that Plaudit is compared with. The tests need Node 20, npm with its registry or cache, and wrk."""

import pytest
from rich.console import Console

from bench import __main__ as bench
from bench import peers
from bench.asked import commands
from bench.machine import Machine
from bench.page import agreed
from bench.peers import pages, variety
from bench.peers.peer import prepared
from tests.bench.tiny import TINY, assert_ratios, count

pytestmark = [pytest.mark.timeout(180), pytest.mark.prove]


@pytest.fixture(scope="module")
def peer_is_prepared() -> None:
    if reason := prepared():
        pytest.skip(reason)


@pytest.mark.usefixtures("peer_is_prepared")
async def test_all_servers_answer_pages_with_the_same_bytes_and_use_the_same_commands(tiny: Machine) -> None:
    async with pages.serving(tiny) as sides:
        servers = [sides.api, *sides.others.values()]
        asked = {}
        for name, requests in sides.pages.items():
            for request in requests:
                await agreed(servers, request)
            asked[name] = [await commands(tiny, server, requests[0]) for server in servers[:-1]]

    lists = {"zrange": 2, "zscore": 2, "hgetall": 2, "mget": 4}
    assert asked["squares"] == [{**lists, "zmscore": 1}] * 4
    home = {"pexpire": 1, "zrange": 3, "zscore": 3, "hgetall": 3, "mget": 4, "zmscore": 2}
    assert asked["home pages"] == [home] * 4


@pytest.mark.usefixtures("peer_is_prepared")
async def test_pages_and_likes_are_compared_with_the_peer_and_its_likes_are_stored(tiny: Machine) -> None:
    before = await count(tiny, "public.like_log")

    results = await peers.measure(tiny)

    assert_ratios(results)
    assert [result.what.partition(",")[0] for result in results] == [
        *["squares/s"] * 4,
        *["home pages/s"] * 4,
        *["likes/s"] * 3,
    ]
    warmed_by_three_servers = 2 * 3 * 2 * TINY.likers
    assert await count(tiny, "public.like_log") > before + warmed_by_three_servers
    assert await count(tiny, "public.dead_letters") == 0


@pytest.mark.usefixtures("peer_is_prepared")
async def test_squares_are_measured_while_counters_and_operations_change(tiny: Machine) -> None:
    results = await variety.measure(tiny)

    assert_ratios(results)
    assert len(results) == 6


def test_without_node_the_sections_are_skipped_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    console = Console(record=True, width=200)

    chosen = bench.possible(["home", "peers", "variety"], console)

    assert chosen == ["home"]
    (line,) = console.export_text().splitlines()
    assert line.startswith("Skipping peers and variety: needs node, npm, wrk")
