"""Two whole sites, with APIs, workers and relays, of which a test promotes one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from models.database import migrations
from runner.pgdata import ADMIN
from runner.ports import free_port
from runner.postgres import Postgres
from settings import ConnectionSettings, Settings
from state import opened
from tests.support.fault_proxy import Proxy, proxied
from tests.support.subscriptions import Live, serving
from tests.support.system import LENIENT
from tests.support.two_sites import TwoSites, level, two_sites, warmed
from workers.main import work


@dataclass(frozen=True)
class WholeSites:
    """Both sites, the application at each of them, the Postgres of the first one, and the networks from each API to
    the other site.
    """

    servers: TwoSites
    postgres: Postgres
    first: Live
    second: Live
    to_first: Proxy
    to_second: Proxy

    async def cut(self) -> None:
        """Cuts all networks between the sites."""
        for network in (self.servers.to_postgres, self.servers.to_redis, self.to_first, self.to_second):
            await network.cut()

    async def reconnect_apis(self) -> None:
        """Mends the networks between the APIs."""
        for network in (self.to_first, self.to_second):
            await network.open()

    def kill_first(self) -> None:
        """Kills the stores of the first site."""
        self.postgres.kill()
        for server in (self.servers.state, self.servers.caches[0]):
            server.kill()


async def as_admin(server: Postgres, *statements: str) -> None:
    """Runs statements as the superuser."""
    connection = await asyncpg.connect(server.url_of("plaudit", ADMIN))
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


async def has_value(server: Postgres, setting: str, value: str) -> None:
    """Returns when new connections have this value of a setting, which was changed."""
    async with asyncio.timeout(60):
        while True:
            connection = await asyncpg.connect(server.url_of("plaudit", ADMIN))
            found = await connection.fetchval("SELECT current_setting($1)", setting)
            await connection.close()
            if found == value:
                return
            await asyncio.sleep(0.1)


@asynccontextmanager
async def whole_sites(folder: Path, make_settings: Callable[..., Settings]) -> AsyncIterator[WholeSites]:
    """Runs two whole sites while the block runs. The first one takes the writes."""
    async with AsyncExitStack() as stack:
        kept = {"wal_keep_size": "256MB"}
        postgres = stack.enter_context(Postgres(folder / "postgres", durable=False, settings=kept))
        fast: dict[str, Any] = {"moderation": LENIENT, "local_cache_seconds": 0, "pending_seconds": 32.0}
        await asyncio.to_thread(migrations.upgrade, make_settings(database_url=postgres.url))
        await as_admin(postgres, "GRANT EXECUTE ON FUNCTION pg_promote TO plaudit")
        servers = await stack.enter_async_context(two_sites(folder, postgres, make_settings, **fast))
        ports = free_port(), free_port()
        to_first, to_second = [await stack.enter_async_context(proxied(port)) for port in ports]
        sites = []
        for settings, port, other in ((servers.first, ports[0], to_second), (servers.second, ports[1], to_first)):
            connections = ConnectionSettings(other_site=f"http://127.0.0.1:{other.port}")
            own = settings.model_copy(update={"port": port, "connections": connections})
            sites.append(await stack.enter_async_context(serving(own)))
            await stack.enter_async_context(working(own))
        await warmed(sites[0])
        await level(sites[0], sites[1])
        yield WholeSites(servers, postgres, sites[0], sites[1], to_first, to_second)


@asynccontextmanager
async def working(settings: Settings) -> AsyncIterator[None]:
    """Runs the process `plaudit worker` of a site while the block runs."""
    stop = asyncio.Event()
    async with opened(settings, "worker", makes_ids=False, obeys_term=False) as state:
        running = asyncio.create_task(work(state, f"worker-{settings.port}", stop))
        try:
            yield
        finally:
            stop.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(30):
                    await running
