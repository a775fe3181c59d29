"""Measures how throughput and CPU time grow with the number of API processes and workers on this machine.

The stores and the clients run on the same cores, so the answers per second grow only until the cores are busy. Another
figure shows whether more cores would help: the work for one second of CPU time of one kind of process. It stays the
same if processes do not hinder each other.
"""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median

import psutil
from sqlalchemy import text

from bench import cpu, drain, home
from bench.client import Client, connected, graphql
from bench.community import BUSINESS
from bench.hot import ENTITY
from bench.journal import until_stored
from bench.likes import LIKED, requests
from bench.machine import Machine
from bench.page import ENTITIES
from bench.results import Result, compared, plain
from bench.rounds import alternate

_SHARES = text("SELECT count(*) FROM partitions WHERE lease_until > now() AND owner IS NOT NULL GROUP BY owner")
_HOLD = [
    text("UPDATE partitions SET lease_until = now() + interval '5 minutes'"),
    text("UPDATE workers SET seen_until = now() + interval '5 minutes'"),
]
_PATIENCE = 60.0
_READ = b'"data":{'


@dataclass(frozen=True, slots=True)
class Work:
    """The work of some processes together in one turn: `done` is the number of requests or journal entries, `seconds`
    the duration, and `cpu` the CPU seconds by kind of process.
    """

    done: int
    seconds: float
    cpu: dict[str, float]

    @property
    def rate(self) -> float:
        """Returns the requests or journal entries per second."""
        return self.done / self.seconds

    def per_cpu_second(self, kind: str) -> float:
        """Returns the requests or journal entries for each CPU second of one kind of process."""
        return self.done / max(self.cpu[kind], 0.001)

    @property
    def busy(self) -> float:
        """Returns the average number of cores that all kinds of processes together kept busy."""
        return sum(self.cpu.values()) / self.seconds


Doing = Callable[[], Awaitable[int]]


async def measure(machine: Machine) -> list[Result]:
    """Measures pages, likes and stored journal entries per second with one, two, … processes, and the CPU time of each
    kind of process.
    """
    most = machine.sizes.fleet
    async with AsyncExitStack() as stack:
        others = [stack.enter_context(machine.another_api(f"api{number}")) for number in range(1, most)]
        opened = [connected(port, machine.sizes.page_connections) for port in (machine.api_port, *others)]
        clients = [await stack.enter_async_context(one) for one in opened]
        results = list[Result]()
        for name, page in (await _pages(machine, clients[0])).items():
            results += await _read(machine, clients, name, page)
        results += await _liked(machine, clients)
    return results + await _drained(machine)


async def _pages(machine: Machine, client: Client) -> dict[str, bytes]:
    viewer, shown = machine.community.people[0], machine.community.shown
    keys = [entity.key for entity in shown]
    pages = {
        "entities": graphql(viewer.token, ENTITY, {"business": BUSINESS, "key": keys[0]}),
        f"pages of {len(keys)} entities": graphql(viewer.token, ENTITIES, {"business": BUSINESS, "keys": keys}),
        f"home pages of {machine.sizes.home_posts} posts": graphql(
            viewer.token, home.HOME, {"first": machine.sizes.home_posts}
        ),
    }
    await home.settled(machine, client, list(pages.values())[-1])
    return pages


async def _read(machine: Machine, clients: Sequence[Client], name: str, page: bytes) -> list[Result]:
    """Measures the page `page`, requested from one, two, … of the API processes to which `clients` are connected."""

    def flooded(count: int) -> Doing:
        async def answers() -> int:
            floods = [one.flood(itertools.repeat(page), _READ, machine.sizes.fleet_seconds) for one in clients[:count]]
            return sum(flood.answered for flood in await asyncio.gather(*floods))

        return answers

    for client in clients:
        await client.ask(page)
    sides = [_timed(flooded(count)) for count in _counts(machine)]
    return _grown(name, "API processes", "api", await alternate(machine.sizes.rounds, *sides))


async def _liked(machine: Machine, clients: Sequence[Client]) -> list[Result]:
    """Measures likes from the first request until all are stored, with one, two, … API processes and as
    many workers.
    """
    pairs = machine.community.pairs
    for client in clients:  # each process verifies the tokens, and caches the entities
        await client.flood(requests(itertools.islice(pairs, machine.sizes.users)), LIKED)

    def liked(count: int) -> Callable[[], Awaitable[Work]]:
        async def likes() -> int:
            floods = [one.flood(requests(pairs), LIKED, machine.sizes.fleet_seconds) for one in clients[:count]]
            answered = sum(flood.answered for flood in await asyncio.gather(*floods))
            await until_stored(machine)
            return answered

        async def turn() -> Work:
            with _workers(machine, count):
                await _shared(machine, count)
                await until_stored(machine)
                return await _timed(likes)()

        return turn

    works = await alternate(machine.sizes.rounds, *map(liked, _counts(machine)))
    many, each = "likes, stored", "API processes and workers"
    return [*_grown(many, each, "api", works), *_paid(many, each, "worker", works)]


