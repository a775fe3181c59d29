"""The local cache of a process holds hot values for a short time (D6, F8): which values, how long and how many."""

from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY

from context import Client, Context
from loaders.read_through import ReadThrough
from loaders.shared import SharedLoaders
from settings import Settings
from store.cache import local
from store.cache.local import PANE_S
from tests.loaders.hot_reads import CARD, READS, SECONDS, VIDEO, calls, card, heat, star
from tests.support.clocks import ManualClock
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.follows import follow, registered
from tests.support.journal_entries import ref_of
from tests.support.system import System, running

RENAME = """mutation ($title: String) {
  registerEntities(entities: [{business: "video", key: "v1", title: $title}]) { entities { title } } }"""


async def test_a_hot_entity_is_read_from_redis_once_per_copy_lifetime(system: System, clock: ManualClock) -> None:
    await system.videos("v1")
    anonymous = system.person(None)
    await heat(clock, anonymous, VIDEO)
    clock.now += SECONDS  # the first copies have expired
    trips = list[int]()

    for _ in range(256):
        trips.append(await calls(system, "mget", anonymous, VIDEO))
        clock.now += SECONDS / 64

    assert [at for at, count in enumerate(trips) if count] == [0, 64, 128, 192]
    assert sum(trips) == 4 * 2  # the entity, its counters


async def test_a_rarely_read_key_is_not_kept_in_the_local_cache(system: System, clock: ManualClock) -> None:
    await system.videos("v1")
    anonymous = system.person(None)
    for _ in range(READS // 2):
        await anonymous.ask(VIDEO)
    clock.now += PANE_S

    assert [await cost(anonymous, VIDEO) for _ in range(3)] == [(2, 0)] * 3


async def test_a_lifetime_of_zero_switches_the_local_cache_off(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(local_cache_seconds=0, caches={"hot_reads": 64})) as system:
        system.state.cache.local.clock = clock = ManualClock()
        await system.videos("v1")
        await heat(clock, system.person(None), VIDEO)

        assert await cost(system.person(None), VIDEO) == (2, 0)


async def test_a_hot_users_card_is_served_from_the_local_cache_until_it_expires(
    system: System, clock: ManualClock
) -> None:
    user, anonymous = await star(system), system.person(None)
    shown = await heat(clock, anonymous, CARD, id=f"User:{user.user_id}")
    assert shown["node"]["followerCount"] == 3
    assert await cost(anonymous, CARD, id=f"User:{user.user_id}") == (0, 0)

    await follow(system.person("late"), f"User:{user.user_id}")
    await system.drain()

    clock.now += SECONDS * 0.9
    assert (await card(anonymous, user))["followerCount"] == 3
    clock.now += SECONDS * 0.2
    assert (await card(anonymous, user))["followerCount"] == 4


async def test_only_values_that_are_equal_for_all_viewers_may_be_in_the_local_cache(system: System) -> None:
    shared = SharedLoaders(system.state)
    local = {name for name, source in vars(shared).items() if isinstance(source, ReadThrough) and source._local}

    content = {"entities", "entities_by_id", "posts", "comments", "comment_settings", "pinned_posts", "topics"}
    assert local == {"counts", *content, "users", "handles", "trends", "typed"}


async def test_the_local_cache_is_bounded_and_counted_in_metrics(
    system: System, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "MOST", 5)
    users = SharedLoaders(system.state).users
    ids = [int(id_.removeprefix("User:")) for id_ in await registered(system, *[f"p{i}" for i in range(20)])]
    for user_id in ids * READS:
        await users.get_many([user_id])
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


async def test_a_process_shows_its_own_change_at_once(system: System, clock: ManualClock) -> None:
    await system.videos("v1")
    anonymous, registrar = system.person(None), system.person("registrar", "entities:write")
    await heat(clock, anonymous, VIDEO)
    assert await cost(anonymous, VIDEO) == (0, 0)

    await registrar.ask(RENAME, title="another")

    assert (await anonymous.ask(VIDEO))["entity"]["title"] == "another"


async def test_a_direct_write_removes_the_local_copy(system: System, clock: ManualClock) -> None:
    cache = system.state.cache
    cache.local._hitters.hot = {"a": 9, "b": 9}

    async with directly(system), system.state.postgres.transaction() as transaction:
        clock.now += SECONDS / 4
        cache.local.keep([("a", 1), ("b", 2)], clock.now)
        clock.now += SECONDS / 4
        await cache.fence(transaction, ["a"])
        assert set(cache.local._copies) == {"b"}
        assert cache.local._changed == clock.now


async def test_a_new_generation_begins_with_an_empty_local_cache(system: System, clock: ManualClock) -> None:
    local = system.state.cache.local
    local._hitters.hot = {"a": 9, "b": 9}
    local.keep([("a", 1)], clock.now)

    async with directly(system):
        assert local._copies == {}
        local.keep([("b", 1)], clock.now)
        assert local._copies == {}, "the value was read before the generation began"


async def test_a_subscriber_reads_no_local_copy_older_than_the_change(system: System, clock: ManualClock) -> None:
    (video,) = await system.videos("v1")
    ref, bob = await ref_of(system, video), system.person("bob")
    await heat(clock, system.person(None), VIDEO)
    watching = Context(system.state, SharedLoaders(system.state), None, Client())
    await bob.like(video)
    await system.drain()
    assert (await watching.own.counts.load(ref)).likes == 0

    watching.forget()

    assert (await watching.own.counts.load(ref)).likes == 1
