"""Compares two databases: one that Citus distributes over a coordinator and two worker nodes, and one plain Postgres.

All servers are on this machine. So the ratios show what distribution costs, not what more machines give.
"""

import asyncio
import itertools
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from statistics import median

from bench.client import Client, connected, graphql
from bench.community import BUSINESS
from bench.drain import fill
from bench.likes import persisted_flood
from bench.machine import Machine, machine
from bench.page import ENTITIES, agreed
from bench.results import Result, compared
from bench.rounds import Turn, alternate
from bench.working import emptied, working
from runner.valkey import Valkey
from tests.support.citus import ARCHIVE, distributed_cluster
from workers.worker import Worker

SHARDS = 8
TIMEOUT_S = 60.0
"""The timeout of statements on Citus, in seconds. The first statements on new connections take long if all servers
share few cores.
"""


def prepared() -> str | None:
    """Returns the reason why this section cannot run; None if it can."""
    return None if os.environ.get(ARCHIVE) else f"{ARCHIVE} does not name an archive of Citus"


async def measure(plain: Machine) -> list[Result]:
    """Measures Plaudit on Citus against Plaudit on `plain`: how fast a worker empties journals, pages with and without
    caches, and likes.
    """
    async with _on_citus(plain) as citus:
        both = citus, plain
        return [await _drained(both), await _cached_pages(both), await _cold_pages(both), *await _likes(both)]


@asynccontextmanager
async def _on_citus(plain: Machine) -> AsyncIterator[Machine]:
    """Starts a Citus cluster, a Valkey and an API, with as many users and entities as `plain` has. Yields them."""
    home = plain.home / "citus"
    home.mkdir()
    cluster = distributed_cluster(
        Path(os.environ[ARCHIVE]), shards=SHARDS, partitions=plain.settings.partitions, durable=True
    )
    with ExitStack() as stack:
        servers = await asyncio.to_thread(stack.enter_context, cluster)
        valkey = stack.enter_context(Valkey(home / "valkey"))
        stores = {"database_url": servers.coordinator.url, "redis_url": valkey.url, "database_timeout": TIMEOUT_S}
        async with machine(home, plain.settings.model_copy(update=stores), plain.sizes) as citus:
            yield citus


async def _drained(both: Sequence[Machine]) -> Result:
    async with AsyncExitStack() as stack:
        workers = [await stack.enter_async_context(working(one)) for one in both]

        def turn(one: Machine, worker: Worker) -> Turn:
            async def rate() -> float:
                await fill(one, worker, one.sizes.distributed_backlog)
                started = time.perf_counter()
                return await emptied(worker) / (time.perf_counter() - started)

            return rate

        distributed, one_server = await alternate(both[0].sizes.rounds, *map(turn, both, workers))
    return compared("distributed", "entries/s, from journal to trimmed", distributed, one_server)


async def _cached_pages(both: Sequence[Machine]) -> Result:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(one.api_port, one.sizes.page_connections)) for one in both]

        async def turn(one: Machine, client: Client) -> Turn:
            page = _page(one)
            expected = await agreed([client], page)

            async def rate() -> float:
                return (await client.flood(itertools.repeat(page), expected, one.sizes.round_seconds)).rate

            return rate

        turns = [await turn(one, client) for one, client in zip(both, clients, strict=True)]
        distributed, one_server = await alternate(both[0].sizes.rounds, *turns)
    return compared("distributed", "pages of entities/s, all cached", distributed, one_server)


async def _cold_pages(both: Sequence[Machine]) -> Result:
    """Measures pages with nothing cached: empties the cache before each page, for which both APIs have a cache server
    of their own.
    """
    with ExitStack() as servers:
        async with AsyncExitStack() as stack:
            turns = []
            for one in both:
                cache = servers.enter_context(Valkey(one.home / "cache"))
                port = servers.enter_context(one.another_api("cold", PLAUDIT_CACHE_URL=cache.url))
                client = await stack.enter_async_context(connected(port, 1))
                turns.append(_cold_turn(one, cache, client))
            distributed, one_server = await alternate(both[0].sizes.rounds, *turns)
    return compared("distributed", "pages of entities/s, one at a time, none cached", distributed, one_server)


def _cold_turn(one: Machine, cache: Valkey, client: Client) -> Turn:
    page = _page(one)

    async def rate() -> float:
        waits, until = list[float](), time.perf_counter() + one.sizes.round_seconds
        while time.perf_counter() < until or not waits:
            cache.command("FLUSHALL")
            began = time.perf_counter()
            await client.ask(page)
            waits.append(time.perf_counter() - began)
        return 1 / median(waits)

    return rate


async def _likes(both: Sequence[Machine]) -> list[Result]:
    stored: list[list[float]] = [[], []]
    async with AsyncExitStack() as stack:
        for one in both:
            stack.enter_context(one.worker())

        async def turn(one: Machine, kept: list[float]) -> Turn:
            client = await stack.enter_async_context(connected(one.api_port, one.sizes.connections))

            async def rate() -> float:
                flood, late = await persisted_flood(one, client, one.community.pairs, one.sizes.round_seconds)
                kept.append(flood.answered / (flood.seconds + late))
                return flood.rate

            return rate

        turns = [await turn(one, kept) for one, kept in zip(both, stored, strict=True)]
        distributed, one_server = await alternate(both[0].sizes.rounds, *turns)
    return [
        compared("distributed", "likes/s acknowledged", distributed, one_server),
        compared("distributed", "likes/s persisted", stored[0][1:], stored[1][1:]),
    ]


def _page(one: Machine) -> bytes:
    keys = [entity.key for entity in one.community.shown]
    return graphql(one.community.people[0].token, ENTITIES, {"business": BUSINESS, "keys": keys})
