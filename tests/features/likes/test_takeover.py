"""Takeover of partitions during likes: leases, answers during a takeover, and fencing of the old worker."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from models.counters import CounterKind, EntityRef
from settings import USERS, Settings
from store import keys
from store.reactions import counts
from store.write_log.partition_leases import Fenced, advance_heads
from tests.support.stores import standalone
from tests.support.system import Person, System, running
from tests.support.workers import leases_run_out, ready, settled, unhandled_batch
from workers.persist import persist

SEEN = """query ($id: ID!) { node(id: $id) { ... on Entity {
  likeCount dislikeCount viewerReaction owner { likesReceivedCount } likers { nodes { handle } } } } }"""


async def seen(person: Person, video: str) -> tuple[int, str | None, int]:
    """Returns the likes, the person's own reaction, and the likes that the owner received."""
    node = (await person.ask(SEEN, id=video))["node"]
    return node["likeCount"], node["viewerReaction"], node["owner"]["likesReceivedCount"]


@standalone
@pytest.mark.parametrize("many", [1, 2, 3, 4, 7])
async def test_any_number_of_workers_share_all_partitions_and_no_partition_has_two_owners(
    system: System, many: int
) -> None:
    workers = [await ready(system) for _ in range(many)]
    for worker in [*workers, *workers]:
        await worker.ownership.renew()

    shares = [sorted(worker.owned) for worker in workers]
    assert sorted(p for share in shares for p in share) == list(range(system.settings.partitions))
    assert max(map(len, shares)) == -(-system.settings.partitions // many)


@standalone
async def test_a_worker_takes_over_only_after_the_lease_has_expired(system: System) -> None:
    owner = await ready(system)
    other = await ready(system)
    assert not other.owned

    await leases_run_out(system)
    await other.ownership.renew()

    assert len(other.owned) == system.settings.partitions
    assert {partition.epoch for partition in other.owned.values()} == {2}
    await owner.ownership.renew()
    assert not owner.owned


@standalone
async def test_a_worker_cannot_take_over_during_a_commit(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = system.person("alice")
    await alice.like(video)
    slow = await ready(system)
    owned, (entry,) = await unhandled_batch(slow)
    own = owned[entry.partition]
    await leases_run_out(system)

    async with system.state.postgres.transaction() as transaction:
        await advance_heads(transaction, {own.p: (own.epoch, own.head, entry.version)})
        other = await ready(system)
        assert own.p not in other.owned

    await other.ownership.renew()
    assert other.owned[own.p].head == entry.version


async def test_answers_are_right_at_every_stage_of_a_takeover(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")
    assert await seen(bob, video) == (0, None, 0)  # fills the cache

    await alice.like(video)
    old_worker = await ready(system)
    owned, entries = await unhandled_batch(old_worker)
    await persist(system.state, owned, entries)
    assert await seen(alice, video) == (1, "LIKE", 0)  # the cached counter with her pending like
    assert await seen(bob, video) == (0, None, 0)

    await evict_counters(system)
    assert await seen(alice, video) == (1, "LIKE", 1)  # the row, which includes her pending like
    assert await seen(bob, video) == (1, None, 1)

    await alice.unlike(video)
    await leases_run_out(system)
    new_owner = await ready(system)
    assert await seen(alice, video) == (0, None, 1)  # likes that the owner received change when they are published
    await new_owner.step()
    assert await seen(alice, video) == await seen(bob, video) == (0, None, 0)
    await settled(system, new_owner)
    assert await seen(alice, video) == await seen(bob, video) == (0, None, 0)
    assert (await system.state.journals.lengths(range(4))) == [0, 0, 0, 0]


async def test_the_new_owner_publishes_changes_that_the_old_worker_only_committed(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")
    await seen(bob, video)
    await alice.like(video)
    old_worker = await ready(system)
    await persist(system.state, *await unhandled_batch(old_worker))
    stored = await system.rows("SELECT * FROM counters ORDER BY kind")
    await leases_run_out(system)

    await settled(system, await ready(system))

    assert await seen(bob, video) == (1, None, 1)
    assert (await bob.ask(SEEN, id=video))["node"]["likers"]["nodes"] == [{"handle": "alice"}]
    assert await system.rows("SELECT * FROM counters ORDER BY kind") == stored
    (user,) = await system.rows("SELECT user_id FROM reactions")
    assert (await system.state.pending.get(user[0])).histories == {}


@standalone
@pytest.mark.parametrize("new_owner_has_worked", [False, True])
async def test_a_worker_that_resumes_after_a_takeover_is_fenced(system: System, new_owner_has_worked: bool) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = system.person("alice")
    old_worker = await ready(system)
    await alice.like(video)
    batch = await unhandled_batch(old_worker)
    await leases_run_out(system)
    new_owner = await ready(system)
    if new_owner_has_worked:
        await settled(system, new_owner)
    before = await stored_rows(system)

    with pytest.raises(Fenced):
        await old_worker.handle(*batch)

    assert await stored_rows(system) == before
    assert not old_worker.owned.keys() & {entry.partition for entry in batch[1]}
    await settled(system, old_worker)
    await settled(system, new_owner)
    assert await seen(alice, video) == (1, "LIKE", 1)
    assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]


@standalone
async def test_a_paused_worker_does_not_replace_newer_cached_counters(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")
    await seen(bob, video)
    all_refs = await refs(system)
    read_back = await counts.read(system.state.postgres, all_refs)  # the worker pauses here
    await alice.like(video)
    await settled(system, await ready(system))

    await system.state.cache.publish([(keys.counts(r), counts.encode(row)) for r, row in read_back.items()], 60_000)

    assert await seen(bob, video) == (1, None, 1)


@standalone
async def test_a_paused_reader_does_not_fill_older_counters_than_the_published_ones(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")
    await alice.like(video)
    all_refs = await refs(system)
    await evict_counters(system)
    lease = await system.state.cache.acquire([keys.counts(ref) for ref in all_refs])
    assert len(lease.keys) == len(all_refs)
    read = await counts.read(system.state.postgres, all_refs)  # the worker pauses here
    await settled(system, await ready(system))

    await system.state.cache.fill(lease, [(keys.counts(r), counts.encode(row), 60_000) for r, row in read.items()])

    assert await seen(bob, video) == (1, None, 1)


@standalone
async def test_reading_the_tail_of_a_journal_again_changes_nothing(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(journal_tail_seconds=60.0)) as system:
        (video,) = await system.videos("v1", owner="owen")
        people = [system.person(name) for name in ("alice", "bob", "carol")]
        for verb in ("like", "unlike", "dislike", "like"):
            for person in people[: 3 if verb == "like" else 2]:
                await person.react(verb, video)
        await people[2].unlike(video)
        await settled(system, await ready(system))
        shown, before = [await seen(person, video) for person in people], await stored_rows(system)
        assert shown == [(2, "LIKE", 2), (2, "LIKE", 2), (2, None, 2)]

        for _ in range(2):
            await leases_run_out(system)
            new_owner = await ready(system)
            assert await new_owner.step() == 10
            assert [await seen(person, video) for person in people] == shown

        assert await stored_rows(system) == before
        likers = (await people[0].ask(SEEN, id=video))["node"]["likers"]["nodes"]
        assert sorted(liker["handle"] for liker in likers) == ["alice", "bob"]


async def test_a_killed_worker_is_replaced_and_every_reaction_counts_once(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(partition_lease_seconds=2.0, batches={"window_seconds": 0.01})) as system:
        videos = await system.videos("v1", "v2", "v3", owner="owen")
        people = [system.person(f"person{i}") for i in range(6)]
        stop = asyncio.Event()
        victim, survivor = (asyncio.create_task(system.worker().run(stop)) for _ in range(2))
        try:
            for round_ in range(4):
                verbs = ("like", "unlike", "like", "dislike")[round_]
                await asyncio.gather(*[person.react(verbs, video) for person in people for video in videos])
                if round_ == 1:
                    victim.cancel()
            await drained(system)
        finally:
            stop.set()
            await asyncio.gather(victim, survivor, return_exceptions=True)

        sums = dict(await system.rows("SELECT kind, sum(value)::int FROM counters GROUP BY kind"))
        assert {CounterKind.LIKES_RECEIVED: 0} | sums == {
            CounterKind.LIKES: 0,
            CounterKind.DISLIKES: 18,
            CounterKind.LIKES_RECEIVED: 0,
        }
        assert await system.rows("SELECT state, count(*) FROM reactions GROUP BY state") == [(2, 18)]
        assert await system.rows("SELECT count(*) FROM like_log") == [(4 * 18,)]


async def drained(system: System) -> None:
    """Waits until every acknowledged change is in the tables."""
    partitions = range(system.settings.partitions)
    async with asyncio.timeout(30):
        while True:
            heads: dict[int, int] = dict(await system.rows("SELECT p, head FROM partitions"))
            waiting: Sequence[Any] = await system.state.journals.read([(p, heads[p], 1) for p in partitions])
            if not any(waiting):
                return
            await asyncio.sleep(0.05)


async def evict_counters(system: System) -> None:
    """Evicts all cached counters."""
    await system.state.cache.redis.gather([("DEL", keys.counts(ref)) for ref in await refs(system)], write=True)


async def refs(system: System) -> list[EntityRef]:
    """Returns all objects with counters: all entities and all users."""
    entities = await system.rows("SELECT business_id, entity_id FROM entities")
    users = await system.rows("SELECT user_id FROM users")
    return [*(EntityRef(*row) for row in entities), *(EntityRef(USERS, row[0]) for row in users)]


async def stored_rows(system: System) -> list[list[tuple[Any, ...]]]:
    """Returns all rows about reactions, and the heads of the partitions."""
    return [
        await system.rows("SELECT * FROM reactions ORDER BY user_id, entity_id"),
        await system.rows("SELECT * FROM counters ORDER BY business_id, entity_id, kind"),
        await system.rows("SELECT * FROM like_log ORDER BY user_id, version"),
        await system.rows("SELECT p, head FROM partitions ORDER BY p"),
    ]
