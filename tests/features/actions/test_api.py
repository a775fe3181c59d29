"""Views count once per viewer or device and hour. Every share counts."""

import asyncio

import pytest

from store.reactions.actions import HOUR_MS
from tests.support.actions import RECORD, counts, share, view
from tests.support.system import System


async def test_the_viewer_sees_a_view_at_once_and_others_see_it_after_the_commit(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")

    assert await view(alice, video) == [1]
    assert await share(alice, video) == [1]
    assert [await counts(person, video) for person in (alice, bob)] == [[(1, 1)], [(0, 0)]]
    await system.drain()

    assert [await counts(person, video) for person in (alice, bob)] == [[(1, 1)], [(1, 1)]]


async def test_views_of_one_viewer_in_one_hour_count_once(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")

    for person, seen in ((alice, 1), (alice, 1), (bob, 1)):
        assert await view(person, video) == [seen]
    await system.drain()
    assert await view(alice, video) == [2]
    await system.drain()

    assert await counts(bob, video) == [(2, 0)]
    assert await system.rows("SELECT count(*) FROM records") == [(2,)]


async def test_a_view_in_the_next_hour_counts_again(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await view(alice, video)
    await system.drain()
    await an_hour_passes(system)

    assert await view(alice, video) == [2]
    await system.drain()
    assert await counts(alice, video) == [(2, 0)]


async def an_hour_passes(system: System) -> None:
    """Moves all views into the hour before, and empties Redis."""
    await system.rows("UPDATE records SET bucket = bucket - 1 RETURNING bucket")
    await system.empty_redis()


async def test_one_call_counts_each_target_once(system: System) -> None:
    one, other = await system.videos("v1", "v2")
    alice = system.person("alice")

    assert await view(alice, one, other, one, one) == [1, 1, 1, 1]
    assert await share(alice, other, one, other) == [1, 1, 1]
    await system.drain()

    assert await counts(alice, one, other) == [(1, 1), (1, 1)]


async def test_every_share_counts(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")

    assert [await share(alice, video) for _ in range(3)] == [[1], [2], [3]]
    await system.drain()
    assert await share(bob, video) == [4]
    assert await share(alice, video) == [4]
    await system.drain()

    assert await counts(alice, video) == [(0, 5)]


async def test_each_anonymous_device_counts_as_one_viewer(system: System) -> None:
    (video,) = await system.videos("v1")
    phone, tablet = system.person(None, device_id="phone"), system.person(None, device_id="tablet")

    assert await view(phone, video) == [1]
    assert await view(phone, video) == [1]
    assert await view(tablet, video) == [1]
    assert await share(phone, video) == [1]
    assert await counts(phone, video) == [(1, 1)]
    await system.drain()

    assert await counts(tablet, video) == [(2, 1)]
    assert await system.rows("SELECT count(*) FROM records WHERE actor_id >= 0") == [(0,)]
    assert await system.rows("SELECT count(*) FROM users WHERE handle <> 'registrar'") == [(0,)]


async def test_a_signed_in_user_with_several_devices_counts_as_one_viewer(system: System) -> None:
    (video,) = await system.videos("v1")

    for device in ("phone", "tablet"):
        assert await view(system.person("alice", device_id=device), video) == [1]
    await system.drain()

    assert await counts(system.person("alice"), video) == [(1, 0)]


async def test_recording_needs_a_user_or_a_device(system: System) -> None:
    (video,) = await system.videos("v1")
    anonymous = system.person(None)

    for mutation in ("recordViews", "recordShares"):
        assert await anonymous.errors(RECORD % mutation, ids=[video]) == [("UNAUTHENTICATED", [mutation])]
    await system.drain()

    assert await counts(anonymous, video) == [(0, 0)]


async def test_an_unknown_target_refuses_the_whole_request(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    for mutation in ("recordViews", "recordShares"):
        payload = (await alice.ask(RECORD % mutation, ids=[video, "Entity:video:v2"]))[mutation]
        assert payload == {"targets": None, "userErrors": [{"code": "TARGET_NOT_FOUND"}]}
    await system.drain()

    assert await counts(alice, video) == [(0, 0)]


async def test_views_stay_exact_after_redis_is_emptied(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await view(alice, video)
    await share(alice, video)
    await system.drain()

    await system.empty_redis()
    await view(alice, video)
    await view(bob, video)
    await share(alice, video)
    await system.drain()

    assert [await counts(person, video) for person in (alice, bob)] == [[(2, 2)], [(2, 2)]]


async def test_concurrent_views_of_one_viewer_count_once(system: System) -> None:
    videos = await system.videos(*[f"v{i}" for i in range(10)])
    alice = system.person("alice")

    answers = await asyncio.gather(*[view(alice, *videos) for _ in range(10)])
    await system.drain()

    assert answers == [[1] * 10] * 10
    assert await counts(alice, *videos) == [(1, 0)] * 10


async def test_concurrent_shares_of_one_viewer_all_count(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    await asyncio.gather(*[share(alice, video) for _ in range(20)])

    assert await counts(alice, video) == [(0, 20)]
    await system.drain()
    assert await counts(system.person("bob"), video) == [(0, 20)]


async def test_one_request_can_record_views_of_a_hundred_targets(system: System) -> None:
    videos = await system.videos(*[f"v{i}" for i in range(100)])
    alice = system.person("alice")

    assert await view(alice, *videos) == [1] * 100
    await system.drain()

    assert await counts(system.person("bob"), *videos) == [(1, 0)] * 100


async def test_a_like_a_view_and_a_share_of_one_target_count_separately(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    await alice.like(video)
    await view(alice, video)
    await share(alice, video)
    await system.drain()

    assert (await alice.like(video))["target"]["likeCount"] == 1
    assert await counts(alice, video) == [(1, 1)]


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_set_of_viewed_targets_expires_after_two_hours(system: System) -> None:
    (video,) = await system.videos("v1")

    await view(system.person("alice"), video)

    (key,) = await system.state.redis.client.keys("*:viewed:*")
    assert 0 < await system.state.redis.client.pttl(key) <= 2 * HOUR_MS
