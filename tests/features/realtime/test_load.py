"""Many subscribed connections under load: few with an API in this process, and two hundred with a deployed API."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import pytest_asyncio

from settings import Settings
from state import opened
from store.realtime.events import Events
from tests.features.realtime.loaded_api import LoadedApi, Subscriber
from tests.support.deployment import Deployment, deployed
from tests.support.follows import follow_people, id_of
from tests.support.notifications import RECEIVE, page
from tests.support.stores import PARTITIONS
from tests.support.subscriptions import HOME_POST_ADDED, WATCH, ApiAtAddress, serving
from tests.support.system import LENIENT, LIMITLESS
from tests.support.workers import ready, working

pytestmark = [pytest.mark.timeout(600), pytest.mark.parametrize("redis_mode", ["standalone"])]

ROUNDS = 60
"""The number of repetitions."""
WARM = 40
"""The number of first repetitions, which fill caches and open the connections of the pools."""
OPEN = {"moderation": LENIENT, "limits": LIMITLESS}


@asynccontextmanager
async def in_this_process(make_settings: Callable[..., Settings]) -> AsyncIterator[LoadedApi]:
    async with serving(make_settings(port=0, **OPEN)) as live, working(await ready(live)):
        yield LoadedApi(live, live.state, connections=24, seconds=1, least_rate=0)


@asynccontextmanager
async def in_a_deployment(deployment: Deployment) -> AsyncIterator[LoadedApi]:
    deployment.start_api()
    await deployment.ready()
    await deployment.workers_started(deployment.start_worker())
    async with (
        httpx.AsyncClient(base_url=deployment.url, timeout=30, trust_env=False) as http,
        opened(deployment.settings, "test") as state,
    ):
        api = ApiAtAddress(http, deployment.settings)
        api.address = deployment.url.removeprefix("http://")
        yield LoadedApi(api, state, connections=200, seconds=8, least_rate=1)


@pytest.fixture
def deployment(tmp_path: Path, database_url: str, redis_url: str) -> Iterator[Deployment]:
    with deployed(tmp_path, database_url, redis_url, partitions=PARTITIONS, **OPEN) as deployment:
        yield deployment


@pytest_asyncio.fixture(params=["in this process", pytest.param("deployed", marks=pytest.mark.prove)])
async def loaded(
    request: pytest.FixtureRequest, make_settings: Callable[..., Settings], deployment: Deployment
) -> AsyncIterator[LoadedApi]:
    is_local = request.param == "in this process"
    async with in_this_process(make_settings) if is_local else in_a_deployment(deployment) as loaded:
        yield loaded


def rates(received: list[int], took: float) -> tuple[float, float]:
    """Returns the lowest and the highest number of values per second of all connections."""
    found = min(received) / took, max(received) / took
    print(f"{len(received)} received {found[0]:.2f} to {found[1]:.2f} values a second")
    return found


def check_rates(loaded: LoadedApi, received: list[int], took: float) -> None:
    slowest, fastest = rates(received, took)
    assert slowest >= loaded.least_rate
    assert fastest <= 4 + 1 / took


async def test_each_watcher_receives_one_to_four_values_a_second_and_the_last_one_is_right(loaded: LoadedApi) -> None:
    (video,) = await loaded.api.videos("hot")
    handles = [f"subscriber{number % 20}" if number % 2 else None for number in range(loaded.connections)]

    async with loaded.watching(WATCH, handles, ids=[video]) as subscribers:
        liked, took = await loaded.repeat(loaded.liking(video))
        during = [len(subscriber.received) for subscriber in subscribers]
        await loaded.until(lambda: all_of(subscribers, lambda last: last["likeCount"] == liked))

    check_rates(loaded, during, took)
    for subscriber in subscribers:
        counts = [value["likeCount"] for value in subscriber.received]
        assert counts == sorted(counts)


async def test_a_popular_user_is_notified_on_the_greatest_number_of_connections(loaded: LoadedApi) -> None:
    videos = await loaded.api.videos("v1", "v2", "v3", owner="star")
    most = loaded.api.settings.connections.streaming_per_user

    async with loaded.watching(RECEIVE, ["star"] * most) as subscribers:
        liked, took = await loaded.repeat(loaded.liking(*videos))
        during = [len(subscriber.received) for subscriber in subscribers]
        async with loaded.api.raw() as one_more:
            await one_more.send(type="connection_init", payload={"authorization": loaded.api.token("star")})
            refusal = await one_more.closed()
        async with loaded.api.socket("another user"):
            pass
        await loaded.until(lambda: all_delivered(loaded, liked))
        newest = (await page(loaded.api.person("star"))).nodes[0]
        await loaded.until(
            lambda: all_of(subscribers, lambda last: shown(last) == (newest["id"], newest["actorCount"], 3))
        )

    check_rates(loaded, during, took)
    assert refusal == (1013, "There are too many connections.")


async def last_received(subscribers: list[Subscriber], expected: list[tuple[int, int]]) -> bool:
    """Returns whether the last event of each connection has these numbers of actors and unread notifications."""
    return all(
        subscriber.received and shown(subscriber.received[-1])[1:] == one
        for subscriber, one in zip(subscribers, expected, strict=True)
    )


async def all_delivered(loaded: LoadedApi, liked: int) -> bool:
    """Returns whether the three notifications include all likes."""
    now = await page(loaded.api.person("star"))
    return sum(node["actorCount"] for node in now.nodes) == liked and now.unread == len(now.nodes) == 3


def shown(event: Any) -> tuple[str, int, int]:
    """Returns id, number of actors and number of unread notifications of an event."""
    node = event["edge"]["node"]
    return node["id"], node["actorCount"], event["viewer"]["unreadNotificationCount"]


async def test_each_of_many_users_receives_only_their_own_notifications(loaded: LoadedApi) -> None:
    owners = [f"owner{number}" for number in range(loaded.connections)]
    videos = [(await loaded.api.videos(f"of-{owner}", owner=owner))[0] for owner in owners]

    async with loaded.watching(RECEIVE, owners) as subscribers:
        liked, took = await loaded.repeat(loaded.liking(*videos), pause=0, least=len(videos))
        during = [len(subscriber.received) for subscriber in subscribers]
        shares = [len(range(at, liked, len(videos))) for at in range(len(videos))]
        expected = [(share, 1) for share in shares]
        await loaded.until(lambda: last_received(subscribers, expected))

    assert rates(during, took)[1] <= 4 + 1 / took
    for subscriber in subscribers:
        counts = [shown(event)[1] for event in subscriber.received]
        assert counts == sorted(set(counts)), "each event has more actors than the one before"
        assert len({shown(event)[0] for event in subscriber.received}) == 1


async def test_each_of_many_followers_receives_every_post_once_and_in_order(loaded: LoadedApi) -> None:
    star, handles = loaded.api.person("star"), [f"subscriber{number}" for number in range(loaded.connections)]
    for handle in handles:
        await follow_people(loaded.api.person(handle), star)
    post = loaded.posting(await id_of(star))

    async with loaded.watching(HOME_POST_ADDED, handles) as subscribers:
        first_posts = 0
        while not all(
            subscriber.received for subscriber in subscribers
        ):  # a subscriber gets the posts after its first look at home
            await post(first_posts)
            first_posts += 1
            await asyncio.sleep(0.5)
        more, _ = await loaded.repeat(lambda number: post(first_posts + number), pause=0.5)
        texts = [f"post {number}" for number in range(first_posts + more)]
        await loaded.until(lambda: all_of(subscribers, lambda last: last["node"]["text"] == texts[-1]))

    for subscriber in subscribers:
        received = [value["node"]["text"] for value in subscriber.received]
        assert received == texts[-len(received) :]
        assert len(received) > more


async def all_of(subscribers: list[Subscriber], right: Callable[[Any], bool]) -> bool:
    """Returns whether the last value of each connection is right."""
    return all(subscriber.received and right(subscriber.received[-1]) for subscriber in subscribers)


SUBSCRIPTIONS = {"reactableChanged": WATCH, "notificationReceived": RECEIVE, "homePostAdded": HOME_POST_ADDED}


@asynccontextmanager
async def many_watching(loaded: LoadedApi, name: str, video: str) -> AsyncIterator[None]:
    """Subscribes all connections while the block runs, each as another user."""
    variables = {"ids": [video]} if name == "reactableChanged" else {}
    handles = [f"subscriber{number}" for number in range(loaded.connections)]
    async with loaded.watching(SUBSCRIPTIONS[name], handles, **variables):
        yield


@pytest.mark.prove
@pytest.mark.parametrize("name", SUBSCRIPTIONS)
async def test_closed_connections_leave_no_task(make_settings: Callable[..., Settings], name: str) -> None:
    async with in_this_process(make_settings) as loaded:
        (video,) = await loaded.api.videos("hot")
        before = len(asyncio.all_tasks())  # the number of the application's own tasks changes a little

        async def none_is_left() -> bool:
            gc.collect()
            return len(asyncio.all_tasks()) < before + loaded.connections / 2

        for number in range(2):
            async with many_watching(loaded, name, video):
                await loaded.liking(video)(number)
                assert not await none_is_left()
            await loaded.all_closed()
            await loaded.until(lambda: not_subscribed(loaded.state.events))
            await loaded.until(none_is_left)


async def not_subscribed(events: Events) -> bool:
    """Returns whether the process has no subscription in Redis."""
    return events.channels == 0 and all(one.is_idle for one in events._subscribers.values())


@pytest.mark.prove
@pytest.mark.parametrize("name", SUBSCRIPTIONS)
async def test_repeated_load_leaves_no_memory_or_descriptors(deployment: Deployment, name: str) -> None:
    memory: list[float] = []
    descriptors: list[int] = []

    async with in_a_deployment(deployment) as loaded:
        (api,) = [process for process in deployment._processes if process.command.log.name.startswith("api")]
        (video,) = await loaded.api.videos("hot")
        for _ in range(ROUNDS):
            async with many_watching(loaded, name, video):
                await loaded.liking(video)(len(memory))
            await loaded.all_closed()
            await asyncio.sleep(0.5)
            usage = psutil.Process(api.pid)
            memory.append(usage.memory_info().rss / 1e6)
            descriptors.append(usage.num_fds())

    print(f"MB: {[round(one, 1) for one in memory]}; descriptors: {descriptors}")
    steps = sorted(later - earlier for earlier, later in pairwise(memory[WARM:]))
    assert sum(steps[:-1]) < 5  # one step is memory before a garbage collection
    assert max(descriptors[WARM:]) - min(descriptors[WARM:]) <= 3, "the number of connections to the stores changes"
