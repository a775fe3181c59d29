"""Measures what a destination of all outgoing events costs writes: how fast journals are emptied, and how many likes
are accepted, compared to no destination.

The receiver accepts the events, hangs, answers garbage, or redirects. Each failing side begins without failures, so
that Plaudit repeats its first attempts at short intervals. After some minutes, the intervals would be as long as the
setting `longest_pause`.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

from bench import drain
from bench.client import Client, connected
from bench.likes import persisted_flood
from bench.machine import Machine
from bench.receiver import DOES
from bench.results import Result, compared, plain
from bench.rounds import Turn, alternate
from bench.working import emptied, working
from domain import webhook_signatures
from projections.entries.likes import Reacted
from runner.ports import HOST
from store.outgoing import cursors, destinations
from workers.outgoing.delivery import Delivery
from workers.worker import Worker

_NAME = "bench"
_PATIENCE = 120.0
_SIDES = None, *DOES


class Receiver:
    """The process that receives events (bench/receiver.py), which listens on `port`, and the destination that sends to
    it.
    """

    def __init__(self, machine: Machine, port: int) -> None:
        self._machine = machine
        self._port = port

    async def does(self, what: str) -> None:
        """Changes how the receiver answers from now on: `what` is one of `DOES`, such as `hangs`."""
        reader, writer = await asyncio.open_connection(HOST, self._port)
        writer.write(f"GET /{what.replace(' ', '-')} HTTP/1.1\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    @asynccontextmanager
    async def wants(self, what: str | None) -> AsyncIterator[None]:
        """Runs the block while there is a destination whose receiver answers as `what` says. If `what` is None, there
        is no destination.
        """
        postgres = self._machine.state.postgres
        if what:
            await self.does(what)
            secrets = [webhook_signatures.new_secret()]
            assert await destinations.add(postgres, _NAME, f"http://{HOST}:{self._port}/", (), (), secrets)
        try:
            yield
        finally:
            await destinations.remove(postgres, _NAME)

    async def has_all(self) -> float:
        """Waits until all events have been sent. Returns the seconds. Raises TimeoutError after two minutes."""
        began, every = time.perf_counter(), range(self._machine.settings.partitions)
        while await cursors.due(self._machine.state.postgres, every):
            if time.perf_counter() - began > _PATIENCE:
                raise TimeoutError("events still wait")
            await asyncio.sleep(0.02)
        return time.perf_counter() - began


async def measure(machine: Machine) -> list[Result]:
    """Measures how many journal entries a worker stores per second, and how many likes the API accepts per second, with
    each kind of receiver and without a destination.
    """
    with machine.program("receiver", (sys.executable, "-m", "bench.receiver")) as port:
        receiver = Receiver(machine, port)
        return [*await _drained(machine, receiver), *await _accepted(machine, receiver)]


async def _drained(machine: Machine, receiver: Receiver) -> list[Result]:
    cpu: list[float] = []
    late: list[float] = []
    events: list[Reacted] = []

    def turn(worker: Worker, what: str | None) -> Turn:
        async def rate() -> float:
            events[:] = await drain.fill(machine, worker, machine.sizes.backlog)
            delivery = Delivery(worker.state, lambda: worker.owned, lambda: worker.backlog)
            async with receiver.wants(what):
                sending = asyncio.create_task(delivery.run())
                began, began_cpu = time.perf_counter(), time.process_time()
                assert await emptied(worker) == len(events)
                seconds = time.perf_counter() - began
                cpu.append(1_000_000 * (time.process_time() - began_cpu) / len(events))
                if what == DOES[0]:
                    late.append(await receiver.has_all())
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
            return len(events) / seconds

        return rate

    async with drain.bare_sql(machine, events, with_events=True) as bare, working(machine) as worker:
        *rates, bare_rates = await alternate(machine.sizes.rounds, *[turn(worker, what) for what in _SIDES], bare)
    counted = cpu[len(_SIDES) :]
    stored = "entries/s, from journal to trimmed, against plain SQL with events"
    return [
        *[
            compared("outgoing", f"{stored}: a receiver that {does}", rate, bare_rates, at_least=0.7)
            for does, rate in zip(DOES, rates[1:], strict=True)
        ],
        *_against_none("entries/s, from journal to trimmed", rates),
        *_against_none("µs of the worker's CPU for an entry", [counted[n :: len(_SIDES)] for n in range(len(_SIDES))]),
        plain("outgoing", "ms from then until the receiver has all events", 1000 * median(late[1:])),
    ]


async def _accepted(machine: Machine, receiver: Receiver) -> list[Result]:
    seconds, pairs = machine.sizes.round_seconds, machine.community.pairs

    def turn(client: Client, what: str | None) -> Turn:
        async def rate() -> float:
            async with receiver.wants(what):
                await persisted_flood(machine, client, pairs, seconds)  # now the receiver has events, or has failed
                flood, _ = await persisted_flood(machine, client, pairs, seconds)
            return flood.rate

        return rate

    with machine.worker():
        async with connected(machine.api_port, machine.sizes.connections) as client:
            rates = await alternate(machine.sizes.rounds, *[turn(client, what) for what in _SIDES])
    return _against_none("likes/s acknowledged", rates)


def _against_none(what: str, sides: list[list[float]]) -> list[Result]:
    none, *others = sides
    return [
        compared("outgoing", f"{what}: a receiver that {does}", one, none)
        for does, one in zip(DOES, others, strict=True)
    ]
