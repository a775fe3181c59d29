"""The cost of comment lists: round trips to Redis, each with all its commands, and queries to Postgres."""

from collections.abc import AsyncIterator, Callable
from itertools import product

import pytest
import pytest_asyncio

from settings import Settings
from tests.support.comments import COMMENTS, added, many, page
from tests.support.costs import cost, counted_plans
from tests.support.metrics import metric
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

SORTS = "HOT", "NEWEST", "OLDEST"
SHOWN = """nodes { id text floor createdAt deleted replyCount likeCount dislikeCount viewerReaction
  author { handle displayName } repliedTo { handle } } pageInfo { hasNextPage endCursor }"""
PAGE = """query ($ids: [ID!]!, $sort: CommentSort! = HOT) { nodes(ids: $ids) { ... on Post {
  id text likeCount commentCount viewerReaction author { handle }
  comments(sort: $sort, first: 3) { SHOWN } } } }""".replace("SHOWN", SHOWN)
SQUARE = "{ square(first: 20) { nodes { text author { handle } comments(first: 3) { SHOWN } } } }".replace(
    "SHOWN", SHOWN
)
THREADS = """query ($id: ID!, $sort: CommentSort!) { node(id: $id) { ... on Commentable {
  comments(sort: $sort, first: 10) { nodes { text replies(first: 2) { SHOWN } } } } } }""".replace("SHOWN", SHOWN)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system without limits."""
    async with running(make_settings(moderation=LENIENT, limits=LIMITLESS)) as system:
        yield system


async def talk(system: System) -> tuple[Person, list[str]]:
    """Returns a reader and twenty posts with five comments each. One comment of each post is the reader's own."""
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    posts = await published(alice, *map(str, range(20)))
    await system.drain()
    for n in range(2):
        for post in posts:
            await added(bob, post, f"{post} {n}")
            await added(carol, post, f"{post} {n}")
        await system.drain()
    for post in posts:
        await added(alice, post, f"{post} mine")
    await system.drain()
    return alice, posts


async def test_the_comments_of_a_page_of_posts_cost_four_round_trips_and_no_query(system: System) -> None:
    """The trips read posts; lists; comments; users, counters and reactions. A fifth trip reads the square."""
    alice, posts = await talk(system)
    for reader, sort in product((alice, system.person(None)), SORTS):
        answer = await reader.ask(PAGE, ids=posts, sort=sort)
        assert [len(post["comments"]["nodes"]) for post in answer["nodes"]] == [3] * 20
        await reader.ask(SQUARE)
        before = counted_plans()

        assert await cost(reader, PAGE, ids=posts, sort=sort) == (4, 0), (reader.handle, sort)
        assert await cost(reader, PAGE, ids=posts[:1], sort=sort) == (4, 0), (reader.handle, sort)
        assert await cost(reader, SQUARE) == (5, 0), reader.handle
        assert {plan for plan, count in counted_plans().items() if count > before.get(plan, 0)} == {("planned", "")}


@standalone
async def test_the_readers_pending_comments_cost_no_more_round_trips(system: System) -> None:
    alice, posts = await talk(system)
    for post in posts[:5]:
        await added(alice, post, f"{post} just now")
    for sort in SORTS:
        answer = await alice.ask(PAGE, ids=posts, sort=sort)
        assert len(answer["nodes"][0]["comments"]["nodes"]) == 3

        assert await cost(alice, PAGE, ids=posts, sort=sort) == (4, 0), sort