async def _drained(machine: Machine) -> list[Result]:
    """Measures how fast one, two, … workers empty the journals. The workers are suspended while the journals are
    filled.
    """

    def drained(count: int) -> Callable[[], Awaitable[Work]]:
        async def turn() -> Work:
            with _workers(machine, count) as workers:
                await _shared(machine, count)
                await until_stored(machine)
                for worker in workers:
                    worker.suspend()
                for statement in _HOLD:
                    await machine.state.postgres.write(statement)
                await drain.append(machine, machine.sizes.fleet_backlog)

                async def entries() -> int:
                    for worker in workers:
                        worker.resume()
                    await until_stored(machine)
                    return machine.sizes.fleet_backlog

                return await _timed(entries)()

        return turn

    works = await alternate(machine.sizes.rounds, *map(drained, _counts(machine)))
    return _grown("entries, from journal to commit", "workers", "worker", works)


def _counts(machine: Machine) -> range:
    return range(1, machine.sizes.fleet + 1)


def _timed(doing: Doing) -> Callable[[], Awaitable[Work]]:
    """Returns a function that calls `doing`, which returns the number of things it has done, and that measures the time
    and the CPU time.
    """

    async def work() -> Work:
        began, before = time.perf_counter(), cpu.used()
        done = await doing()
        seconds, after = time.perf_counter() - began, cpu.used()
        return Work(done, seconds, {kind: after[kind] - before[kind] for kind in after})

    return work


@contextmanager
def _workers(machine: Machine, count: int) -> Iterator[list[psutil.Process]]:
    """Starts `count` workers, and yields their processes."""
    before = set(psutil.Process().children())
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(machine.worker())
        yield [child for child in psutil.Process().children() if child not in before]


async def _shared(machine: Machine, workers: int) -> None:
    """Waits until the workers own all partitions in equal shares. Raises TimeoutError after a minute."""
    fair, deadline = -(-machine.settings.partitions // workers), time.perf_counter() + _PATIENCE
    while True:
        shares = [row[0] for row in await machine.state.postgres.read(_SHARES)]
        if sum(shares) == machine.settings.partitions and len(shares) == workers and max(shares) <= fair:
            return
        if time.perf_counter() > deadline:
            raise TimeoutError(f"{workers} workers own {shares} partitions")
        await asyncio.sleep(0.1)


def _grown(many: str, each: str, kind: str, works: Sequence[Sequence[Work]]) -> list[Result]:
    """Returns the results of one measurement with one, two, … processes: the rate, as a ratio to that many times the
    rate of one process; the busy cores; and the CPU time. `many` names the work and `each` the processes in the
    results.
    """
    alone = [work.rate for work in works[0]]
    rates = [
        compared("fleet", f"{many}/s: {count} {each}", [work.rate for work in some], [count * rate for rate in alone])
        for count, some in enumerate(works, 1)
    ]
    busy = [
        plain("fleet", f"{many}: % of a core busy, {count} {each}", 100 * median([work.busy for work in some]))
        for count, some in enumerate(works, 1)
    ]
    return [*rates, *busy, *_paid(many, each, kind, works), *_parts(many, works[0])]


def _paid(many: str, each: str, kind: str, works: Sequence[Sequence[Work]]) -> list[Result]:
    """Returns the work for each CPU second of processes of the kind `kind`, as ratios to that with one such process.
    `many` and `each` name the work and the processes in the results.
    """
    alone = [work.per_cpu_second(kind) for work in works[0]]
    return [
        compared(
            "fleet",
            f"{many} for a CPU second of {kind}: {count} {each}",
            [work.per_cpu_second(kind) for work in some],
            alone,
        )
        for count, some in enumerate(works, 1)
    ]


def _parts(many: str, works: Sequence[Work]) -> list[Result]:
    """Returns the CPU time of one request or journal entry by kind of process, if there is one process of each kind."""
    return [
        plain(
            "fleet", f"{many}: µs of CPU of {kind} for one", 1_000_000 * median([w.cpu[kind] / w.done for w in works])
        )
        for kind in works[0].cpu
    ]
