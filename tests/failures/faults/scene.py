"""The system that faults happen to: private stores, two APIs, two workers, and a network that tests can break.

first API, workers ── first_network ──┐
                                      ├── Postgres, Redis
second API ───────── second_network ──┘
"""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import httpx
import pytest

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from state import opened
from tests.failures.faults.checker import drained
from tests.failures.faults.history import History
from tests.support.deployment import Deployment
from tests.support.fault_proxy import Proxy, proxied
from tests.support.labels import OF_TESTS, with_labels
from tests.support.replicas import standby_of

Kind = Literal["plain", "cache apart", "small disk"]
Store = Literal["postgres", "redis", "cache"]
DISK_MB = 1024
POSTGRES = {"max_wal_size": "64MB", "min_wal_size": "32MB", "wal_keep_size": "64MB"}
RECOVERY_SECONDS = 90
SETTINGS: Mapping[str, Any] = {"pending_seconds": 3.0, "request_timeout": 2.5, "journal_tail_seconds": 4.0}
"""Timeouts for a network that delays every message by half a second."""


@dataclass
class Scene:
    """All servers and processes of a fault test. Faults replace the processes that they kill."""

    folder: Path
    postgres: Postgres
    redis: Valkey
    cache: Valkey
    """The cache Redis, which is `redis` unless it is separate."""
    first_network: Mapping[Store, Proxy]
    second_network: Mapping[Store, Proxy]
    deployment: Deployment
    apis: list[Process]
    workers: list[Process]
    worker_ports: list[int]
    """The metrics ports of the workers."""
    history: History | None = None
    """The history of the current round."""
    copies: int = 0

    def start_api(self, number: int, hours: float = 0) -> None:
        self.apis[number] = self.deployment.start_api(number, hours)

    def start_worker(self, number: int) -> None:
        self.workers[number] = self.deployment.start_worker(metrics_port=self.worker_ports[number])

    async def ready(self) -> None:
        """Returns when all processes serve and write in journals."""
        await self.deployment.ready()
        await self.deployment.workers_started(*self.workers)
        async with asyncio.timeout(RECOVERY_SECONDS), httpx.AsyncClient(trust_env=False) as http:
            for url in self.deployment.urls:
                while await is_direct(http, url):
                    await asyncio.sleep(0.05)

    async def rest(self) -> None:
        """Pauses the users and waits until all journals are stored. A Redis that loses its data loses the rest."""
        assert self.history
        self.history.going.clear()
        await asyncio.sleep(2)  # for operations in progress
        async with opened(self.deployment.settings, "resting", makes_ids=False) as state:
            await drained(state)

    def proxies(self, store: Store, *, everywhere: bool) -> list[Proxy]:
        """Returns the proxies between a store and all processes, or the second API alone."""
        return [self.first_network[store], self.second_network[store]] if everywhere else [self.second_network[store]]

    async def standby(self) -> tuple[Postgres, Proxy]:
        """Starts a standby of Postgres. Returns it and the network between primary and standby."""
        self.copies += 1
        folder = self.folder / f"standby-{self.copies}"
        network = Proxy(self.postgres.port)
        await network.open()
        return await standby_of(self.postgres, folder, network.port, settings=POSTGRES), network

    def stop(self) -> None:
        self.deployment.stop()
        for server in {self.postgres, self.redis, self.cache}:
            server.stop()


async def is_direct(http: httpx.AsyncClient, url: str) -> bool:
    """Returns whether writes are direct, as far as an API process knows; True if it does not answer."""
    try:
        return "plaudit_write_mode_direct 0.0" not in (await http.get(f"{url}/metrics")).text
    except httpx.TransportError:
        return True


@asynccontextmanager
async def started_scene(folder: Path, kind: Kind, **settings: Any) -> AsyncIterator[Scene]:
    """Starts all servers and processes of a scene. Keywords are settings that replace those for fault tests."""
    async with AsyncExitStack() as stack:
        home = folder / "postgres"
        home.mkdir()
        if kind == "small disk":
            stack.enter_context(_mounted(home))
        postgres = Postgres(home, settings=POSTGRES)
        postgres.log = folder / "postgres.log"  # not on the disk that a fault fills: the log must name the refusals
        redis = Valkey(folder / "redis")
        cache = Valkey(folder / "cache") if kind == "cache apart" else redis
        for server in dict.fromkeys((postgres, redis, cache)):
            await asyncio.to_thread(server.start)
        first, second = [
            {name: await stack.enter_async_context(proxied(port)) for name, port in _ports(postgres, redis, cache)}
            for _ in range(2)
        ]
        scene = _scene(folder, (postgres, redis, cache), first, second, settings)
        try:
            await asyncio.to_thread(scene.deployment.migrate)
            for number in range(2):
                scene.start_api(number)
                scene.start_worker(number)
            yield scene
        finally:
            # In a thread, because processes that stop still talk through the proxies, which run in this event loop.
            await asyncio.to_thread(scene.stop)


def _ports(postgres: Postgres, redis: Valkey, cache: Valkey) -> Iterable[tuple[Store, int]]:
    return ("postgres", postgres.port), ("redis", redis.port), ("cache", cache.port)


def _scene(
    folder: Path,
    servers: tuple[Postgres, Valkey, Valkey],
    first_network: Mapping[Store, Proxy],
    second_network: Mapping[Store, Proxy],
    changes: Mapping[str, Any],
) -> Scene:
    postgres, redis, cache = servers
    (first_database, first_redis, first_cache), (database, state, apart) = (
        _urls(servers, proxies) for proxies in (first_network, second_network)
    )
    second = {"DATABASE_URL": database, "REDIS_URL": state}
    settings = {**SETTINGS, "businesses_file": with_labels(folder, base=OF_TESTS), **changes}
    if cache is not redis:
        second["PLAUDIT_CACHE_URL"] = apart
        settings["cache_url"] = first_cache
    deployment = Deployment(folder, first_database, first_redis, second, **settings)
    no_processes = cast("list[Process]", [None, None])
    return Scene(
        folder,
        postgres,
        redis,
        cache,
        first_network,
        second_network,
        deployment,
        [*no_processes],
        [*no_processes],
        [free_port(), free_port()],
    )


def _urls(servers: tuple[Postgres, Valkey, Valkey], proxies: Mapping[Store, Proxy]) -> list[str]:
    postgres, redis, cache = servers
    urls = postgres.url, redis.url, cache.url
    return [proxy.through(url) for url, proxy in zip(urls, proxies.values(), strict=True)]


@contextmanager
def _mounted(folder: Path) -> Iterator[None]:
    """Mounts a small file system. Skips the test if that is not permitted."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    mount: list[str | Path] = ["/bin/mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", folder]
    done = subprocess.run(mount, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"no small disk can be mounted: {done.stderr.decode()}")
    try:
        yield
    finally:
        subprocess.run(["/bin/umount", "--lazy", folder], check=True)
