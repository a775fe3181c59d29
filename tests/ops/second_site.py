"""The second of two sites in a scene: replicas of the stores of the scene, an API and a relay, behind networks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import ConnectionSettings
from tests.support.deployment import Deployment, deployed
from tests.support.fault_proxy import Proxy, proxied
from tests.support.replicas import replicate, standby_of

API, RELAY = ("plaudit-api", "site-2"), ("plaudit-worker", "site-2")
NOWHERE = ConnectionSettings(other_site="http://127.0.0.1:9")


class SecondSite(NamedTuple):
    """The processes of the second site, and its networks to Postgres, the state Redis and the API of the first."""

    deployment: Deployment
    networks: tuple[Proxy, ...]


@asynccontextmanager
async def second_site(
    folder: Path, postgres: Postgres, state: Valkey, api: int, ports: dict[tuple[str, str], int]
) -> AsyncIterator[SecondSite]:
    """Runs the second site while the block runs. `api` is the port of the API of the first site, and `ports` has the
    ports of the metrics of the second one.
    """
    folder.mkdir()
    async with AsyncExitStack() as stack:
        replica = stack.enter_context(Valkey(folder / "replica"))
        cache = stack.enter_context(Valkey(folder / "cache"))
        networks = [await stack.enter_async_context(proxied(port)) for port in (postgres.port, state.port, api)]
        standby = await standby_of(postgres, folder / "standby", networks[0].port, settings={}, durable=False)
        stack.callback(standby.stop)
        await asyncio.to_thread(replicate, replica, networks[1].port)
        other = ConnectionSettings(other_site=f"http://127.0.0.1:{networks[2].port}")
        chosen = {"cache_url": cache.url, "connections": other, "metrics_port": ports[API]}
        deployment = stack.enter_context(deployed(folder, standby.url, replica.url, **chosen))
        deployment.start_api()
        relay = deployment.start_worker(metrics_port=ports[RELAY])
        await deployment.ready()
        await deployment.workers_started(relay)
        yield SecondSite(deployment, tuple(networks))
