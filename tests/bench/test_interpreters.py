"""CPU time per request, of several interpreters and of the least server. The tests need Node 20, npm and wrk."""

import sys

import pytest

from bench import interpreters
from bench.interpreters import FLOOR, OWN
from bench.machine import Machine
from bench.peers.pages import PEER
from bench.peers.peer import prepared
from tests.bench.tiny import assert_ratios, count

pytestmark = [pytest.mark.timeout(300), pytest.mark.prove]


async def test_each_server_is_measured_for_each_request(tiny: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := prepared():
        pytest.skip(reason)
    monkeypatch.setenv("BENCH_PYTHONS", f"another={sys.executable}")

    results = await interpreters.measure(tiny)

    assert_ratios(results)
    assert [result.what for result in results] == [
        f"µs of CPU for a {what}: {side}"
        for what in ("square", "home", "like")
        for side in (OWN, "another", FLOOR, PEER)
    ]
    by_name = {result.what.partition(" for a ")[2]: result.value for result in results}
    for what in ("square", "home", "like"):
        assert by_name[f"{what}: {FLOOR}"] < by_name[f"{what}: {OWN}"] / 2
    assert await count(tiny, "public.dead_letters") == 0
