"""docs/internals/performance.md has the counts that this test measures: what whole pages cost, for a viewer who hides
nothing, and for one who mutes 200 words and has chosen what to see of 8 labels.
"""

import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from observability import metrics
from settings import Settings
from tests.support import comments
from tests.support.follows import follow
from tests.support.hiding_words import mute_words
from tests.support.labels import choose, with_labels, write_post
from tests.support.search import stored
from tests.support.stores import standalone
from tests.support.suggestions import compute
from tests.support.system import LENIENT, LIMITLESS, Person, System, running
from tests.support.topics import write_about

pytestmark = [standalone, pytest.mark.prove]

PAGE = Path(__file__).parents[2] / "docs" / "internals" / "performance.md"
LABELS = [f"label{number}" for number in range(8)]
TRENDS = ("tea", "coffee", "bread", "books", "hills")
POST = """id text likeCount viewerReaction commentCount topics { name } labels { name visibility }
  author { handle displayName avatarUrl }"""
COMMENT = "id text likeCount viewerReaction replyCount author { handle displayName avatarUrl }"
QUERIES = {
    "square": f"{{ square(first: 20) {{ nodes {{ {POST} }} pageInfo {{ endCursor }} }} }}",
    "home": f"{{ viewer {{ home(first: 20) {{ nodes {{ {POST} }} pageInfo {{ endCursor }} }} }} }}",
    "comments": f"""query ($post: ID!) {{ node(id: $post) {{ ... on Post {{ comments(first: 20) {{
      nodes {{ {COMMENT} }} pageInfo {{ endCursor }} }} }} }} }}""",
    "entity": '{ entity(business: "video", key: "v0") { id title likeCount viewerReaction owner { handle } } }',
    "post": f"query ($post: ID!) {{ node(id: $post) {{ ... on Post {{ {POST} }} }} }}",
    "profile": f"""{{ user(handle: "bob") {{ id displayName bio followerCount viewerRelation
      posts(first: 20) {{ nodes {{ {POST} }} pageInfo {{ endCursor }} }} }} }}""",
    "notifications": """{ viewer { unreadNotificationCount notifications(first: 20) { nodes {
      kind message read actors { handle } } } } }""",
    "discover": """{ viewer { suggestedUsers(first: 10) { user { handle displayName avatarUrl viewerRelation } reason
      followedBy { handle displayName } followedByCount topic { name } } }
      trendingTopics(first: 5) { topic { id name } authorCount } }""",
    "search": f'{{ searchPosts(query: "word", sort: NEWEST, first: 20) {{ nodes {{ {POST} }} }} }}',
}
ROUNDS = 30
VIEWERS = ("a plain viewer", "200 muted words, 8 labels")


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    labels = "".join(f'\n[[label]]\nid = {n}\nname = "{name}"\ntitle = "{name}"\n' for n, name in enumerate(LABELS))
    file = with_labels(tmp_path, labels)
    chosen = make_settings(
        moderation=LENIENT,
        businesses_file=file,
        local_cache_seconds=60,
        pending_seconds=100,
        database_timeout=20.0,
        limits=LIMITLESS,
    )
    async with running(chosen) as system:
        yield system


async def scene(system: System) -> tuple[str, list[Person]]:
    """Makes 20 posts, each with a label, a post with 20 comments, 5 trends, and 20 notifications and 10 suggested users
    for two viewers. Returns the post, and the viewers: one who hides nothing, and one who mutes 200 words and has
    chosen what to see of 8 labels.
    """
    await write_about(system, 3, *TRENDS)
    bob, viewers = system.person("bob"), [system.person("plain"), system.person("careful")]
    (video,) = await system.videos("v0", owner="bob")
    posts = [(await write_post(bob, f"word number {n}", LABELS[n % len(LABELS)]))["post"]["id"] for n in range(20)]
    await system.drain()
    for n in range(20):
        await comments.added(bob, posts[0], f"said {n}")
    for viewer in viewers:
        await follow(viewer, await bob.id())
        await viewer.like(video)
        for n in range(20):
            own = (await write_post(viewer, f"of {viewer.handle} {n}"))["post"]["id"]
            await system.drain()
            await bob.like(own)
    for n in range(0, 200, 100):
        await mute_words(viewers[1], *(f"absent{word}" for word in range(n, n + 100)))
    await choose(viewers[1], **dict.fromkeys(LABELS, "WARN"))
    await follow(bob, *[await system.person(f"somebody{n}").id() for n in range(10)])
    await compute(system, *viewers)
    await stored(system)
    return posts[0], viewers


async def commands(system: System) -> int:
    found = await system.state.redis.client.info("commandstats")
    return sum(one["calls"] for name, one in found.items() if not name.startswith("cmdstat_info"))


async def counts(system: System, viewer: Person, query: str, post: str) -> list[float]:
    """Returns the round trips, Redis commands and SQL queries of a page, and the kilobytes of its response."""
    before = await commands(system)
    response = await viewer.send(query, **({"post": post} if "$post" in query else {}))
    assert "errors" not in response.json()
    usage = metrics.usage.get()
    assert usage
    return [
        usage.redis_round_trips,
        await commands(system) - before,
        usage.sql_queries,
        round(len(response.content) / 1000, 1),
    ]


async def microseconds(viewer: Person, query: str, post: str) -> float:
    """Returns the least CPU time of a page in this process, which is both client and API."""
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        response = await viewer.send(query, **({"post": post} if "$post" in query else {}))
        taken.append(time.process_time() - started)
        assert "errors" not in response.json()
    return min(taken) * 1e6


def shown() -> dict[str, list[float]]:
    """Returns the counts of both viewers in the documented table, by the name of the page."""
    part = PAGE.read_text().partition("## What pages cost")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return {name: [*map(float, rest[:8])] for name, *rest in cells if rest[0].replace(".", "").isdecimal()}


async def test_pages_cost_what_the_table_says(system: System) -> None:
    """Muted words and labels add no round trip and no query. Renewals of cached lists add some commands to some
    requests, so the least of six requests counts.
    """
    post, viewers = await scene(system)
    table = shown()
    assert table.keys() == QUERIES.keys()

    for name, query in QUERIES.items():
        found: list[float] = []
        for viewer in viewers:
            for _ in range(3):  # the first requests fill caches, and plan the query
                await viewer.send(query, **({"post": post} if "$post" in query else {}))
            found += min([await counts(system, viewer, query, post) for _ in range(6)])
        assert found[0:3:2] == found[4:7:2], name
        assert found[0:3:2] == table[name][0:3:2], name
        assert found == pytest.approx(table[name], rel=0.25, abs=2), name


async def test_hiding_multiplies_the_cpu_time_of_a_page_by_less_than_three_halves(system: System) -> None:
    post, viewers = await scene(system)
    for name, query in QUERIES.items():
        found: list[float] = []
        for viewer in viewers:
            await microseconds(viewer, query, post)
            found += [*await counts(system, viewer, query, post)]
        rounds = [[await microseconds(viewer, query, post) for viewer in viewers] for _ in range(3)]
        times = [min(one) for one in zip(*rounds, strict=True)]
        print(f"| {name} |", *(f"{one:g} |" for one in found), *(f"{one:.0f} |" for one in times), flush=True)
        assert times[1] < 1.5 * times[0], name
