"""Posts that refer to followed entities, in Viewer.followedTopicsFeed and in home."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from runner.valkey import Valkey
from settings import Settings
from store.content import topics
from tests.support.boundaries import block
from tests.support.citus import one_server
from tests.support.content_follows import (
    FEED,
    change_entity,
    entries,
    feed,
    follow_entities,
    follow_topics,
    home,
    show_topics_in_home,
)
from tests.support.follows import follow_people
from tests.support.outages import Away, both_ways
from tests.support.plans import LARGE, reads
from tests.support.posts import delete, publish
from tests.support.reconciliation import execute
from tests.support.removing import remove
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone

MANY = """INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                             audit_version, version, about_business, about_id)
          SELECT i, 1, i, 'text', '[]', '{}', 1, false, i, 1, 1, 100, i % 30 FROM generate_series(1, 3000) AS i"""


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    settings = make_settings(moderation=LENIENT, local_cache_seconds=0, people={"topic_spacing": 2})
    async with running(settings) as one:
        yield one


async def write(author: Person, text: str, *topics: str, about: str | None = None) -> str:
    """Publishes a post. Returns its id."""
    return str((await publish(author, text, *topics, about=about))["post"]["id"])


async def test_posts_about_a_followed_entity_come_into_the_feed_until_it_is_unfollowed(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, other = await system.videos("v1", "v2")
    await write(bob, "before", about=video)
    await write(bob, "cats", "cats")
    await write(bob, "elsewhere", about=other)
    await system.drain()
    assert await feed(alice) == []
    await follow_entities(alice, video)
    await follow_topics(alice, "cats")

    assert await entries(alice, FEED) == [("cats", "cats"), ("before", video)]
    both = await write(bob, "both", "cats", about=video)
    await write(alice, "mine", about=video)
    assert await feed(alice) == ["mine", "cats", "before"]
    await system.drain()
    for _ in ("cached", "read from Postgres"):
        assert (await entries(alice, FEED))[:2] == [("mine", video), ("both", video)]
        assert await feed(alice, 1) == await feed(alice) == ["mine", "both", "cats", "before"]
        await system.empty_redis()
    await delete(bob, both)
    await system.drain()
    assert await feed(alice) == ["mine", "cats", "before"]
    await change_entity(alice, video, "unfollowEntity")
    assert await feed(alice) == ["cats"]


async def test_home_has_posts_about_followed_entities_if_the_viewer_wants_that(system: System) -> None:
    alice, ann, bob = (system.person(name) for name in ("alice", "ann", "bob"))
    (video,) = await system.videos("v1")
    await follow_people(alice, ann)
    await follow_entities(alice, video)
    for number in range(3):
        await write(ann, f"ann {number}")
    about = await write(bob, "about the video", about=video)
    await system.drain()
    assert await home(alice) == [("ann 2", None), ("ann 1", None), ("ann 0", None)]

    await show_topics_in_home(alice)

    assert (await home(alice))[0] == ("about the video", video)
    await block(alice, await bob.id())
    assert [text for text, _ in await home(alice)] == ["ann 2", "ann 1", "ann 0"]
    assert await feed(alice) == []
    assert about


async def test_the_reason_names_no_entity_that_was_removed(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    await follow_entities(alice, video)
    await write(bob, "about the video", about=video)
    await system.drain()

    await remove(system.person("service", "entities:write"), video)

    page = (await alice.ask(FEED, first=5))["viewer"]["page"]
    assert [edge["homeReason"] for edge in page["edges"]] == [{"kind": "ENTITY", "topic": None, "entity": None}]


async def test_many_followed_entities_and_topics_are_merged(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    videos = await system.videos(*(f"v{number}" for number in range(15)))
    names = [f"t{number}" for number in range(15)]
    for number in range(45):
        topic = [names[number % 15]] if number % 2 else []
        await write(bob, f"post {number}", *topic, about=None if number % 2 else videos[number % 15])
    await system.drain()
    await follow_topics(alice, *names)
    await follow_entities(alice, *videos)
    await system.drain()
    await system.empty_redis()

    for _ in ("cold", "partly cached", "cached"):
        assert await feed(alice, 7) == [f"post {number}" for number in range(44, -1, -1)]


@both_ways
async def test_the_feed_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    await follow_entities(alice, video)
    await follow_topics(alice, *await _with_topic(system))
    await write(bob, "about the video", about=video)
    await system.drain()

    async with away(valkey, system.state.redis):
        page = (await alice.send(FEED, first=10)).json()["data"]["viewer"]["page"]
        assert page is None or [edge["node"]["text"] for edge in page["edges"]] == ["about the video", "cats"]


async def _with_topic(system: System) -> list[str]:
    """Publishes a post about cats. Returns the topic."""
    await write(system.person("bob"), "cats", "cats")
    await system.drain()
    return ["cats"]


@one_server
@pytest.mark.parametrize("statement", ["_ABOUT_PAGE", "_ABOUT_MERGED"])
async def test_posts_about_other_entities_are_not_read(system: System, statement: str) -> None:
    await execute(system, MANY)
    before = {"moment": 1 << 62, "member": 1 << 62, "count": 5}
    wanted = (
        {"business": 100, "entity": 7} if statement == "_ABOUT_PAGE" else {"businesses": [100, 100], "entities": [7, 8]}
    )

    found = await reads(system, getattr(topics, statement), "posts", without=LARGE, **before, **wanted)

    assert found.rows <= 12
