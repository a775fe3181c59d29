"""The cost of timelines: round trips to Redis, each with all its commands, queries to Postgres, and asyncio tasks."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from typing import Any, cast

import pytest
import pytest_asyncio
from sqlalchemy import text

from settings import Settings
from store import keys
from tests.support.costs import cost
from tests.support.follows import follow_people
from tests.support.posts import publish, published
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

PAGE = """query ($first: Int!, $after: String) { viewer { home(first: $first, after: $after) { edges { cursor node {
  id text createdAt editedAt likeCount dislikeCount viewCount shareCount viewerReaction
  actionCount(action: "opens")
  topics { name postCount } images { url alt }
  author { handle displayName avatarUrl } } } pageInfo { hasNextPage endCursor } } } }"""
_BIG_ACCOUNTS = text("""
    INSERT INTO outboxes (author_id, post_id, moment, state, pushed)
    SELECT n, n, n, 1, false FROM generate_series(1, :authors) AS n
""")
SQUARE = """query ($first: Int!, $after: String) { square(first: $first, after: $after) { nodes {
  id text likeCount viewerReaction topics { name } author { handle } } pageInfo { endCursor } } }"""


async def community(system: System) -> Person:
    """Returns a user who follows ten authors of five posts each."""
    alice = system.person("alice")
    writers = [system.person(f"w{i}") for i in range(10)]
    await follow_people(alice, *writers)
    for n in range(5):
        for writer in writers:
            await publish(writer, f"{writer.handle} {n}", f"topic{n}", "all")
    await published(alice, "mine")
    await system.drain()
    return alice


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose local copies live as long as a test."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=60, pending_seconds=100)) as system:
        yield system


@pytest.mark.parametrize("pending", [False, True], ids=["nothing pending", "pending"])
async def test_a_warm_home_page_costs_three_round_trips_and_no_query(system: System, pending: bool) -> None:
    alice = await community(system)
    if pending:
        await published(alice, "just now")
    page = await alice.ask(PAGE, first=20)
    assert len(page["viewer"]["home"]["edges"]) == 20
    cursor = page["viewer"]["home"]["pageInfo"]["endCursor"]
    await alice.ask(PAGE, first=20, after=cursor)

    assert await cost(alice, PAGE, first=20) == (3, 0)
    assert await cost(alice, PAGE, first=20, after=cursor) == (3, 0)


@standalone
async def test_a_warm_home_page_starts_only_the_tasks_that_must_run_concurrently(system: System) -> None:
    """The tasks run round trips, loaders, sources of posts and fields beside the author, without those of budgets."""
    alice = await community(system)
    await alice.ask(PAGE, first=20)
    started: Counter[str] = Counter()
    loop, asking = asyncio.get_running_loop(), ContextVar("asking", default=False)

    def counted(_: object, coroutine: Any, **options: Any) -> Any:
        started[coroutine.__name__] += asking.get()  # periodic tasks of the process do not count
        return asyncio.Task(coroutine, loop=loop, **options)

    asking.set(True)
    loop.set_task_factory(cast("Any", counted))
    try:
        await alice.ask(PAGE, first=20)
    finally:
        loop.set_task_factory(None)

    budgets = {"_serve", "_granted"}
    assert {name: times for name, times in started.items() if times and name not in budgets} == {
        "_send": 5,
        "_send_to_one": 3,
        "_awaited": 1,
        "loading": 2,
        **dict.fromkeys(("_from_inbox", "_from_big_accounts", "_written", "just_now"), 1),
    }


async def test_a_backward_home_page_costs_what_a_page_costs_and_the_count_of_new_posts_one_round_trip(
    system: System,
) -> None:
    alice = await community(system)
    page = (await alice.ask(PAGE, first=30))["viewer"]["home"]["edges"]
    before = page[20]["cursor"]
    query = PAGE.replace("$first: Int!, $after", "$last: Int!, $before")
    query = query.replace("first: $first, after: $after", "last: $last, before: $before")
    answer = (await alice.ask(query, last=20, before=before))["viewer"]["home"]["edges"]
    assert [edge["node"] for edge in answer] == [edge["node"] for edge in page[:20]]

    assert await cost(alice, query, last=20, before=before) == (3, 0)
    count = "query ($since: String!) { viewer { homeNewCount(since: $since) } }"
    assert (await alice.ask(count, since=before))["viewer"]["homeNewCount"] == 19  # one of the posts is alice's own
    assert await cost(alice, count, since=before) == (1, 0)


@pytest.mark.parametrize("signed_in", [True, False], ids=["signed in", "anonymous"])
async def test_a_warm_page_of_the_square_costs_three_round_trips_and_no_query(system: System, signed_in: bool) -> None:
    reader = await community(system) if signed_in else (await community(system), system.person(None))[1]
    await reader.ask(SQUARE, first=20)

    assert await cost(reader, SQUARE, first=20) == (3, 0)


@standalone
@pytest.mark.parametrize("count", [2, 20])
async def test_a_cold_home_page_of_any_length_costs_nine_queries(system: System, count: int) -> None:
    """The queries read inbox, big accounts, own posts; posts, boundaries, followed users; authors, counters, likes."""
    alice = await community(system)
    await system.empty_redis()

    _, queries = await cost(alice, PAGE, first=count)

    assert queries == 9
    assert await cost(alice, PAGE, first=count) == (3, 0)


@standalone
async def test_a_home_page_does_not_send_the_ids_of_big_accounts_that_the_viewer_does_not_follow(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as system:
        alice = await community(system)
        await bytes_sent(system, alice)  # everything is warm now
        before = await bytes_sent(system, alice)
        async with system.state.postgres.transaction() as transaction:
            await transaction.execute(_BIG_ACCOUNTS, authors=3000)
        await system.state.cache.redis("DEL", keys.pulled(), write=True)
        await bytes_sent(system, alice)

        assert abs(await bytes_sent(system, alice) - before) < 500


async def bytes_sent(system: System, viewer: Person) -> int:
    """Returns how many bytes of commands Redis receives for one page."""
    before = await bytes_received(system)
    await viewer.ask(PAGE, first=20)
    return await bytes_received(system) - before


async def bytes_received(system: System) -> int:
    stats: bytes = await system.state.redis("INFO", "stats")
    return int(stats.partition(b"total_net_input_bytes:")[2].split()[0])
