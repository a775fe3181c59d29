"""The promise of the overlay with the real stores, which the model of test_overlay.py only imitates."""

import random

import pytest

from models.counters import Counter, CounterKind, EntityRef
from projections.registry import BY_TYPE, events_of
from store.reactions.counts import CounterDeltas, read
from tests.features.likes.modelled_stores import FORGET, Included, merged
from tests.support.journal_entries import neighbours
from tests.support.system import Person, System
from tests.support.workers import ready
from workers.published_changes import remove_pending

LIKE_COUNT = "query ($id: ID!) { node(id: $id) { ... on Reactable { likeCount } } }"


@pytest.fixture
def redis_mode() -> str:
    """Returns `standalone`, because the overlay does not depend on the Redis topology."""
    return "standalone"


async def like_count(person: Person, video: str) -> int:
    return int((await person.ask(LIKE_COUNT, id=video))["node"]["likeCount"])


async def test_the_database_merges_included_versions_as_the_model_does(system: System) -> None:
    chance = random.Random(7)
    for entity in range(100):
        ref = EntityRef(100, entity)
        old, new = (
            {p: chance.randrange(1, 50) for p in range(4) if p == first or chance.random() < 0.6} for first in (0, 1)
        )
        forgets = chance.random() < 0.3
        await add(system, ref, 5, old)
        if forgets:
            await system.rows("UPDATE counters SET version = version - (600001::bigint << 20) RETURNING version")
        await add(system, ref, -2, new)

        counter = (await read(system.state.postgres, [ref]))[ref].get(CounterKind.LIKES)
        assert counter == Counter(3, merged(named(old), named(new), FORGET if forgets else 0))


async def add(system: System, ref: EntityRef, delta: int, included: dict[int, int]) -> None:
    moves = CounterDeltas(included)
    for partition in included:
        moves.add(ref, CounterKind.LIKES, delta if partition == max(included) else 0, partition)
    async with system.state.postgres.transaction() as transaction:
        await moves.write(transaction)


def named(included: dict[int, int]) -> Included:
    return {str(partition): version for partition, version in included.items()}


async def test_a_like_and_unlike_around_another_users_like_in_one_batch_hide_no_like(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = (user.person for user in await neighbours(system, 2))
    await alice.like(video)
    await bob.like(video)
    await alice.unlike(video)
    worker = await ready(system)
    await worker.step()

    assert await like_count(alice, video) == 1
    assert await like_count(bob, video) == 1


async def test_a_like_still_counts_while_two_earlier_changes_that_cancel_out_are_swept(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice,) = await neighbours(system, 1)
    await alice.person.like(video)
    await alice.person.unlike(video)
    worker = await ready(system)
    await worker.step()
    await alice.person.like(video)
    ((first, *_),) = await system.state.journals.read([(alice.partition, 0, 3)])
    (event,) = events_of(first)

    await remove_pending(system.state, [BY_TYPE[type(event)].pending(event)])

    assert await like_count(alice.person, video) == 1


async def test_a_repeated_like_counts_for_the_present_owner_of_the_entity(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = system.person("alice")
    await alice.like(video)
    await system.drain()
    await system.videos("v1", owner="olga")
    await alice.unlike(video)
    await alice.like(video)
    await system.drain()

    assert await likes_received(alice, "owen") == 0
    assert await likes_received(alice, "olga") == 1
    await alice.unlike(video)
    await system.drain()
    assert await likes_received(alice, "olga") == 0
    assert await system.rows("SELECT value FROM counters") == [(0,), (0,), (0,)]


async def likes_received(person: Person, handle: str) -> int:
    data = await person.ask("query ($h: String!) { user(handle: $h) { likesReceivedCount } }", h=handle)
    return int(data["user"]["likesReceivedCount"])
