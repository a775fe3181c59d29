"""Tests break copies in Redis: reconciliation finds and drops each, and reads fill the cache again from rows."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from store import keys
from store.cache.values import Cached
from store.reconcile.cached import scored
from tests.support.fallback_mode import reaction
from tests.support.follows import follow
from tests.support.reconciliation import Population, drift, populate, read
from tests.support.system import System
from workers.reconcile import cached as copies
from workers.reconcile import own_sets
from workers.reconcile.run import PARTS

BODIES = {
    "counts": b'{"1":[7,{}]}', "entity": b"#5 null", "entity#": b"#5 null", "user": b"#5 null", "handle": b"17",
    "post": b"#5 null", "topic": b"#2 null", "comment": b"#5 null",
    "pinned_posts": b"[[7],1]", "hidden": b"[[1,[2,3],0,4]]", "notified": b"#4 [true,0,7,[]]",
}  # fmt: skip
"""Wrong values of each kind."""
OWN = "follow", "react"
PEOPLE, WRITTEN = ("likers", "followers", "friends"), (
    "outbox", "own", "square", "under", "comments", "oldest", "replies", "pulled",
)  # fmt: skip


async def cached(system: System, start: str) -> list[str]:
    """Returns the keys with a prefix."""
    found = [key.decode() async for some in system.state.cache.redis.scan(100) for key in some]
    return sorted(key for key in found if key.startswith(start) and not key.endswith(":lease"))


async def of_kind(system: System, kind: str) -> list[str]:
    return [key for key in await cached(system, f"{{{kind}") if key[1:-1].partition(":")[0] == kind]


async def own_set(system: System, kind: str) -> str:
    """Returns the key of a set that actor scripts use."""
    found = [await cached(system, f"{{{p}}}:own:{kind}:") for p in range(system.settings.partitions)]
    return next(key for some in found for key in some)


async def set_all(system: System, found: Sequence[str], version: int, body: bytes) -> None:
    await system.state.redis.gather([("SET", key, b"%d 0 %s" % (version, body)) for key in found], write=True)


async def assert_repaired(system: System, population: Population, expected: dict[str, int]) -> None:
    """Checks that drift is found and dropped, and that no drift remains, also after the next fill."""
    by_kind = {f"cached_{kind}": count for kind, count in expected.items()}
    assert await drift(system, "caches", "sets") == by_kind
    assert await drift(system, "caches", "sets", repair=True) == by_kind
    assert await drift(system, "caches", "sets") == {}
    await read(system, population)
    assert await drift(system, "caches", "sets") == {}


async def test_cached_values_that_differ_from_rows_are_dropped(system: System) -> None:
    population = await populate(system)
    for kind, body in BODIES.items():
        found = await of_kind(system, kind)
        raw = await system.state.cache.redis.get_many(found)
        same = max(Cached.parse(one).version for one in raw if one)
        await set_all(system, found[:1], same, body)

    await assert_repaired(system, population, dict.fromkeys(BODIES, 1))


async def test_copies_that_are_older_or_newer_than_their_rows_are_dropped(system: System) -> None:
    population = await populate(system)
    found = await of_kind(system, "counts")
    await set_all(system, found[:1], 1, b"{}")
    await set_all(system, found[1:2], 1 << 62, b"{}")
    await set_all(system, found[2:3], 1, b"nothing that anybody wrote")

    await assert_repaired(system, population, {"counts": 3})


async def test_lists_without_their_newest_member_are_dropped(system: System) -> None:
    population = await populate(system)
    expected = {}
    for kind in (*PEOPLE, *WRITTEN):
        found = await of_kind(system, kind)
        newest = await system.state.redis.gather([("ZRANGE", key, "+inf", "(0", "BYSCORE", "REV") for key in found])
        full = {key: members[0] for key, members in zip(found, newest, strict=True) if members}
        await system.state.redis.gather([("ZREM", key, member) for key, member in full.items()], write=True)
        expected[kind] = len(full)
    assert min(expected.values()) > 0

    await assert_repaired(system, population, expected)


async def test_lists_and_sets_with_a_wrong_member_are_dropped(system: System) -> None:
    population = await populate(system)
    found = [(await of_kind(system, kind))[0] for kind in PEOPLE]
    found += [await own_set(system, kind) for kind in OWN]

    await system.state.redis.gather([("ZADD", key, 1 << 50, 7) for key in found], write=True)

    await assert_repaired(system, population, dict.fromkeys((*PEOPLE, *OWN), 1))


async def test_own_sets_without_their_newest_member_are_dropped(system: System) -> None:
    population = await populate(system)
    for kind in OWN:
        key = await own_set(system, kind)
        members = scored(await system.state.redis("ZRANGE", key, 0, -1, "WITHSCORES"))
        newest = max(members, key=lambda member: abs(members[member]))
        await system.state.redis("ZREM", key, newest, write=True)

    await assert_repaired(system, population, dict.fromkeys(OWN, 1))


async def test_a_set_with_pending_members_is_not_dropped(system: System) -> None:
    """A fill would leave the pending members out and mark the set as complete."""
    (video,) = await system.videos("v1")
    alice, bobs = system.person("alice"), await system.person("bob").id()
    await alice.like(video)
    await follow(alice, bobs)
    sets = [await own_set(system, kind) for kind in OWN]

    await own_sets.drop(system.state, sets)
    assert [await own_set(system, kind) for kind in OWN] == sets

    await system.drain()
    assert await reaction(system, "alice", video) == "LIKE"
    await own_sets.drop(system.state, sets)
    assert [await system.state.redis("EXISTS", key) for key in sets] == [0, 0]
    assert await reaction(system, "alice", video) == "LIKE"
    assert (await alice.unlike(video))["target"]["likeCount"] == 0


async def test_dropping_keeps_the_fence_of_a_writer(system: System) -> None:
    """Otherwise a reader could fill the cache from rows that are about to change."""
    cache, key = system.state.cache, keys.user(5)
    async with system.state.postgres.transaction() as transaction:
        await cache.fence(transaction, [key])

    await cache.drop([key])

    assert not (await cache.acquire([key])).keys


async def test_dropping_invalidates_running_fills(system: System) -> None:
    cache, key = system.state.cache, keys.user(5)
    reader = await cache.acquire([key])

    await cache.drop([key])

    assert await cache.fill(reader, [(key, Cached(1, b"null"), 1000)]) == set()


@pytest.mark.parametrize(("most", "pending_seconds"), [(100, 3.0), (3, 0.1)])
async def test_second_comparisons_do_not_delay_others_unless_too_many_wait(
    system: System, monkeypatch: pytest.MonkeyPatch, most: int, pending_seconds: float
) -> None:
    await populate(system)
    for kind, body in BODIES.items():
        await set_all(system, (await of_kind(system, kind))[:1], 1 << 62, body)
    monkeypatch.setattr(copies, "BATCH", 3)
    monkeypatch.setattr(copies, "_SUSPECTS", most)
    settings = system.settings.model_copy(update={"pending_seconds": pending_seconds})
    drifting, before = 0, list[int]()

    async for compared in PARTS["caches"](replace(system.state, settings=settings)):
        drifting += compared.drifting
        if compared.kind and compared.keys:
            before.append(drifting)

    assert drifting == len(BODIES)
    assert (before[-1] > 0) == (most < len(BODIES))  # whether a second comparison ran before the last first comparison


async def test_all_reads_count_for_the_rate_limit(system: System) -> None:
    await populate(system)
    redis = system.state.redis
    keys_there = [key async for some in redis.scan(100) for key in some]

    compared = [one async for one in PARTS["sets"](system.state)]

    of_a_kind = sum(one.keys for one in compared if one.kind)
    assert sum(one.keys for one in compared) == len(keys_there) > of_a_kind > 0
