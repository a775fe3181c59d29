"""Two sites on this machine: the second one has replicas of Postgres and of the state Redis, and a cache of its own.

first site:  Postgres ──── to_postgres ───▶ standby   :second site
             state Redis ── to_redis ─────▶ replica
             cache Redis                    another cache Redis

The networks between the sites delay, hold back or end what the first site sends (tests/support/fault_proxy.py).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.postgres import Postgres
from runner.valkey import CACHE, Valkey
from settings import Settings
from state import opened
from store.cache import log, repeated
from store.cache.log import CacheLog
from store.site import BEAT_S
from tests.support.fault_proxy import Proxy, proxied
from tests.support.replicas import replicate, standby_of
from tests.support.system import System
from workers.relay import Relay

_AT_ONCE = {"repl-diskless-sync-delay": "0"}
_REWINDABLE = {"full_page_writes": "on"}
"""What pg_rewind asks of the server that it copies from."""


@dataclass(frozen=True)
class TwoSites:
    """The settings of both sites, their servers, and the networks from the first site to the second."""

    first: Settings
    second: Settings
    standby: Postgres
    state: Valkey
    replica: Valkey
    caches: tuple[Valkey, Valkey]
    to_postgres: Proxy
    to_redis: Proxy

    def delay(self, seconds: float) -> None:
        """Lets everything that the first site sends to the second arrive `seconds` later."""
        self.to_postgres.reply_delay = self.to_redis.reply_delay = seconds


@asynccontextmanager
async def two_sites(
    folder: Path, postgres: Postgres, make_settings: Callable[..., Settings], **settings: Any
) -> AsyncIterator[TwoSites]:
    """Starts the Redis servers of two sites and the second Postgres, while the block runs. `postgres` is the server of
    the first site. Keywords are settings of both sites.
    """
    async with AsyncExitStack() as stack:
        servers = [Valkey(folder / name, settings=_AT_ONCE) for name in ("state", "replica")]
        servers += [Valkey(folder / name, settings=CACHE) for name in ("first-cache", "second-cache")]
        state, replica, *caches = (stack.enter_context(server) for server in servers)
        to_postgres = await stack.enter_async_context(proxied(postgres.port))
        to_redis = await stack.enter_async_context(proxied(state.port))
        standby = await standby_of(postgres, folder / "standby", to_postgres.port, settings=_REWINDABLE, durable=False)
        stack.callback(standby.stop)
        await asyncio.to_thread(replicate, replica, to_redis.port)
        first, second = (
            make_settings(database_url=one.url, redis_url=redis.url, cache_url=cache.url, **settings)
            for one, redis, cache in zip((postgres, standby), (state, replica), caches, strict=True)
        )
        yield TwoSites(first, second, standby, state, replica, (caches[0], caches[1]), to_postgres, to_redis)


def record_changes(system: System) -> None:
    """Lets the processes of the first site record what they change in its cache, so that a relay can repeat it."""
    state = system.state
    state.events.log = CacheLog(state.redis, state.postgres, state.cache.redis)
    state.cache.record_in(state.events.log)


@asynccontextmanager
async def relaying(settings: Settings) -> AsyncIterator[Relay]:
    """Runs a relay at the second site while the block runs."""
    async with opened(settings, "relay", makes_ids=False, obeys_term=False) as state:
        relay, stop = Relay(state), asyncio.Event()
        running = asyncio.create_task(relay.run(stop))
        try:
            yield relay
        finally:
            stop.set()
            await running


async def warmed(system: System) -> None:
    """Returns when a new user can sign in. On a busy machine, the first statements of a server take so long that the
    server counts as down.
    """
    async with asyncio.timeout(60):
        while "errors" in (await system.person("warming").send("{ viewer { user { id } } }")).json():
            await asyncio.sleep(0.1)


async def beat(system: System) -> None:
    """Appends entries to the log of a site as its worker does, until this task is cancelled."""
    assert system.state.cache.log
    while True:
        await system.state.cache.log.beat()
        await asyncio.sleep(BEAT_S)


async def level(first: System, second: System, seconds: float = 20) -> None:
    """Returns when the cache of the second site has everything that the first site has recorded until now."""
    assert first.state.cache.log
    await first.state.cache.log.beat()
    newest = await log.newest(first.state.redis)
    assert newest
    async with asyncio.timeout(seconds):
        while (reached := await repeated.reached(second.state.cache.redis)) is None or reached.ms < newest.ms:
            await asyncio.sleep(0.01)
