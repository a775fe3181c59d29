"""Crowds that watch what happens often: a few in this process, and two hundred before processes of their own."""

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
from tests.features.realtime.crowd import Fan, Stand
from tests.support.deployment import Deployment, deployed
from tests.support.follows import follow_people, id_of
from tests.support.notifications import RECEIVE, page
from tests.support.stores import PARTITIONS
from tests.support.subscriptions import HOME_POST_ADDED, WATCH, ApiAtAddress, serving
from tests.support.system import LENIENT, LIMITLESS
from tests.support.workers import ready, working

pytestmark = [pytest.mark.timeout(600), pytest.mark.parametrize("redis_mode", ["standalone"])]

ROUNDS = 60
"""Of crowds; what memory a process takes for the first twenty it keeps for the others."""
OPEN = {"moderation": LENIENT, "limits": LIMITLESS}


@asynccontextmanager
async def here(make_settings: Callable[..., Settings]) -> AsyncIterator[Stand]:
    async with serving(make_settings(port=0, **OPEN)) as live, working(await ready(live)):
        yield Stand(live, live.state, crowd=24, seconds=1, pace=0)


@asynccontextmanager
async def before(deployment: Deployment) -> AsyncIterator[Stand]:
    deployment.start_api()
    await deployment.ready()
    await deployment.workers_started(deployment.start_worker())
    async with (
        httpx.AsyncClient(base_url=deployment.url, timeout=30, trust_env=False) as http,
        opened(deployment.settings, "test") as state,
    ):
        api = ApiAtAddress(http, deployment.settings)
        api.address = deployment.url.removeprefix("http://")
        yield Stand(api, state, crowd=200, seconds=8, pace=1)


@pytest.fixture
def deployment(tmp_path: Path, database_url: str, redis_url: str) -> Iterator[Deployment]:
    with deployed(tmp_path, database_url, redis_url, partitions=PARTITIONS, **OPEN) as one:
        yield one


@pytest_asyncio.fixture(params=["here", pytest.param("deployed", marks=pytest.mark.prove)])
async def stand(
    request: pytest.FixtureRequest, make_settings: Callable[..., Settings], deployment: Deployment
) -> AsyncIterator[Stand]:
    async with here(make_settings) if request.param == "here" else before(deployment) as one:
        yield one


def rates(heard: list[int], took: float) -> tuple[float, float]:
    """How many values a second those heard who heard the fewest, and the most."""
    found = min(heard) / took, max(heard) / took
    print(f"{len(heard)} heard {found[0]:.2f} to {found[1]:.2f} values a second")
    return found


def check_paced(stand: Stand, heard: list[int], took: float) -> None:
    slowest, fastest = rates(heard, took)
    assert slowest >= stand.pace
    assert fastest <= 4 + 1 / took


async def test_each_of_a_crowd_hears_one_to_four_values_a_second_and_the_last_is_right(stand: Stand) -> None:
    (video,) = await stand.api.videos("hot")
    handles = [f"fan{number % 20}" if number % 2 else None for number in range(stand.crowd)]

    async with stand.watching(WATCH, handles, ids=[video]) as fans:
        liked, took = await stand.happening(stand.liking(video))
        during = [len(fan.heard) for fan in fans]
        await stand.until(lambda: all_of(fans, lambda last: last["likeCount"] == liked))

    check_paced(stand, during, took)
    for fan in fans:
        counts = [value["likeCount"] for value in fan.heard]
        assert counts == sorted(counts)


async def test_a_popular_user_hears_of_a_flood_on_as_many_connections_as_one_may_have(stand: Stand) -> None:
    videos = await stand.api.videos("v1", "v2", "v3", owner="star")
    most = stand.api.settings.streaming_connections_per_user

    async with stand.watching(RECEIVE, ["star"] * most) as fans:
        liked, took = await stand.happening(stand.liking(*videos))
        during = [len(fan.heard) for fan in fans]
        async with stand.api.raw() as one_more:
            await one_more.send(type="connection_init", payload={"authorization": stand.api.token("star")})
            refusal = await one_more.closed()
        async with stand.api.socket("somebody else"):
            pass
        await stand.until(lambda: told(stand, liked))
        newest = (await page(stand.api.person("star"))).nodes[0]
        await stand.until(lambda: all_of(fans, lambda last: shown(last) == (newest["id"], newest["actorCount"], 3)))

    check_paced(stand, during, took)
    assert refusal == (1013, "There are too many connections.")


async def told_last(fans: list[Fan], wanted: list[tuple[int, int]]) -> bool:
    """Whether the last that each was told is of so many people, and so many unread."""
    return all(fan.heard and shown(fan.heard[-1])[1:] == one for fan, one in zip(fans, wanted, strict=True))


async def told(stand: Stand, liked: int) -> bool:
    """Whether all likes have been told, of three things."""
    now = await page(stand.api.person("star"))
    return sum(node["actorCount"] for node in now.nodes) == liked and now.unread == len(now.nodes) == 3


