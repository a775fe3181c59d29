"""docs/operate/request-costs.md has the counts that this test measures: round trips, Redis commands, SQL statements."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from observability import metrics
from settings import Settings
from tests.support import comments, follows, saves
from tests.support.posts import publish, published
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone

PAGE = Path(__file__).parents[2] / "docs" / "operate" / "request-costs.md"
ENTITY = '{ entity(business: "video", key: "v0") { id title likeCount viewerReaction owner { handle } } }'
SQUARE = """{ square(first: 20) { nodes { id text likeCount viewerReaction topics { name } author { handle } }
  pageInfo { endCursor } } }"""
HOME = SQUARE.replace("square(", "viewer { home(").rstrip() + " }"
THREAD = """{ entity(business: "video", key: "v0") { comments(first: 20) { nodes { id text likeCount viewerReaction
  author { handle } } } } }"""
NOTIFICATIONS = """{ viewer { unreadNotificationCount notifications(first: 20) { nodes {
  kind message read actors { handle } } } } }"""
QUERIES = {
    "an entity with its owner": ENTITY,
    "home, 20 posts": HOME,
    "the square, 20 posts": SQUARE,
    "the comments of an entity": THREAD,
    "notifications": NOTIFICATIONS,
}
BATCH = 50
"""The number of writes whose storing is measured together."""
Cost = tuple[int, int, int]
"""Round trips to Redis, commands that Redis executed (those of scripts included), and SQL statements."""


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=60, pending_seconds=100)) as system:
        yield system


async def commands(system: System) -> int:
    stats = await system.state.redis.client.info("commandstats")
    return sum(one["calls"] for name, one in stats.items() if not name.startswith("cmdstat_info"))


async def cost(system: System, work: Callable[[], Awaitable[object]]) -> Cost:
    """Returns the cost of some work of this process."""
    before, usage = await commands(system), metrics.Usage()
    token = metrics.usage.set(usage)
    await work()
    metrics.usage.reset(token)
    return usage.redis_round_trips, await commands(system) - before, usage.sql_queries


async def request_cost(system: System, request: Callable[[], Awaitable[object]]) -> Cost:
    before = await commands(system)
    await request()
    usage = metrics.usage.get()
    assert usage
    return usage.redis_round_trips, await commands(system) - before, usage.sql_queries


async def stored(system: System) -> Cost:
    """Returns what the worker needs for what waits in the journals, beyond what it needs for empty journals."""
    working, idle = await cost(system, system.drain), await cost(system, system.drain)
    return tuple(max(0, work - rest) for work, rest in zip(working, idle, strict=True))  # type: ignore[return-value]


def writes(alice: Person, people: list[str], videos: list[str]) -> dict[str, Callable[[int], Awaitable[Any]]]:
    """Returns writes by the name of their row. Each takes a number that no write of its kind has had."""
    return {
        "a like": lambda n: alice.like(videos[n]),
        "a save": lambda n: saves.save(alice, videos[n]),
        "a follow": lambda n: follows.follow(alice, people[n]),
        "a comment": lambda n: comments.added(alice, videos[n], f"comment {n}"),
        "a post without followers": lambda n: publish(alice, f"post {n}"),
    }


async def scene(system: System) -> tuple[Person, list[str], list[str]]:
    """Makes people, videos, comments, posts and notifications. Returns a viewer, ids of people, and ids of videos."""
    alice, bob = system.person("alice"), system.person("bob")
    videos = await system.videos(*(f"v{n}" for n in range(2 * BATCH)), owner="alice")
    people = await follows.registered(system, *(f"p{n}" for n in range(2 * BATCH)))
    await follows.follow_people(alice, bob)
    await published(bob, *(f"text {n}" for n in range(20)))
    for n in range(20):
        await comments.added(bob, videos[0], f"said {n}")
    await bob.like(videos[0])
    await system.drain()
    return alice, people, videos


async def measured(system: System) -> AsyncIterator[tuple[str, list[float]]]:
    """Yields the name of each row of the page, and its counts."""
    alice, people, videos = await scene(system)
    for name, query in QUERIES.items():
        for _ in range(3):  # the first requests fill caches, and plan the query
            await alice.ask(query)
        # One of the two may also reserve a budget.
        yield name, [*min([await request_cost(system, partial(alice.ask, query)) for _ in range(2)])]
    for name, write in writes(alice, people, videos).items():
        for n in (0, 1):
            await write(n)
            await system.drain()
        counts: list[float] = [*await request_cost(system, partial(write, 2)), *await stored(system)]
        for n in range(3, 3 + BATCH):
            await write(n)
        yield name, counts + [round(one / BATCH, 1) for one in await stored(system)]


def shown() -> dict[str, list[float]]:
    """Returns the counts of the page, by the name of their row."""
    cells = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return {name: [*map(float, counts)] for name, *counts in cells if counts[0].isdecimal()}


async def test_the_page_has_the_measured_counts(system: System) -> None:
    """Reservations of budgets and renewals of cached lists add some commands to some requests."""
    page = shown()
    found = {name: counts async for name, counts in measured(system)}

    assert found.keys() == page.keys()
    for name, counts in found.items():
        assert counts == pytest.approx(page[name], rel=0.25, abs=2), name
