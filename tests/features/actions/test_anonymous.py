"""Anonymous devices: new device ids at one address do not multiply views and shares without bound."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
import pytest_asyncio

from models.devices import device_actor, devices_of, network, network_of
from settings import Settings
from store.keys import Keys
from tests.support.actions import counts, record, share, view
from tests.support.fallback_mode import directly
from tests.support.metrics import metric
from tests.support.system import BUSY, Person, System, running

CLIENT_ADDRESS = "203.0.113.7"
"""The client address of the tests' requests."""


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system with low limits for anonymous devices."""
    anonymous = BUSY.anonymous.model_copy(update={"actions_per_target": 3, "actions_per_address": 5})
    limits = BUSY.model_copy(update={"anonymous": anonymous})
    async with running(make_settings(limits=limits)) as running_system:
        yield running_system


def device(system: System, name: str, ip: str = CLIENT_ADDRESS) -> Person:
    transport = httpx.ASGITransport(app=system.app, client=(ip, 4711))
    http = httpx.AsyncClient(transport=transport, base_url="http://plaudit.test", timeout=30)
    return Person(http, "", {"x-device-id": name})


async def rows(system: System) -> int:
    return int((await system.rows("SELECT count(*) FROM records"))[0][0])


@pytest.mark.parametrize("kind", [view, share])
async def test_new_devices_of_one_address_add_a_bounded_number_to_one_target(
    system: System, kind: Callable[..., object]
) -> None:
    (video,) = await system.videos("v1")
    before = metric("anonymous_views_and_shares_not_counted_total")

    await asyncio.gather(*[kind(device(system, f"d{i}"), video) for i in range(20)])  # type: ignore[call-overload]
    await system.drain()

    assert sum(await shown(system, video)) == 3
    assert await rows(system) == 3
    assert metric("anonymous_views_and_shares_not_counted_total") == before + 17


async def shown(system: System, video: str) -> tuple[int, int]:
    (both,) = await counts(system.person("bob"), video)
    return both


async def test_a_device_beyond_the_limit_gets_the_same_kind_of_answer(system: System) -> None:
    (video,) = await system.videos("v1")
    for i in range(4):
        assert len(await record(device(system, f"d{i}"), "recordViews", video)) == 1
    assert await view(device(system, "d4"), video) == [0]  # without the own view, which does not count


async def test_views_shares_and_targets_have_separate_limits(system: System) -> None:
    one, other = await system.videos("v1", "v2")
    for i in range(4):
        await view(device(system, f"d{i}"), one)
        await share(device(system, f"d{i}"), one)
    for i in range(2):
        await view(device(system, f"d{i}"), other)
    await system.drain()

    assert await counts(system.person("bob"), one, other) == [(3, 3), (2, 0)]


async def test_one_address_adds_a_bounded_number_to_all_targets(system: System) -> None:
    videos = await system.videos(*[f"v{i}" for i in range(10)])

    await view(device(system, "d1"), *videos[:4])
    await view(device(system, "d2"), *videos[4:])
    await system.drain()

    assert sum(views for views, _ in await counts(system.person("bob"), *videos)) == 5
    assert await rows(system) == 5


async def test_a_repeated_view_does_not_use_up_the_limit(system: System) -> None:
    (video,) = await system.videos("v1")
    for _ in range(5):
        await view(device(system, "d1"), video)
    for name in ("d2", "d3"):
        await view(device(system, name), video)
    await system.drain()

    assert await shown(system, video) == (3, 0)


async def test_other_addresses_and_signed_in_users_have_their_own_limits(system: System) -> None:
    (video,) = await system.videos("v1")
    for i in range(5):
        await view(device(system, f"d{i}"), video)
    await view(device(system, "d0", "192.0.2.2"), video)
    for name in ("alice", "bob", "carol", "dave"):
        await view(system.person(name), video)
    await system.drain()

    assert await shown(system, video) == (3 + 1 + 4, 0)


async def test_an_ipv6_network_is_one_address(system: System) -> None:
    (video,) = await system.videos("v1")
    for i in range(6):
        await view(device(system, f"d{i}", f"2001:db8::{i}"), video)
    await view(device(system, "d0", "2001:db8:0:1::1"), video)
    await system.drain()

    assert await shown(system, video) == (4, 0)


@pytest.mark.parametrize("kind", [view, share])
async def test_direct_writes_have_the_same_limits(system: System, kind: Callable[..., object]) -> None:
    videos = await system.videos("v1", "v2", "v3")
    await kind(device(system, "d0"), videos[0])  # type: ignore[misc]
    await system.drain()

    async with directly(system):
        await asyncio.gather(*[kind(device(system, f"d{i}"), videos[0]) for i in range(9)])  # type: ignore[call-overload]
        assert await rows(system) == 3
        for i in range(3):
            await kind(device(system, f"e{i}"), *videos[1:])  # type: ignore[misc]
        assert await rows(system) == 5
        await kind(device(system, "d0", "192.0.2.2"), videos[0])  # type: ignore[misc]
        assert await rows(system) == 6


async def test_direct_writes_do_not_charge_an_address_for_repeated_views(system: System) -> None:
    videos = await system.videos("v1", "v2", "v3", "v4", "v5")
    phone = device(system, "d1")
    not_counted = metric("anonymous_views_and_shares_not_counted_total")

    async with directly(system):
        await view(phone, *videos[:3])
        await view(phone, *videos)

        assert await rows(system) == 5
    assert metric("anonymous_views_and_shares_not_counted_total") == not_counted


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_count_of_an_address_expires_after_two_hours(system: System) -> None:
    (video,) = await system.videos("v1")
    await view(device(system, "d1"), video)

    (key,) = await system.state.redis.client.keys("*:added:*")
    assert 0 < await system.state.redis.client.pttl(key) <= 2 * 3_600_000


@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.parametrize("target", ["Entity:video:v1", "Entity:video:missing"], ids=["recorded", "refused"])
async def test_an_idempotency_key_of_a_device_is_kept_for_an_hour(system: System, target: str) -> None:
    await system.videos("v1")
    query = """mutation ($id: ID!) {
      recordShares(input: { targetIds: [$id], idempotencyKey: "k" }) { userErrors { code } } }"""
    lives = []
    for person in (device(system, "d1"), system.person("alice")):
        before = set(await system.state.redis.client.keys("*idem:*"))
        await person.ask(query, id=target)
        (key,) = set(await system.state.redis.client.keys("*idem:*")) - before
        lives.append(round(await system.state.redis.client.pttl(key) / 3_600_000))
    assert lives == [1, 24]


def test_devices_of_a_network_share_a_partition_and_a_range() -> None:
    keys, secret = Keys(64), b"s" * 32
    for ip in ("192.0.2.1", "2001:db8::1", None):
        actors = {device_actor(secret, ip, f"d{i}") for i in range(100)}
        assert len(actors) == 100
        (found,) = {network_of(actor) for actor in actors}
        assert found is not None
        assert len({keys.partition_of(actor) for actor in actors}) == 1
        first, last = devices_of(found)
        assert all(first <= actor <= last < 0 for actor in actors)
        assert {network_of(first), network_of(last)} == {found}
        assert {network_of(first - 1), network_of(last + 1)}.isdisjoint({found})


def test_users_have_no_network_and_keep_their_partitions() -> None:
    keys = Keys(64)
    assert [keys.partition_of(user) for user in (1, 7, 1 << 62)] == [55, 2, 8]
    assert network_of(7) is None


def test_the_id_of_a_device_depends_on_the_secret() -> None:
    assert device_actor(b"a" * 32, "192.0.2.1", "d") != device_actor(b"b" * 32, "192.0.2.1", "d")
    assert network("2001:db8::1") == network("2001:db8::2") == "2001:db8::/64"
