"""What lists of comments cost: trips to Redis, with all commands of one at once, and queries to Postgres."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from observability import metrics
from settings import Settings
from tests.support.comments import COMMENTS, added, many, page
from tests.support.costs import cost, counted_plans
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

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
    """Anybody may ask for as much as they like."""
    async with running(make_settings(moderation=LENIENT, limits=LIMITLESS)) as one:
        yield one


async def talk(system: System) -> tuple[Person, list[str]]:
    """Twenty posts with five comments each, of which the reader has written one."""
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


@pytest.mark.parametrize("sort", ["HOT", "NEWEST", "OLDEST"])
@pytest.mark.parametrize("signed_in", [True, False], ids=["signed in", "anonymous"])
async def test_comments_of_a_page_of_posts_are_four_trips_and_no_query(
    system: System, sort: str, signed_in: bool
) -> None:
    """Posts; lists; comments; people, counters and reactions. From the square, whose posts are a list, one more."""
    reader, posts = await talk(system)
    reader = reader if signed_in else system.person(None)
    answer = await reader.ask(PAGE, ids=posts, sort=sort)
    assert [len(post["comments"]["nodes"]) for post in answer["nodes"]] == [3] * 20
    await reader.ask(SQUARE)
    before = counted_plans()

    assert await cost(reader, PAGE, ids=posts, sort=sort) == (4, 0)
    assert await cost(reader, PAGE, ids=posts[:1], sort=sort) == (4, 0)
    assert await cost(reader, SQUARE) == (5, 0)
    assert {what for what, now in counted_plans().items() if now > before.get(what, 0)} == {("planned", "")}


@standalone
@pytest.mark.parametrize("sort", ["HOT", "NEWEST", "OLDEST"])
async def test_what_the_reader_has_just_said_costs_nothing_more(system: System, sort: str) -> None:
    alice, posts = await talk(system)
    for post in posts[:5]:
        await added(alice, post, f"{post} just now")
    answer = await alice.ask(PAGE, ids=posts, sort=sort)
    assert len(answer["nodes"][0]["comments"]["nodes"]) == 3

    assert await cost(alice, PAGE, ids=posts, sort=sort) == (4, 0)


@standalone
@pytest.mark.parametrize("sort", ["HOT", "NEWEST", "OLDEST"])
async def test_replies_of_a_page_of_comments_are_two_trips_more(system: System, sort: str) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    roots = [await added(alice, video, f"root {n}") for n in range(10)]
    await system.drain()
    for n in range(3):
        for root in roots:
            await added(bob, video, f"{root} {n}", to=root)
        await system.drain()
    answer = await alice.ask(THREADS, id=video, sort=sort)
    assert [len(root["replies"]["nodes"]) for root in answer["node"]["comments"]["nodes"]] == [2] * 10

    assert await cost(alice, THREADS, id=video, sort=sort) == (6, 0)


@standalone
async def test_cold_comments_of_posts_are_a_query_for_each_list_and_few_for_all(system: System) -> None:
    """Posts, their authors, counters and reactions; the viewer's own; comments, people, counters, reactions."""
    alice, posts = await talk(system)
    await system.empty_redis()

    _, queries = await cost(alice, PAGE, ids=posts)

    assert queries == 20 + 9


@standalone
async def test_a_deep_page_costs_what_the_second_does(make_settings: Callable[..., Settings]) -> None:
    """Trips: the list, or the snapshot; comments; people, counters and reactions. Page two looks for what it comes
    after first. What is not ranked is in another list, and at last in rows; two pages look for where that begins.
    """
    async with running(make_settings(moderation=LENIENT, hot_comments=100)) as system:
        costs = await costs_of_pages(system, 1000, pages=50)

    warm, rows = costs[:38], costs[40:]
    assert [trips for trips, _, _ in warm] == [3, 4, 3, 3, 5, 5, *[4] * 32]
    assert {queries for _, queries, _ in warm} == {0}
    assert {(trips, queries) for trips, queries, _ in rows} == {(4, 1)}
    assert max(commands for _, _, commands in warm[6:] + rows) <= 11  # 9, and 2 when points are taken


@standalone
@pytest.mark.prove
@pytest.mark.parametrize(("ranked", "expected"), [(1000, (4, 1, 9)), (10_000, (3, 0, 8))])
async def test_of_a_hundred_thousand_comments_page_100_costs_what_page_2_does(
    make_settings: Callable[..., Settings], ranked: int, expected: tuple[int, int, int]
) -> None:
    """Where all of these pages are ranked; else a trip more and a query."""
    async with running(make_settings(moderation=LENIENT, limits=LIMITLESS, hot_comments=ranked)) as system:
        costs = await costs_of_pages(system, 100_000, pages=100)

    assert costs[99][:2] == expected[:2]
    assert costs[99][2] <= costs[1][2] == expected[2]


@standalone
async def test_a_snapshot_is_pinned_in_a_few_trips_more(make_settings: Callable[..., Settings]) -> None:
    """One looks for it, one finds what it is to hold, one keeps it, one lets the oldest go."""
    async with running(make_settings(moderation=LENIENT, hot_comments=100)) as system:
        video, reader = await commented(system, 200)
        *_, last_but_one, last = (await page(reader, video, "HOT", 20))["edges"]
        await page(reader, video, "HOT", 20, last["cursor"])

        assert await cost(reader, COMMENTS, id=video, sort="HOT", first=20, after=last_but_one["cursor"]) == (7, 0)


async def costs_of_pages(system: System, comments: int, pages: int) -> list[tuple[int, int, int]]:
    """Trips, queries and commands of pages of a subject that were read before."""
    video, reader = await commented(system, comments)
    after, costs = None, []
    for _ in range(pages):
        one = await page(reader, video, "HOT", 20, after)
        costs.append(await commands(reader, video, after))
        after = one["pageInfo"]["endCursor"]
    return costs


async def commented(system: System, comments: int) -> tuple[str, Person]:
    """Something with so many comments and one more, and who has written that."""
    (video,) = await system.videos("v1")
    reader = system.person("alice")
    await added(reader, video, "newest")
    await system.drain()
    await many(system, comments)
    return video, reader


async def commands(reader: Person, of: str, after: str | None) -> tuple[int, int, int]:
    """How many trips, queries and commands a page costs that was read before."""
    before = metrics.REDIS_COMMANDS._value.get()
    trips, queries = await cost(reader, COMMENTS, id=of, sort="HOT", first=20, after=after)
    return trips, queries, int(metrics.REDIS_COMMANDS._value.get() - before)
