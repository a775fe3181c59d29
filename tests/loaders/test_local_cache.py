"""What a process is asked for most it keeps near for a moment (D6, F8): what, for how long, and how much of it."""

from collections.abc import Callable
from dataclasses import fields

import pytest
from prometheus_client import REGISTRY

from context import Client, Context
from loaders.read_through import ReadThrough
from loaders.shared import shared_loaders
from settings import Settings
from store.cache import heavy_hitters
from store.cache.heavy_hitters import PANE_S
from tests.loaders.hot_reads import CARD, READS, SECONDS, VIDEO, calls, card, heat, star
from tests.support.clocks import ManualClock
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.follows import follow, registered
from tests.support.journal_entries import ref_of
from tests.support.system import System, running

RENAME = """mutation ($title: String) {
  registerEntities(entities: [{business: "video", key: "v1", title: $title}]) { entities { title } } }"""


async def test_a_hot_entity_is_asked_of_redis_once_while_a_copy_lives(system: System, clock: ManualClock) -> None:
    await system.videos("v1")
    nobody = system.person(None)
    await heat(clock, nobody, VIDEO)
    clock.now += SECONDS  # the first copies have run out
    trips = list[int]()

    for _ in range(256):
        trips.append(await calls(system, "mget", nobody, VIDEO))
        clock.now += SECONDS / 64

    assert [at for at, one in enumerate(trips) if one] == [0, 64, 128, 192]
    assert sum(trips) == 4 * 2  # the entity, its counters


async def test_what_is_asked_for_too_seldom_is_not_kept(system: System, clock: ManualClock) -> None:
    await system.videos("v1")
    nobody = system.person(None)
    for _ in range(READS // 2):
        await nobody.ask(VIDEO)
    clock.now += PANE_S

    assert [await cost(nobody, VIDEO) for _ in range(3)] == [(2, 0)] * 3


async def test_with_no_time_at_all_there_are_no_copies(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(local_cache_seconds=0, hot_key_reads=64)) as system:
        system.state.cache.local._clock = clock = ManualClock()
        await system.videos("v1")
        await heat(clock, system.person(None), VIDEO)

        assert await cost(system.person(None), VIDEO) == (2, 0)


async def test_the_card_of_who_is_hot_comes_from_the_process_while_it_lives(system: System, clock: ManualClock) -> None:
    one, nobody = await star(system), system.person(None)
    shown = await heat(clock, nobody, CARD, id=f"User:{one.user_id}")
    assert shown["node"]["followerCount"] == 3
    assert await cost(nobody, CARD, id=f"User:{one.user_id}") == (0, 0)

    await follow(system.person("late"), f"User:{one.user_id}")
    await system.drain()

    clock.now += SECONDS * 0.9
    assert (await card(nobody, one))["followerCount"] == 3
    clock.now += SECONDS * 0.2
    assert (await card(nobody, one))["followerCount"] == 4


async def test_only_what_is_the_same_for_everybody_may_be_near(system: System) -> None:
    shared = shared_loaders(system.state)
    sources = {one.name: getattr(shared, one.name) for one in fields(shared)}
    near = {name for name, source in sources.items() if isinstance(source, ReadThrough) and source._kind.local}

    assert near == {"counts", "entities", "entities_by_id", "posts", "comments", "topics", "users", "handles"}


async def test_copies_are_bounded_and_told(system: System, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_hitters, "MOST", 5)
    users = shared_loaders(system.state).users
    ids = [int(id_.removeprefix("User:")) for id_ in await registered(system, *[f"p{i}" for i in range(20)])]
    for one in ids * READS:
        await users.get_many([one])
    clock.now += PANE_S
    await users.get_many(ids)
    before = sample("plaudit_cache_reads_total", loader="users", outcome="local")

    assert [user and user.user_id for user in await users.get_many(ids)] == ids

    assert sample("plaudit_cache_reads_total", loader="users", outcome="local") - before == 5
    assert sample("plaudit_hot_keys") == 5
    clock.now += 3600
    assert sample("plaudit_hot_keys") == 0


def sample(metric: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(metric, labels) or 0


async def test_what_this_process_has_changed_it_shows_at_once(system: System, clock: ManualClock) -> None:
    await system.videos("v1")
    nobody, registrar = system.person(None), system.person("registrar", "entities:write")
    await heat(clock, nobody, VIDEO)
    assert await cost(nobody, VIDEO) == (0, 0)

    await registrar.ask(RENAME, title="another")

    assert (await nobody.ask(VIDEO))["entity"]["title"] == "another"


async def test_what_is_changed_while_writes_are_direct_is_near_no_longer(system: System, clock: ManualClock) -> None:
    cache = system.state.cache
    cache.local._hitters.hot = frozenset({"a", "b"})

    async with directly(system), system.state.postgres.transaction() as transaction:
        clock.now += SECONDS / 4
        cache.local.keep([("a", 1), ("b", 2)], clock.now)
        clock.now += SECONDS / 4
        await cache.fence(transaction, ["a"])
        assert set(cache.local._copies) == {"b"}
        assert cache.local._changed == clock.now


async def test_a_new_generation_begins_without_copies_of_the_one_before(system: System, clock: ManualClock) -> None:
    near = system.state.cache.local
    near._hitters.hot = frozenset({"a", "b"})
    near.keep([("a", 1)], clock.now)

    async with directly(system):
        assert near._copies == {}
        near.keep([("b", 1)], clock.now)
        assert near._copies == {}, "it was on its way when the generation began"


async def test_whoever_is_told_of_a_change_reads_no_copy_from_before_it(system: System, clock: ManualClock) -> None:
    (video,) = await system.videos("v1")
    ref, bob = await ref_of(system, video), system.person("bob")
    await heat(clock, system.person(None), VIDEO)
    watching = Context(system.state, shared_loaders(system.state), None, Client())
    await bob.like(video)
    await system.drain()
    assert (await watching.loaders.counts.load(ref)).likes == 0

    watching.forget()

    assert (await watching.loaders.counts.load(ref)).likes == 1
