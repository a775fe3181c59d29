"""Two sites, each with an API, a worker and stores of its own, and the network between them.

first site:  Postgres ────▶ standby     :second site
             state Redis ─▶ replica
             cache Redis    cache Redis
             API ◀────────▶ API
             worker         worker (a relay)

All arrows pass through links (link.py), which rounds delay and cut.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import CACHE, Valkey
from settings import ConnectionSettings
from state import opened
from store.cache import repeated
from tests.failures.faults.scene import POSTGRES
from tests.failures.sites.link import Direction, Link, Ways, linked
from tests.support.deployment import Deployment
from tests.support.labels import OF_TESTS, with_labels
from tests.support.replicas import replicate, standby_of

SETTINGS: dict[str, Any] = {"pending_seconds": 5.0, "request_timeout": 2.5, "journal_tail_seconds": 6.0}
"""`pending_seconds` is longer than `request_timeout` and the two seconds that the second site may be behind."""
_PATIENCE = 240
"""Seconds. Eight processes may start at the same time."""
_AT_ONCE = {"repl-diskless-sync-delay": "0"}


class Stores(NamedTuple):
    """The stores of one site."""

    postgres: Postgres
    state: Valkey
    cache: Valkey


class Network(NamedTuple):
    """The ways of the WAL of Postgres, of the stream of the state Redis, and of requests between APIs."""

    postgres: Ways
    state: Ways
    apis: Ways


@dataclass
class Sites:
    """Both sites. The first one is the write site at the beginning. Rounds replace the processes that they kill."""

    folder: Path
    stores: Sequence[Stores]
    network: Network
    deployment: Deployment
    """The deployment of both sites. Its settings and its URL are those of the first site."""
    apis: list[Process]
    workers: list[Process]

    @property
    def seen(self) -> tuple[Deployment, Deployment]:
        """The deployment as the processes of each site see it."""
        there = self.stores[1]
        urls = {"database_url": there.postgres.url, "redis_url": there.state.url, "cache_url": there.cache.url}
        return self.deployment, self.deployment.of_second(**urls)

    def start_api(self, site: int) -> None:
        self.apis[site] = self.deployment.start_api(site)

    def start_worker(self, site: int) -> None:
        self.workers[site] = self.deployment.start_worker(number=site)

    async def ready(self) -> None:
        """Returns when both sites serve, and the reading site is less than a second behind."""
        await self.deployment.ready(_PATIENCE)
        await self.deployment.workers_started(*self.workers, seconds=_PATIENCE)
        async with opened(self.seen[1].settings, "level", makes_ids=False) as state, asyncio.timeout(_PATIENCE):
            while (at := await repeated.reached(state.cache.redis)) is None or at.ms / 1000 < time.time() - 1:
                await asyncio.sleep(0.05)


@asynccontextmanager
async def started_sites(folder: Path, **settings: Any) -> AsyncIterator[Sites]:
    """Starts all servers and processes of both sites while the block runs. Keywords are settings of both."""
    network = Network(*(Ways(Direction(), Direction()) for _ in range(3)))
    async with AsyncExitStack() as stack:
        first, second = (_stores(folder / name) for name in ("first", "second"))
        for server in (*first, second.state, second.cache):
            await asyncio.to_thread(server.start)
            stack.callback(server.stop)
        wal, stream = (
            Link(server.port, *ways)
            for server, ways in ((first.postgres, network.postgres), (first.state, network.state))
        )
        to_first, to_second = Link(0, *network.apis), Link(0, *reversed(network.apis))
        await stack.enter_async_context(linked([wal, stream, to_first, to_second]))
        standby = await standby_of(first.postgres, folder / "second" / "standby", wal.port, settings=POSTGRES)
        stack.callback(standby.stop)
        second = second._replace(postgres=standby)
        await asyncio.to_thread(replicate, second.state, stream.port)
        deployment = _deployment(folder, (first, second), (to_first, to_second), settings)
        for link, port in zip((to_first, to_second), deployment.ports, strict=True):
            link.upstream = port
        sites = Sites(folder, (first, second), network, deployment, [], [])
        try:
            await asyncio.to_thread(deployment.migrate)
            sites.apis += [deployment.start_api(site) for site in range(2)]
            sites.workers += [deployment.start_worker(number=site) for site in range(2)]
            yield sites
        finally:
            for ways in network:
                ways.mend()
            await asyncio.to_thread(deployment.stop)  # processes that stop still talk through the links


def _stores(folder: Path) -> Stores:
    folder.mkdir()
    state = Valkey(folder / "state", settings=_AT_ONCE)
    return Stores(Postgres(folder / "postgres", settings=POSTGRES), state, Valkey(folder / "cache", settings=CACHE))


def _deployment(
    folder: Path, stores: Sequence[Stores], links: tuple[Link, Link], changes: dict[str, Any]
) -> Deployment:
    first, second = stores
    to_first, to_second = (ConnectionSettings(other_site=link.url) for link in links)
    environment = {
        "DATABASE_URL": second.postgres.url,
        "REDIS_URL": second.state.url,
        "PLAUDIT_CACHE_URL": second.cache.url,
        "PLAUDIT_CONNECTIONS": to_first.model_dump_json(exclude_unset=True),
    }
    settings = {**SETTINGS, "businesses_file": with_labels(folder, base=OF_TESTS), **changes}
    given = {"cache_url": first.cache.url, "connections": to_second, **settings}
    return Deployment(folder, first.postgres.url, first.state.url, environment, **given)
