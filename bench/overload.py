"""Measures an API process at twice the load that it can answer, with and without load shedding, which refuses requests
beyond a limit.

Results: the share of answered requests, the delay of the answers, and the time until answers are normal afterwards.
Requests arrive at a fixed pace, also while earlier requests wait.
"""

import asyncio
import itertools
import time
from collections.abc import Iterator
from statistics import median

from bench.client import Connection, Unexpected, connected, graphql
from bench.community import BUSINESS
from bench.hot import ENTITY, cpu_of
from bench.machine import Machine
from bench.page import ENTITIES
from bench.results import Result, compared, percentiles, plain

_TIMES = 2
_USUAL = 0.5
"""The load after the overload, as a share of the highest possible load."""
_SLOW = 0.5
"""The number of seconds after which an answer is not normal."""
_FOUND = b'"likeCount":'
_REFUSED = b'"code":"UNAVAILABLE"'
_NOTHING_REFUSED = {"PLAUDIT_MAX_CONCURRENT_REQUESTS": "1000000"}


class Crowd:
    """A crowd of clients that sends requests at a fixed pace, each on a free connection or a new one."""

    def __init__(self, port: int, requests: Iterator[bytes]) -> None:
        self._port = port
        self._requests = requests
        self._free: list[Connection] = []
        self.waits: list[float] = []
        """The seconds that each answered request took."""
        self.refused = 0
        self.usual_after = 0.0
        """The number of seconds from the beginning until the last request was sent that was refused or slow."""
        self._began = 0.0

    async def asks(self, per_second: float, seconds: float) -> float:
        """Sends requests at a pace of `per_second` for `seconds`, and waits for all results. Returns the answers per
        second.
        """
        self.waits, self.refused, self.usual_after = [], 0, 0.0
        self._began = time.perf_counter()
        async with asyncio.TaskGroup() as asking:
            for number in range(int(seconds * per_second)):
                if (early := self._began + number / per_second - time.perf_counter()) > 0:
                    await asyncio.sleep(early)
                asking.create_task(self._ask(next(self._requests)))
            return len(self.waits) / (time.perf_counter() - self._began)

    async def _ask(self, request: bytes) -> None:
        connection = self._free.pop() if self._free else Connection(self._port)
        sent = time.perf_counter()
        refused = await _is_refused(connection, request)
        waited = time.perf_counter() - sent
        if refused:
            self.refused += 1
        else:
            self.waits.append(waited)
        if refused or waited > _SLOW:
            self.usual_after = sent - self._began
        self._free.append(connection)

    def leave(self) -> None:
        """Closes all connections."""
        for connection in self._free:
            connection.close()


async def _is_refused(connection: Connection, request: bytes) -> bool:
    """Sends a request. Returns True if it was refused because of the load, False if it was answered. Raises Unexpected
    for any other answer.
    """
    try:
        body = await connection.ask(request)
    except Unexpected as unexpected:
        if _REFUSED in unexpected.args[0]:
            return True
        raise
    if _FOUND not in body:
        raise Unexpected(body)
    return False


async def measure(machine: Machine) -> list[Result]:
    """Measures answers per second at twice the highest rate of one API process, with the delays and the time to
    recover.
    """
    results = list[Result]()
    for name, page in _pages(machine).items():
        with machine.another_api("overload") as port:
            results += await _measured(machine, name, port, page)
        with machine.another_api("unbounded", **_NOTHING_REFUSED) as port:
            results += await _measured(machine, f"{name}, however many", port, page, goal=None)
    return results


async def _measured(machine: Machine, name: str, port: int, page: bytes, goal: float | None = 0.8) -> list[Result]:
    sizes, requests = machine.sizes, itertools.repeat(page)
    crowd, peaks, answered = Crowd(port, requests), list[float](), list[float]()
    cpu_at_peak, cpu_beyond = list[float](), list[float]()
    waits, refused, after = list[float](), 0, list[float]()
    async with connected(port, sizes.connections) as client:
        await client.flood(requests, _FOUND, sizes.round_seconds)
        for _ in range(sizes.rounds):
            began = await cpu_of(client)
            flood = await client.flood(requests, _FOUND, sizes.round_seconds)
            at_peak = await cpu_of(client)
            answered.append(await crowd.asks(_TIMES * flood.rate, sizes.step_seconds))
            peaks.append(flood.rate)
            cpu_at_peak.append(flood.answered / (at_peak - began))
            cpu_beyond.append(len(crowd.waits) / (await cpu_of(client) - at_peak))
            waits += [1000 * wait for wait in crowd.waits]
            refused += crowd.refused
            await crowd.asks(_USUAL * flood.rate, sizes.round_seconds)
            after.append(1000 * crowd.usual_after)
    crowd.leave()
    return [
        compared("overload", f"answers/s at twice the peak: {name}", answered, peaks, goal),
        compared("overload", f"answers for a second of the API's CPU: {name}", cpu_beyond, cpu_at_peak, goal),
        plain("overload", f"refused, %: {name}", 100 * refused / (refused + len(waits))),
        *percentiles("overload", f"ms to an answer: {name}", waits),
        plain("overload", f"ms until all is as usual: {name}", median(after)),
    ]


def _pages(machine: Machine) -> dict[str, bytes]:
    viewer, shown = machine.community.people[-1], machine.community.shown
    keys = [entity.key for entity in shown]
    return {
        "one entity": graphql(viewer.token, ENTITY, {"business": BUSINESS, "key": keys[0]}),
        f"pages of {len(keys)}": graphql(viewer.token, ENTITIES, {"business": BUSINESS, "keys": keys}),
    }
