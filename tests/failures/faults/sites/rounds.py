"""The rounds: what happens to two sites while clients at both of them go on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from tests.failures.faults.sites.link import Direction, Ways
from tests.failures.faults.sites.scene import Sites

Happens = Callable[[Sites], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True)
class Round:
    """One row of the table."""

    name: str
    happens: Happens
    seconds: float = 8
    promotes: bool = False
    """Whether the reading site is promoted. Such a round has no probes."""
    synchronous: bool = False
    may_lose: bool = False
    """Whether acknowledged changes may be lost: those that the promoted site had not received."""


@asynccontextmanager
async def nothing(_: Sites) -> AsyncIterator[None]:
    """Lets the sites be."""
    yield


def slow(seconds: float) -> Happens:
    """Delays everything between the sites by `seconds` in each direction."""

    @asynccontextmanager
    async def happens(sites: Sites) -> AsyncIterator[None]:
        for ways in sites.network:
            ways.delay(seconds)
        yield
        for ways in sites.network:
            ways.delay(0)

    return happens


def cut(which: Callable[[Sites], list[Direction]]) -> Happens:
    """Cuts some directions."""

    @asynccontextmanager
    async def happens(sites: Sites) -> AsyncIterator[None]:
        for direction in which(sites):
            direction.cut()
        yield
        for direction in which(sites):
            direction.mend()

    return happens


def both(sites: Sites) -> list[Direction]:
    return [direction for ways in sites.network for direction in ways]


def to_second(sites: Sites) -> list[Direction]:
    return [ways.to_second for ways in sites.network]


def to_first(sites: Sites) -> list[Direction]:
    return [ways.to_first for ways in sites.network]


def alone(which: Callable[[Sites], Ways]) -> Callable[[Sites], list[Direction]]:
    return lambda sites: [*which(sites)]


@asynccontextmanager
async def kill_relay(sites: Sites) -> AsyncIterator[None]:
    """Kills the worker of the reading site, which is its relay."""
    sites.workers[1].kill()
    yield
    sites.start_worker(1)


@asynccontextmanager
async def kill_api(sites: Sites) -> AsyncIterator[None]:
    """Kills the API of the reading site."""
    sites.apis[1].kill()
    yield
    sites.start_api(1)


@asynccontextmanager
async def empty_cache(sites: Sites) -> AsyncIterator[None]:
    """Empties the cache of the reading site twice a second, while the round lasts."""

    async def again() -> None:
        while True:
            await asyncio.to_thread(sites.stores[1].cache.command, "FLUSHALL")
            await asyncio.sleep(0.5)

    emptying = asyncio.create_task(again())
    yield
    emptying.cancel()


@asynccontextmanager
async def site_killed(sites: Sites) -> AsyncIterator[None]:
    """Kills the write site and promotes the reading site. Afterwards the killed site returns as the reading site."""
    killed = sites.write_site
    sites.kill(killed)
    await sites.promote()
    yield
    for server in sites.stores[killed]:  # Postgres recovers from the crash, and is stopped again by `follow`
        await asyncio.to_thread(server.start)
    sites.salvaged = await sites.follow()


@asynccontextmanager
async def split(sites: Sites) -> AsyncIterator[None]:
    """Cuts the link and promotes the reading site, while the write site goes on with its clients. Afterwards the former
    write site returns as the reading site.
    """
    for direction in both(sites):
        direction.cut()
    await sites.promote()
    yield
    for direction in both(sites):
        direction.mend()
    await sites.refuses_writes(1 - sites.write_site)
    sites.salvaged = await sites.follow()


@asynccontextmanager
async def planned(sites: Sites) -> AsyncIterator[None]:
    """Lets the write site release the writes, and promotes the reading site, which the other one follows afterwards."""
    await sites.command(sites.write_site, "site", "release", "--yes")
    await sites.promote("--planned")
    yield
    sites.salvaged = await sites.follow()


ROUNDS = [
    Round("no fault", nothing),
    Round("20 ms apart", slow(0.02)),
    Round("200 ms apart", slow(0.2)),
    Round("link cut", cut(both)),
    Round("link cut from the write site", cut(to_second)),
    Round("link cut to the write site", cut(to_first)),
    Round("replica of Redis cut off", cut(alone(lambda sites: sites.network.state))),
    Round("standby cut off", cut(alone(lambda sites: sites.network.postgres))),
    Round("relay killed", kill_relay, 5),
    Round("cache of the reading site emptied", empty_cache, 4),
    Round("API of the reading site killed", kill_api, 4),
    Round("planned promotion", planned, 6, promotes=True),
    Round("write site killed (synchronous)", site_killed, 6, promotes=True, synchronous=True),
    Round("write site killed (asynchronous)", site_killed, 6, promotes=True, may_lose=True),
    Round("split brain (synchronous)", split, 8, promotes=True, synchronous=True),
    Round("split brain (asynchronous)", split, 8, promotes=True, may_lose=True),
]
