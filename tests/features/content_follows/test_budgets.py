"""The cost of followed topics: round trips, commands and queries of pages."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from settings import Settings
from store.redis.connection import OneServer
from tests.support.content_follows import follow_topics, show_topics_in_home, unfollow_topics
from tests.support.costs import cost
from tests.support.follows import follow_people
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone

SHOWN = """edges { homeReason { topic { name } } node { id text likeCount viewerReaction author { handle }
  topics { name } } } pageInfo { endCursor }"""
HOME = f"{{ viewer {{ home(first: 20) {{ {SHOWN} }} }} }}"
FEED = f"{{ viewer {{ followedTopicsFeed(first: 20) {{ {SHOWN} }} }} }}"
LISTS = "{ viewer { topicsInHome followedTopics { nodes { name viewerFollows } } } }"
POSTS = "{ square { nodes { topics { name viewerFollows followerCount } } } }"
TOPICS = [f"t{number}" for number in range(30)]


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose local copies live as long as a test."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=60, pending_seconds=100)) as one:
        yield one


async def community(system: System) -> Person:
    """Returns alice, who follows ann. Ann and bob have published posts, those of bob with topics."""
    alice, ann, bob = map(system.person, ("alice", "ann", "bob"))
    await follow_people(alice, ann)
    await alice.ask(HOME)
    for number, name in enumerate(TOPICS):
        await publish(bob, f"bob {number}", name)
        await publish(ann, f"ann {number}")
    await system.drain()
    return alice


async def commands(person: Person, query: str) -> list[str]:
    """Returns the commands of the last of a few requests, without those that renew leases and budgets."""
    sent: list[str] = []
    send = OneServer.send

    async def noted(server: OneServer, some: Any, *args: object, **options: object) -> object:
        sent.extend(str(command[0]) for command in some)
        return await send(server, some, *args, **options)  # type: ignore[arg-type]

    for _ in range(3):
        await person.ask(query)
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(OneServer, "send", noted)
        await person.ask(query)
    return sorted(sent)


@pytest.mark.parametrize("case", ["off", "without topics"])
async def test_home_costs_nothing_more_without_topics(system: System, case: str) -> None:
    alice = await community(system)
    without = await commands(alice, HOME)
    trips = await cost(alice, HOME)
    if case == "off":
        await follow_topics(alice, *TOPICS)
    else:
        await show_topics_in_home(alice)
    await system.drain()
    await alice.ask(HOME)

    assert await commands(alice, HOME) == without
    assert await cost(alice, HOME) == trips == (3, 0)


@pytest.mark.parametrize(("count", "shown", "home", "feed"), [(5, 2, 5, 4), (30, 4, 6, 5)])
async def test_timelines_of_topics_have_a_budget(system: System, count: int, shown: int, home: int, feed: int) -> None:
    alice = await community(system)
    await follow_topics(alice, *TOPICS[-count:])
    await show_topics_in_home(alice)
    await system.drain()
    for query in (HOME, FEED) * 4:
        await alice.ask(query)

    page = (await alice.ask(HOME))["viewer"]["home"]["edges"]
    assert sum(edge["homeReason"] is not None for edge in page) == shown
    assert len(page) == 20
    assert await cost(alice, HOME) == (home, 0)
    assert await cost(alice, FEED) == (feed, 0)


async def test_lists_and_states_of_follows_cost_one_round_trip_or_none(system: System) -> None:
    alice = await community(system)
    await follow_topics(alice, *TOPICS)
    await system.drain()
    for query in (LISTS, POSTS):
        await alice.ask(query)
    assert await cost(alice, LISTS) == (1, 0)
    without = await cost(alice, POSTS.replace("viewerFollows followerCount", "postCount"))
    assert await cost(alice, POSTS) == without
    await unfollow_topics(alice, *TOPICS)
    assert await cost(alice, POSTS) == without
