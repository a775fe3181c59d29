"""A rolling restart of all processes fails no request."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from tests.failures.faults.balancer import Balancer, balanced
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.deployment import Deployment, deployed
from tests.support.subscriptions import ApiAtAddress
from tests.support.system import SEEN

ROUNDS = 10
DRAIN = 1.0
READERS = 2
RESTARTING = 1012


@pytest.fixture(scope="module")
def rolling(stores: tuple[Postgres, Valkey], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Returns a deployment without running processes."""
    folder: Path = tmp_path_factory.mktemp("rolling")
    with deployed(folder, stores[0].url, stores[1].url, drain_seconds=DRAIN) as one:
        one.migrate()
        yield one


@dataclass
class Fleet:
    """Two APIs behind a balancer, and two workers."""

    deployment: Deployment
    balancer: Balancer
    apis: dict[int, Process]
    workers: list[Process]

    async def restart(self, history: History) -> None:
        """Restarts one process after the other. Waits each time until the new process works."""
        for port in self.apis:
            await _ended(self.apis[port])
            self.apis[port] = self.deployment.start_api(port=port)
            await self.ready(port)
            await history.grows(20)
        for number, worker in enumerate(self.workers):
            await _ended(worker)
            self.workers[number] = self.deployment.start_worker()
            await self.deployment.workers_started(self.workers[number])
            await history.grows(20)

    async def ready(self, *ports: int) -> None:
        """Returns when the balancer sends connections to all these ports."""
        async with asyncio.timeout(60):
            while not all(map(self.balancer.is_ready, ports)):
                await asyncio.sleep(0.02)


async def _ended(process: Process) -> None:
    os.kill(process.pid, signal.SIGTERM)
    async with asyncio.timeout(30):
        while process.running:
            await asyncio.sleep(0.02)
    assert process.end_reason in ("was ended by SIGTERM", "ended with exit code 0")


@asynccontextmanager
async def fleet(deployment: Deployment) -> AsyncIterator[Fleet]:
    """Starts a fleet."""
    ports = [free_port(), free_port()]
    async with balanced(ports) as balancer:
        deployment.url = f"http://127.0.0.1:{balancer.port}"
        deployment.urls = [deployment.url]
        apis = {port: deployment.start_api(port=port) for port in ports}
        one = Fleet(deployment, balancer, apis, [deployment.start_worker() for _ in range(2)])
        await one.ready(*ports)
        await deployment.workers_started(*one.workers)
        yield one


@dataclass
class Audience:
    """Clients that read, and one that watches and reconnects whenever its connection is closed."""

    api: ApiAtAddress
    target: str
    answers: int = 0
    failures: list[str] = field(default_factory=list)
    closed: list[int | None] = field(default_factory=list)
    """The close codes of the watcher's connections."""
    seen: int = -1
    """The last count that the watcher received."""

    async def read(self) -> None:
        """Sends requests, each of which must be answered."""
        anonymous = self.api.person(None)
        while True:
            try:
                answer = await anonymous.send(SEEN, id=self.target)
                if answer.status_code != 200 or "errors" in answer.json():
                    self.failures.append(answer.text)
            except httpx.TransportError as error:
                self.failures.append(repr(error))
            self.answers += 1
            await asyncio.sleep(0.02)

    async def watch(self) -> None:
        """Keeps the last count in `seen`."""
        while True:
            try:
                async with self.api.socket("watcher") as socket:
                    await socket.subscribe([self.target])
                    await socket.until(self._sees)
            except ConnectionClosed as closed:
                self.closed.append(closed.rcvd.code if closed.rcvd else None)
            except TimeoutError:
                continue  # a busy machine can take longer
            except (OSError, InvalidMessage) as error:
                self.failures.append(f"watching: {error!r}")

    def _sees(self, value: dict[str, int]) -> bool:
        self.seen = value["likeCount"]
        return False


@asynccontextmanager
async def audience(deployment: Deployment, name: str) -> AsyncIterator[Audience]:
    """Reads and watches an entity while the block runs."""
    async with httpx.AsyncClient(base_url=deployment.url, timeout=5, trust_env=False) as http:
        api = ApiAtAddress(http, deployment.settings)
        api.address = deployment.url.removeprefix("http://")
        (watched,) = await api.videos(f"{name}-watched")
        one = Audience(api, watched)
        tasks = [asyncio.create_task(one.read()) for _ in range(READERS)] + [asyncio.create_task(one.watch())]
        try:
            yield one
        finally:
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                assert isinstance(result, asyncio.CancelledError), result


async def round_of(fleet: Fleet, name: str) -> History:
    """Restarts all processes once under load. Checks that no request failed."""
    async with working(fleet.deployment, name, users=4) as history, audience(fleet.deployment, name) as audience_:
        await history.grows(40)
        await fleet.restart(history)
        await history.grows(40)
        await audience_.api.person(f"{name}_fan").like(audience_.target)
        async with asyncio.timeout(20):
            while audience_.seen != 1:
                await asyncio.sleep(0.02)
    assert audience_.failures == []
    assert audience_.answers > 100
    assert [user.client.repeated for user in history.users if user.client.repeated] == []
    assert audience_.closed
    assert set(audience_.closed) == {RESTARTING}
    return history


@pytest.mark.prove
@pytest.mark.timeout(180)
async def test_a_rolling_restart_fails_no_request(rolling: Deployment) -> None:
    async with fleet(rolling) as running:
        history = await round_of(running, "roll")

        await assert_consistent(rolling, history)


@pytest.mark.prove
async def test_an_api_stops_at_once_at_the_second_signal(stores: tuple[Postgres, Valkey], tmp_path: Path) -> None:
    with deployed(tmp_path, stores[0].url, stores[1].url, drain_seconds=3600) as patient:
        patient.migrate()
        api = patient.start_api()
        await patient.ready()
        async with httpx.AsyncClient(base_url=patient.url, trust_env=False) as http:
            os.kill(api.pid, signal.SIGTERM)
            async with asyncio.timeout(30):
                while (await http.get("/readyz")).status_code != 503:
                    await asyncio.sleep(0.02)

            await _ended(api)


@pytest.mark.prove
async def test_repeated_rolling_restarts_fail_no_request(rolling: Deployment) -> None:
    total = 0
    async with fleet(rolling) as running:
        for number in range(ROUNDS):
            history = await round_of(running, f"roll{number}")
            await assert_consistent(rolling, history)
            total += history.acknowledged
    print(f"{ROUNDS} rounds, {total} operations acknowledged, each at its first attempt")
