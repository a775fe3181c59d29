"""Pages of hot lists in the local cache."""

import pytest

from store.cache.local import PANE_S
from tests.loaders.hot_reads import READS, SECONDS, calls, heat
from tests.support.clocks import ManualClock
from tests.support.comments import added, page
from tests.support.posts import publish
from tests.support.system import Person, System

LIKERS = '{ entity(business: "video", key: "v1") { likers(first: 5) { nodes { handle } } } }'


async def test_a_hot_list_of_users_is_served_from_the_local_cache_for_every_shorter_page(
    system: System, clock: ManualClock
) -> None:
    (video,) = await system.videos("v1")
    fans, anonymous = [system.person(f"fan{i}") for i in range(8)], system.person(None)
    for fan in fans:
        await fan.like(video)
    await system.drain()
    await heat(clock, anonymous, LIKERS)
    assert await calls(system, "zrange", anonymous, LIKERS) == 0

    (shorter, longer) = (LIKERS.replace("5", str(count)) for count in (2, 7))
    assert (await anonymous.ask(shorter))["entity"]["likers"]["nodes"] == [{"handle": "fan7"}, {"handle": "fan6"}]
    assert await calls(system, "zrange", anonymous, shorter) == 0
    assert await calls(system, "zrange", anonymous, longer) == 1
    assert len((await anonymous.ask(longer))["entity"]["likers"]["nodes"]) == 7
    assert await calls(system, "zrange", anonymous, LIKERS) == 0


@pytest.mark.parametrize("sort", ["HOT", "NEWEST"])
async def test_only_viewers_without_own_comments_read_a_hot_subjects_comments_from_the_local_cache(
    system: System, clock: ManualClock, sort: str
) -> None:
    (video,) = await system.videos("v1")
    alice, anonymous = system.person("alice"), system.person(None)
    await added(alice, video, "hello")
    await system.drain()

    async def texts(reader: Person) -> list[str]:
        return [comment["text"] for comment in (await page(reader, video, sort))["nodes"]]

    for _ in range(READS):
        await texts(anonymous)
    clock.now += PANE_S
    await texts(anonymous)
    await added(alice, video, "again")
    await system.drain()

    assert await texts(anonymous) == ["hello"]
    assert sorted(await texts(alice)) == ["again", "hello"]
    clock.now += SECONDS
    assert sorted(await texts(anonymous)) == ["again", "hello"]


async def test_an_author_sees_a_new_post_on_a_locally_cached_square_at_once(system: System, clock: ManualClock) -> None:
    alice, anonymous = system.person("alice"), system.person(None)
    await publish(alice, "one")
    await system.drain()
    square = "{ square(sort: LATEST) { nodes { text } } }"
    await heat(clock, anonymous, square)

    await publish(alice, "two")

    assert [(await reader.ask(square))["square"]["nodes"][0]["text"] for reader in (alice, anonymous)] == ["two", "one"]
