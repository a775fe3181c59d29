"""The membership cache: members that a viewer asked about are known as present or absent, others are unknown."""

import random

import pytest

from store.cache import membership
from store.cache.lists import Item
from store.cache.membership import NEVER
from store.cache.values import Cache
from store.keys import lease
from tests.store.cache.cached_lists import NOW
from tests.support.stores import standalone

KEY = "{rev:7}"
DAY_MS = 86_400_000


async def fill(cache: Cache, *asked: Item) -> None:
    held = await cache.acquire([KEY])
    assert held.keys
    await membership.fill(cache, KEY, asked, token=held.token)


async def publish(cache: Cache, *changes: Item) -> None:
    await membership.publish(cache, [(KEY, changes)])


async def read(cache: Cache, *members: int) -> list[bool | None]:
    return await membership.read(cache, KEY, members)


async def test_positive_and_negative_answers_are_cached(cache: Cache) -> None:
    await fill(cache, Item(NOW, 1), Item(NEVER, 2))
    await fill(cache, Item(NEVER, 3))

    assert await read(cache, 3, 1, 4, 2) == [False, True, None, False]


@standalone
async def test_a_cold_set_knows_no_member(cache: Cache) -> None:
    assert await read(cache, 1, 2) == [None, None]


async def test_a_change_updates_known_members_and_leaves_others_unknown(cache: Cache) -> None:
    await fill(cache, Item(NOW, 1), Item(NEVER, 2), Item(NEVER, 3))

    await publish(cache, Item(-(NOW + 1), 1), Item(NOW + 2, 2), Item(NOW + 3, 4), Item(-(NOW + 4), 5))

    assert await read(cache, 1, 2, 3, 4, 5) == [False, True, False, None, None]


@standalone
@pytest.mark.parametrize("moment", [NOW, -NOW])
async def test_a_write_does_not_create_a_cold_set(cache: Cache, moment: int) -> None:
    await publish(cache, Item(moment, 1))

    assert await cache.redis("EXISTS", KEY) == 0


@standalone
async def test_changes_with_older_or_equal_moments_are_ignored(cache: Cache) -> None:
    await fill(cache, Item(NEVER, 1), Item(NOW + 5, 2))
    await publish(cache, Item(NOW + 5, 1), Item(-(NOW + 6), 2))

    await publish(cache, Item(-(NOW + 4), 1), Item(NOW + 5, 2))
    await publish(cache, Item(-(NOW + 5), 1), Item(NOW + 6, 2))

    assert await read(cache, 1, 2) == [True, False]


@standalone
@pytest.mark.parametrize("seed", range(4))
async def test_changes_in_any_order_and_repeatedly_lead_to_the_last_state(cache: Cache, seed: int) -> None:
    chance = random.Random(seed)
    await fill(cache, *[Item(NEVER, member) for member in range(1, 6)])
    changes = [Item((NOW + i) * chance.choice((1, -1)), chance.randint(1, 8)) for i in range(40)]
    last = {change.member: change.score > 0 for change in changes}
    deliveries = changes + chance.choices(changes, k=20)
    chance.shuffle(deliveries)

    while deliveries:
        some = {change.member: change for change in deliveries[: chance.randint(1, 7)]}
        await publish(cache, *some.values())
        deliveries = [change for change in deliveries if change not in some.values()]

    assert await read(cache, *range(1, 9)) == [last.get(m, False) if m < 6 else None for m in range(1, 9)]


async def test_a_fill_that_is_older_than_a_publication_is_not_stored(cache: Cache) -> None:
    await fill(cache, Item(NEVER, 9))
    held = await cache.acquire([KEY])
    await publish(cache, Item(-NOW, 1))

    await membership.fill(cache, KEY, [Item(NOW - 1, 1)], token=held.token)

    assert await read(cache, 1, 9) == [None, False]


@standalone
async def test_a_fill_without_the_lease_is_not_stored(cache: Cache) -> None:
    await cache.acquire([KEY])

    await membership.fill(cache, KEY, [Item(NOW, 1)], token="another lease")

    assert await read(cache, 1) == [None]


@standalone
async def test_a_set_that_would_exceed_its_cap_is_emptied_first(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "_CAP", 5)
    await fill(cache, *[Item(NOW, member) for member in range(1, 5)])

    await fill(cache, Item(NEVER, 5))
    assert await read(cache, *range(1, 7)) == [True, True, True, True, False, None]

    await fill(cache, Item(NOW, 6), Item(NEVER, 7))
    assert await read(cache, *range(1, 8)) == [None, None, None, None, None, True, False]


@standalone
async def test_a_set_expires_a_day_after_its_last_read_and_leaves_no_lease(cache: Cache) -> None:
    await fill(cache, Item(NOW, 1))
    await cache.redis("PEXPIRE", KEY, 1000, write=True)
    await fill(cache, Item(NEVER, 2))

    assert DAY_MS - 60_000 < await cache.redis("PTTL", KEY) <= DAY_MS
    assert await cache.redis("EXISTS", lease(KEY)) == 0


async def test_more_changes_than_one_script_call_takes_are_published_to_many_sets(cache: Cache) -> None:
    many = range(1, 4501)
    await fill(cache, *[Item(NEVER, member) for member in many])
    others = [f"{{rev:{100 + i}}}" for i in range(250)]
    held = await cache.acquire(others)
    for key in others:
        await membership.fill(cache, key, [Item(NEVER, 1)], token=held.token)

    changes = [(KEY, [Item(NOW, member) for member in many]), *((key, [Item(NOW, 1)]) for key in others)]
    await membership.publish(cache, changes)

    assert await read(cache, *many) == [True] * len(many)
    assert [await membership.read(cache, key, [1]) for key in others] == [[True]] * len(others)
