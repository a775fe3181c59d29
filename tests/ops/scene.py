"""A deployment under load that Prometheus watches, for tests that stop its processes and stores."""

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from tests.ops import second_site
from tests.ops.prometheus import RULES, Prometheus
from tests.ops.second_site import SecondSite
from tests.support.deployment import Deployment, deployed
from tests.support.posts import publish
from tests.support.subscriptions import ApiAtAddress

API, WORKERS = ("plaudit-api", "api-1"), (("plaudit-worker", "worker-1"), ("plaudit-worker", "worker-2"))
ENVIRONMENT = "staging"
UNKNOWN = "query ($handle: String!) { user(handle: $handle) { id } }"
"""A query whose answer no cache has."""


class Scene:
    """The processes of a deployment with one API and two workers, its stores, and a user of it."""

    deployment: Deployment
    api: Process
    workers: list[Process]
    http: httpx.AsyncClient
    video: str
    prometheus: Prometheus
    other: SecondSite | None = None
    """The second site, in an incident with two sites."""

    def __init__(self, postgres: Postgres, state: Valkey, cache: Valkey) -> None:
        self.postgres = postgres
        self.state = state
        self.cache = cache
        self.ports = {one: free_port() for one in (API, *WORKERS)}
        self.open = AsyncExitStack()
        """The contexts that stay open until the end of the test."""
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def client(self) -> ApiAtAddress:
        """Returns a client of the API."""
        client = ApiAtAddress(self.http, self.deployment.settings)
        client.address = self.deployment.url.removeprefix("http://")
        return client

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begins something that goes on until the end of the test."""
        self._tasks.append(asyncio.create_task(work))

    async def end(self) -> None:
        """Ends what was begun."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):  # connections may be broken by the incident
            await self.open.aclose()

    async def execute(self, statement: str, *, wait: bool = True) -> None:
        """Executes a statement in Postgres. Without `wait`, lets it go on."""
        connection = await asyncpg.connect(self.postgres.url)

        async def run() -> None:
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        await run() if wait else self.begin(run())

    async def work(self) -> None:
        """Sends reads and writes of some users, ten a second, until it is cancelled. Ignores their errors."""
        people = [self.client.person(f"user-{number}") for number in range(5)]
        for number in itertools.count():
            person = people[number % len(people)]
            with suppress(httpx.HTTPError, AssertionError, KeyError, TypeError, ValueError):
                await person.react("like" if number // 5 % 2 else "unlike", self.video)
                await person.ask(UNKNOWN, handle=f"nobody-{number}")
                if number % 10 == 0:
                    await publish(person, f"post {number}")
            await asyncio.sleep(0.2)


@asynccontextmanager
async def watched(folder: Path, every: int, rules: str = RULES, **settings: Any) -> AsyncIterator[Scene]:
    """Runs the deployment with these settings under load, and Prometheus, which asks every `every` seconds."""
    with ExitStack() as stack:
        scene = Scene(
            stack.enter_context(Postgres(folder / "postgres")),
            stack.enter_context(Valkey(folder / "state")),
            stack.enter_context(Valkey(folder / "cache")),
        )
        chosen = {"cache_url": scene.cache.url, "metrics_port": scene.ports[API], **settings}
        deployment = deployed(folder, scene.postgres.url, scene.state.url, **chosen)
        scene.deployment = stack.enter_context(deployment)
        scene.deployment.migrate()
        scene.api = scene.deployment.start_api()
        scene.workers = [scene.deployment.start_worker(metrics_port=scene.ports[worker]) for worker in WORKERS]
        await scene.deployment.ready()
        await scene.deployment.workers_started(*scene.workers)
        if "connections" in settings:  # which name another site
            more = {one: free_port() for one in (second_site.API, second_site.RELAY)}
            scene.ports |= more
            stores = scene.postgres, scene.state, scene.deployment.port
            scene.other = await scene.open.enter_async_context(
                second_site.second_site(folder / "second-site", *stores, more)
            )
        scene.prometheus = stack.enter_context(
            Prometheus(folder / "prometheus", scene.ports, every, rules, ENVIRONMENT)
        )
        async with httpx.AsyncClient(base_url=scene.deployment.url, timeout=10, trust_env=False) as scene.http:
            (scene.video,) = await scene.client.videos("v1")
            async with asyncio.timeout(60):
                while not await scene.prometheus.is_watching():
                    await asyncio.sleep(0.2)
            scene.begin(scene.work())
            try:
                yield scene
            finally:
                await scene.end()


def kill(*processes: Process) -> None:
    """Kills processes with SIGKILL."""
    for process in processes:
        os.kill(process.pid, signal.SIGKILL)