def shown(event: Any) -> tuple[str, int, int]:
    """A notificationReceived: which, of how many people, and how many are unread."""
    node = event["edge"]["node"]
    return node["id"], node["actorCount"], event["viewer"]["unreadNotificationCount"]


async def test_each_of_many_users_hears_of_what_happens_to_them_alone(stand: Stand) -> None:
    owners = [f"owner{number}" for number in range(stand.crowd)]
    videos = [(await stand.api.videos(f"of-{owner}", owner=owner))[0] for owner in owners]

    async with stand.watching(RECEIVE, owners) as fans:
        liked, took = await stand.happening(stand.liking(*videos), pause=0)
        during = [len(fan.heard) for fan in fans]
        shares = [len(range(at, liked, len(videos))) for at in range(len(videos))]
        assert min(shares) > 0
        wanted = [(share, 1) for share in shares]
        await stand.until(lambda: told_last(fans, wanted))

    assert rates(during, took)[1] <= 4 + 1 / took
    for fan in fans:
        counts = [shown(event)[1] for event in fan.heard]
        assert counts == sorted(set(counts)), "each event tells more than the one before"
        assert len({shown(event)[0] for event in fan.heard}) == 1


async def test_each_of_many_followers_is_told_of_every_post_once_and_in_order(stand: Stand) -> None:
    star, handles = stand.api.person("star"), [f"fan{number}" for number in range(stand.crowd)]
    for handle in handles:
        await follow_people(stand.api.person(handle), star)
    post = stand.posting(await id_of(star))

    async with stand.watching(HOME_POST_ADDED, handles) as fans:
        begun = 0
        while not all(fan.heard for fan in fans):  # whoever subscribes is told of what comes after they have looked
            await post(begun)
            begun += 1
            await asyncio.sleep(0.5)
        more, _ = await stand.happening(lambda number: post(begun + number), pause=0.5)
        texts = [f"post {number}" for number in range(begun + more)]
        await stand.until(lambda: all_of(fans, lambda last: last["node"]["text"] == texts[-1]))

    for fan in fans:
        heard = [value["node"]["text"] for value in fan.heard]
        assert heard == texts[-len(heard) :]
        assert len(heard) > more


async def all_of(fans: list[Fan], right: Callable[[Any], bool]) -> bool:
    """Whether the last value that each has heard is right."""
    return all(fan.heard and right(fan.heard[-1]) for fan in fans)


SCENES = {"reactableChanged": WATCH, "notificationReceived": RECEIVE, "homePostAdded": HOME_POST_ADDED}


@asynccontextmanager
async def crowded(stand: Stand, name: str, video: str) -> AsyncIterator[None]:
    """A crowd that watches, each their own where it is about them, while some things happen."""
    variables = {"ids": [video]} if name == "reactableChanged" else {}
    handles = [f"fan{number}" for number in range(stand.crowd)]
    async with stand.watching(SCENES[name], handles, **variables):
        yield


@pytest.mark.parametrize("name", SCENES)
async def test_a_crowd_leaves_no_task_behind(make_settings: Callable[..., Settings], name: str) -> None:
    async with here(make_settings) as stand:
        (video,) = await stand.api.videos("hot")
        tasks = []
        for number in range(2):
            async with crowded(stand, name, video):
                await stand.liking(video)(number)
                assert len(asyncio.all_tasks()) > stand.crowd
            await stand.empty()
            await stand.until(lambda: unheard(stand.state.events))
            gc.collect()
            tasks.append(len(asyncio.all_tasks()))

    assert tasks[1] - tasks[0] < stand.crowd / 2, "the application's own may come and go"


async def unheard(events: Events) -> bool:
    """Whether nobody listens to Redis."""
    return events.channels == 0 and all(one.is_idle for one in events._subscribers.values())


@pytest.mark.prove
@pytest.mark.parametrize("name", SCENES)
async def test_crowds_come_and_go_and_leave_nothing(deployment: Deployment, name: str) -> None:
    memory: list[float] = []
    descriptors: list[int] = []

    async with before(deployment) as stand:
        (api,) = [process for process in deployment._processes if process.command.log.name.startswith("api")]
        (video,) = await stand.api.videos("hot")
        for _ in range(ROUNDS):
            async with crowded(stand, name, video):
                await stand.liking(video)(len(memory))
            await stand.empty()
            await asyncio.sleep(0.5)
            usage = psutil.Process(api.pid)
            memory.append(usage.memory_info().rss / 1e6)
            descriptors.append(usage.num_fds())

    print(f"MB: {[round(one, 1) for one in memory]}; descriptors: {descriptors}")
    steps = sorted(later - earlier for earlier, later in pairwise(memory[ROUNDS // 2 :]))
    assert sum(steps[:-1]) < 5  # one step, of up to 8, is what waits for the garbage collector
    assert max(descriptors[1:]) - min(descriptors[1:]) <= 3, "stores' connections may come and go"