@standalone
async def test_the_replies_of_a_page_of_comments_cost_two_more_round_trips(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    roots = [await added(alice, video, f"root {n}") for n in range(10)]
    await system.drain()
    for n in range(3):
        for root in roots:
            await added(bob, video, f"{root} {n}", to=root)
        await system.drain()
    for sort in SORTS:
        answer = await alice.ask(THREADS, id=video, sort=sort)
        assert [len(root["replies"]["nodes"]) for root in answer["node"]["comments"]["nodes"]] == [2] * 10

        assert await cost(alice, THREADS, id=video, sort=sort) == (6, 0), sort


@standalone
async def test_cold_comments_of_posts_cost_one_query_per_list_and_ten_more(system: System) -> None:
    """The ten read posts, boundaries, authors, counters, likes; own comments; comments, users, counters, likes."""
    alice, posts = await talk(system)
    await system.empty_redis()

    _, queries = await cost(alice, PAGE, ids=posts)

    assert queries == 20 + 10


@standalone
async def test_a_deep_page_costs_as_much_as_page_two(make_settings: Callable[..., Settings]) -> None:
    """The trips read the list or the snapshot; comments; users, counters and reactions. Page two first looks for the
    place of its cursor. Unranked comments are in another list, and later in rows; two pages look for its start. One of
    the commands reads the authors' profiles, because a suspension may hide a comment.
    """
    async with running(make_settings(moderation=LENIENT, caches={"hot_comments": 100})) as system:
        costs = await costs_of_pages(system, 1000, pages=50)

    warm, rows = costs[:38], costs[40:]
    assert [trips for trips, _, _ in warm] == [3, 4, 3, 3, 5, 5, *[4] * 32]
    assert {queries for _, queries, _ in warm} == {0}
    assert {(trips, queries) for trips, queries, _ in rows} == {(4, 1)}
    assert max(commands for _, _, commands in warm[6:] + rows) <= 13  # 11, and 2 for a budget reservation


@standalone
@pytest.mark.prove
@pytest.mark.parametrize(("ranked", "expected"), [(1000, (4, 1, 11)), (10_000, (3, 0, 9))])
async def test_page_100_of_a_hundred_thousand_comments_costs_as_much_as_page_2(
    make_settings: Callable[..., Settings], ranked: int, expected: tuple[int, int, int]
) -> None:
    """Unranked pages cost one more round trip and one query. Two of the commands read the reader's blocks and the
    authors' profiles.
    """
    async with running(make_settings(moderation=LENIENT, caches={"hot_comments": ranked})) as system:
        costs = await costs_of_pages(system, 100_000, pages=100)

    assert costs[99][:2] == expected[:2]
    assert min(commands for _, _, commands in costs[95:]) == expected[2]  # some pages also reserve points
    assert expected[2] <= costs[1][2] + 2


@standalone
async def test_pinning_a_snapshot_costs_four_more_round_trips(make_settings: Callable[..., Settings]) -> None:
    """The trips look for the snapshot, read its comments, store the snapshot, and remove the oldest snapshot."""
    async with running(make_settings(moderation=LENIENT, caches={"hot_comments": 100})) as system:
        video, reader = await commented(system, 200)
        *_, last_but_one, last = (await page(reader, video, "HOT", 20))["edges"]
        await page(reader, video, "HOT", 20, last["cursor"])

        assert await cost(reader, COMMENTS, id=video, sort="HOT", first=20, after=last_but_one["cursor"]) == (7, 0)


async def costs_of_pages(system: System, comments: int, pages: int) -> list[tuple[int, int, int]]:
    """Returns trips, queries and commands of each page, read for the second time."""
    video, reader = await commented(system, comments)
    after, costs = None, []
    for _ in range(pages):
        one = await page(reader, video, "HOT", 20, after)
        costs.append(await commands(reader, video, after))
        after = one["pageInfo"]["endCursor"]
    return costs


async def commented(system: System, comments: int) -> tuple[str, Person]:
    """Returns a video with this many comments and one more, and the author of that one."""
    (video,) = await system.videos("v1")
    reader = system.person("alice")
    await added(reader, video, "newest")
    await system.drain()
    await many(system, comments)
    return video, reader


async def commands(reader: Person, subject: str, after: str | None) -> tuple[int, int, int]:
    """Returns trips, queries and commands of one page."""
    before = metric("redis_commands_total")
    trips, queries = await cost(reader, COMMENTS, id=subject, sort="HOT", first=20, after=after)
    return trips, queries, int(metric("redis_commands_total") - before)
