"""Pages of hot lists that a process keeps near for a moment."""

import pytest

from store.cache.heavy_hitters import PANE_S
from tests.loaders.hot_reads import READS, SECONDS, calls, heat
from tests.support.clocks import ManualClock
from tests.support.comments import added, page
from tests.support.posts import publish
from tests.support.system import Person, System

LIKERS = '{ entity(business: "video", key: "v1") { likers(first: 5) { nodes { handle } } } }'


async def test_hot_lists_of_people_come_from_the_process_at_any_shorter_length(
    system: System, clock: ManualClock
) -> None:
    (video,) = await system.videos("v1")
    fans, nobody = [system.person(f"fan{i}") for i in range(8)], system.person(None)
    for fan in fans:
        await fan.like(video)
    await system.drain()
    await heat(clock, nobody, LIKERS)
    assert await calls(system, "zrange", nobody, LIKERS) == 0

    (shorter, longer) = (LIKERS.replace("5", str(count)) for count in (2, 7))
    assert (await nobody.ask(shorter))["entity"]["likers"]["nodes"] == [{"handle": "fan7"}, {"handle": "fan6"}]
    assert await calls(system, "zrange", nobody, shorter) == 0
    assert await calls(system, "zrange", nobody, longer) == 1
    assert len((await nobody.ask(longer))["entity"]["likers"]["nodes"]) == 7
    assert await calls(system, "zrange", nobody, LIKERS) == 0


@pytest.mark.parametrize("sort", ["HOT", "NEWEST"])
async def test_comments_of_what_is_hot_are_a_copy_for_who_has_none_of_their_own(
    system: System, clock: ManualClock, sort: str
) -> None:
    (video,) = await system.videos("v1")
    alice, nobody = system.person("alice"), system.person(None)
    await added(alice, video, "hello")
    await system.drain()

    async def texts(reader: Person) -> list[str]:
        return [one["text"] for one in (await page(reader, video, sort))["nodes"]]

    for _ in range(READS):
        await texts(nobody)
    clock.now += PANE_S
    await texts(nobody)
    await added(alice, video, "again")
    await system.drain()

    assert await texts(nobody) == ["hello"]
    assert sorted(await texts(alice)) == ["again", "hello"]
    clock.now += SECONDS
    assert sorted(await texts(nobody)) == ["again", "hello"]


async def test_what_one_has_just_published_is_on_a_square_that_is_a_copy(system: System, clock: ManualClock) -> None:
    alice, nobody = system.person("alice"), system.person(None)
    await publish(alice, "one")
    await system.drain()
    square = "{ square(sort: LATEST) { nodes { text } } }"
    await heat(clock, nobody, square)

    await publish(alice, "two")

    assert [(await one.ask(square))["square"]["nodes"][0]["text"] for one in (alice, nobody)] == ["two", "one"]
