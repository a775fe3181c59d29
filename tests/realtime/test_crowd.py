"""Two hundred watch a thing that everybody likes, served by processes of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from websockets.asyncio.client import connect

import auth
from commands import likes
from context import Client, Context, Viewer
from loaders.shared import shared_loaders
from state import State, opened
from store.likes import Verb
from tests.conftest import PARTITIONS
from tests.faults.deployment import Deployment, deployed
from tests.realtime.clients import Socket
from transports.websocket import PROTOCOL

pytestmark = [pytest.mark.prove, pytest.mark.parametrize("redis_mode", ["standalone"])]

CROWD = 200
SECONDS = 8
REGISTER = """mutation { registerEntities(entities: [{business: "video", key: "hot"}]) {
    entities { id } userErrors { message } } }"""


@pytest.fixture
async def deployment(tmp_path: Path, database_url: str, redis_url: str) -> AsyncIterator[Deployment]:
    with deployed(tmp_path, database_url, redis_url, partitions=PARTITIONS) as one:
        one.start_api()
        await one.ready()
        await one.at_work(one.start_worker())
        yield one


async def registered(deployment: Deployment) -> str:
    token = auth.mint(deployment.settings, "registrar", scopes=["entities:write"])
    async with httpx.AsyncClient(base_url=deployment.url, trust_env=False) as http:
        headers = {"authorization": f"Bearer {token}"}
        response = await http.post("/graphql", json={"query": REGISTER}, headers=headers)
    entity: str = response.json()["data"]["registerEntities"]["entities"][0]["id"]
    return entity


@asynccontextmanager
async def watching(deployment: Deployment, video: str) -> AsyncIterator[list[Socket]]:
    """The crowd; every other one is signed in. All have heard the present value."""
    url = deployment.url.replace("http", "ws") + "/graphql"
    async with AsyncExitStack() as all_of_them:
        watchers = []
        for number in range(CROWD):
            connection = await all_of_them.enter_async_context(connect(url, subprotocols=[PROTOCOL], proxy=None))  # type: ignore[list-item]
            watcher = Socket(connection)
            token = f"Bearer {auth.mint(deployment.settings, f'fan{number % 20}')}"
            await watcher.init({"authorization": token} if number % 2 else {})
            await watcher.subscribe([video])
            await watcher.value()
            watchers.append(watcher)
        yield watchers


async def inject(state: State, video: str, first: int) -> tuple[int, float]:
    """Likes by new people through the script, one after the other. Returns how many, and for how long."""
    shared, clock = shared_loaders(state), asyncio.get_running_loop().time
    began, number = clock(), 0
    while clock() < began + SECONDS:
        number += 1
        fan = Viewer(10**18 + first + number, state.settings.jwt_issuer, frozenset(), None)
        await likes.react(Context(state, shared, fan, Client()), Verb.LIKE, video, None, None)
        await asyncio.sleep(0.01)
    return number, clock() - began


async def heard(watcher: Socket, counts: list[int]) -> None:
    while True:
        counts.append((await watcher.value())["likeCount"])


async def measured(deployment: Deployment, name: str) -> float:
    async with httpx.AsyncClient(base_url=deployment.url, trust_env=False) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


@pytest.mark.timeout(600)
async def test_each_of_a_crowd_hears_one_to_four_values_a_second_and_the_last_is_right(deployment: Deployment) -> None:
    video = await registered(deployment)

    async with opened(deployment.settings, "test") as state, watching(deployment, video) as watchers:
        counts: list[list[int]] = [[] for _ in watchers]
        listeners = [asyncio.create_task(heard(*both)) for both in zip(watchers, counts, strict=True)]
        liked, took = await inject(state, video, 0)
        during = [len(one) for one in counts]
        async with asyncio.timeout(60):
            while not all(one and one[-1] == liked for one in counts):
                await asyncio.sleep(0.05)
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)

    print(f"{liked} likes in {took:.1f} s; values: {min(during) / took:.2f} to {max(during) / took:.2f} a second")
    assert all(one == sorted(one) for one in counts), "counts only grew"
    assert min(during) >= took
    assert max(during) <= 4 * took + 1


@pytest.mark.timeout(600)
async def test_crowds_come_and_go_and_leave_nothing(deployment: Deployment) -> None:
    video = await registered(deployment)
    (api,) = [process for process in deployment._processes if process.command.log.name.startswith("api")]
    memory, descriptors = [], []

    for _ in range(6):
        async with watching(deployment, video):
            assert await measured(deployment, "plaudit_subscriptions{") == CROWD
        async with asyncio.timeout(30):
            while await measured(deployment, "plaudit_connections{"):
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        assert await measured(deployment, "plaudit_subscriptions{") == 0
        usage = psutil.Process(api.pid)
        memory.append(usage.memory_info().rss / 1e6)
        descriptors.append(usage.num_fds())

    print(f"MB: {[round(one, 1) for one in memory]}; descriptors: {descriptors}")
    assert memory[-1] - memory[1] < 5
    assert max(descriptors[1:]) - min(descriptors[1:]) <= 3, "stores' connections may come and go"
