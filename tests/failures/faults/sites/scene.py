"""Two sites, each with an API, a worker and stores of its own, and the network between them.

first site:  Postgres ────▶ standby     :second site
             state Redis ─▶ replica
             cache Redis    cache Redis
             API ◀────────▶ API
             worker         worker (a relay)

All arrows pass through links (link.py), which rounds delay and cut. After a promotion, the first site follows the
second one in the same way.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from runner.binaries import postgres_bin
from runner.pgdata import ADMIN
from runner.ports import HOST
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import CACHE, Valkey
from settings import ConnectionSettings
from state import opened
from store.cache import repeated
from tests.failures.faults.scene import POSTGRES
from tests.failures.faults.sites.link import Direction, Link, Ways, linked
from tests.support.deployment import Deployment
from tests.support.labels import OF_TESTS, with_labels
from tests.support.promotions import as_admin, has_value
from tests.support.replicas import replicate, standby_of

SETTINGS: dict[str, Any] = {"pending_seconds": 5.0, "request_timeout": 2.5, "journal_tail_seconds": 6.0}
"""`pending_seconds` is longer than `request_timeout` and the two seconds that the second site may be behind."""
_PATIENCE = 240
"""Seconds. Eight processes may start at the same time."""
_UNANSWERED = "temporarily unavailable"
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
    links: Mapping[str, Sequence[Link]]
    """The links to the stores of each site: those of `postgres` and of `state`."""
    apis: list[Process] = field(default_factory=list)
    workers: list[Process] = field(default_factory=list)
    write_site: int = 0
    salvaged: str = ""
    """What `plaudit site salvage` has printed at a former write site: the writes that only it had."""

    @property
    def seen_at_write_site(self) -> Deployment:
        """The deployment with the settings and the URL of the write site."""
        return self._seen(self.write_site)

    @property
    def seen_at_reading_site(self) -> Deployment:
        return self._seen(1 - self.write_site)

    def _seen(self, site: int) -> Deployment:
        there = self.stores[1]
        urls = {"database_url": there.postgres.url, "redis_url": there.state.url, "cache_url": there.cache.url}
        return self.deployment.of_second(**urls) if site else self.deployment

    def start_api(self, site: int) -> None:
        self.apis[site] = self.deployment.start_api(site)

    def start_worker(self, site: int) -> None:
        self.workers[site] = self.deployment.start_worker(number=site)

    def kill(self, site: int) -> None:
        """Kills all processes and stores of a site."""
        for process in (self.apis[site], self.workers[site], *self.stores[site]):
            process.kill()

    async def command(self, site: int, *words: str) -> str:
        """Runs a `plaudit` command at a site. Returns its output. Repeats the command while a store does not answer in
        time, as on a busy machine.
        """
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                return await asyncio.to_thread(partial(self.deployment.run, *words, number=site, seconds=_PATIENCE))
            except AssertionError as failure:
                if _UNANSWERED not in str(failure) or time.monotonic() > until:
                    raise

    async def begin_synchronous(self) -> None:
        """Lets the write site acknowledge a write only when the other site has it."""
        there = self.stores[self.write_site].postgres
        await as_admin(there, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        await has_value(there, "synchronous_standby_names", "*")
        await self.command(self.write_site, "site", "synchronous")

    async def promote(self, *options: str) -> None:
        """Makes the reading site the write site."""
        site = 1 - self.write_site
        print(await self.command(site, "promote", "--yes", *options), flush=True)
        self.write_site = site

    async def refuses_writes(self, site: int) -> None:
        """Returns when a site knows that the other one was promoted."""
        async with httpx.AsyncClient(trust_env=False) as http, asyncio.timeout(_PATIENCE):
            url = f"{self.deployment.urls[site]}/readyz"
            while (await http.get(url)).json()["site"]["takesWrites"]:
                await asyncio.sleep(0.1)

    async def follow(self) -> str:
        """Makes the former write site, whose Redis servers run, the reading site, and starts what does not run there.
        Returns what `plaudit site salvage` prints: the writes that only this site has.
        """
        site, source = 1 - self.write_site, self.stores[self.write_site].postgres
        mine, redis = self.stores[site], self.links["state"][self.write_site]
        lost = await self.command(site, "site", "salvage")
        await asyncio.to_thread(mine.postgres.stop)
        url = source.url_of("postgres", ADMIN).replace(f":{source.port}/", f":{self.links['postgres'][1 - site].port}/")
        target = ("--pgdata", str(mine.postgres.data_dir / "data"), "--pg-bin", str(postgres_bin()))
        where = ("--postgres", url, "--redis", f"{HOST}:{redis.port}", *target)
        await self.command(site, "site", "follow", "--yes", "--discard", *where)
        await asyncio.to_thread(mine.postgres.start)
        if not self.apis[site].running:
            self.start_api(site)
            self.start_worker(site)
        return lost

    async def ready(self) -> None:
        """Returns when both sites serve, the write site takes writes, and the reading site is less than a second
        behind.
        """
        await self.deployment.ready(_PATIENCE)
        await self.deployment.workers_started(*self.workers, seconds=_PATIENCE)
        async with (
            opened(self.seen_at_reading_site.settings, "level", makes_ids=False) as state,
            asyncio.timeout(_PATIENCE),
        ):
            while (at := await repeated.reached(state.cache.redis)) is None or at.ms / 1000 < time.time() - 1:
                await asyncio.sleep(0.05)


@asynccontextmanager
async def started_sites(folder: Path, **settings: Any) -> AsyncIterator[Sites]:
    """Starts all servers and processes of both sites while the block runs. Keywords are settings of both."""
    _let_pass(folder)
    network = Network(*(Ways(Direction(), Direction()) for _ in range(3)))
    async with AsyncExitStack() as stack:
        first, second = (_stores(folder / name) for name in ("first", "second"))
        for server in (*first, second.state, second.cache):
            await asyncio.to_thread(server.start)
            stack.callback(server.stop)
        links = {
            name: [Link(0, *ways), Link(0, *reversed(ways))]
            for name, ways in (("postgres", network.postgres), ("state", network.state), ("apis", network.apis))
        }
        await stack.enter_async_context(linked([one for pair in links.values() for one in pair]))
        links["postgres"][0].upstream, links["state"][0].upstream = first.postgres.port, first.state.port
        standby = await standby_of(
            first.postgres, folder / "second" / "standby", links["postgres"][0].port, settings=POSTGRES
        )
        stack.callback(standby.stop)
        second = second._replace(postgres=standby)
        await asyncio.to_thread(replicate, second.state, links["state"][0].port)
        links["postgres"][1].upstream, links["state"][1].upstream = standby.port, second.state.port
        deployment = _deployment(folder, (first, second), links["apis"], settings)
        for link, port in zip(links["apis"], deployment.ports, strict=True):
            link.upstream = port
        sites = Sites(folder, (first, second), network, deployment, links)
        try:
            await asyncio.to_thread(deployment.migrate)
            await as_admin(first.postgres, "GRANT EXECUTE ON FUNCTION pg_promote TO plaudit")
            sites.apis += [deployment.start_api(site) for site in range(2)]
            sites.workers += [deployment.start_worker(number=site) for site in range(2)]
            yield sites
        finally:
            for ways in network:
                ways.mend()
            await asyncio.to_thread(deployment.stop)  # processes that stop still talk through the links


def _let_pass(folder: Path) -> None:
    """Lets other users pass through this folder and those above it: pg_rewind runs as the owner of the data."""
    for one in (folder, *folder.parents):
        found = one.stat()
        if found.st_uid == os.geteuid() and not found.st_mode & 0o001:
            one.chmod(found.st_mode & 0o7777 | 0o011)


def _stores(folder: Path) -> Stores:
    folder.mkdir()
    state = Valkey(folder / "state", settings=_AT_ONCE)
    return Stores(Postgres(folder / "postgres", settings=POSTGRES), state, Valkey(folder / "cache", settings=CACHE))


def _deployment(folder: Path, stores: Sequence[Stores], links: Sequence[Link], changes: dict[str, Any]) -> Deployment:
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
