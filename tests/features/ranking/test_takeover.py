"""A worker stops between commit and publication: the next worker publishes the scores."""

from tests.features.ranking.ranked_lists import board, hottest, react_as_many
from tests.support.posts import delete, published
from tests.support.system import System
from tests.support.workers import leases_run_out, ready, settled, unhandled_batch
from workers.persist import persist


async def test_the_next_worker_ranks_changes_that_were_committed_and_not_published(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    first, second, third = await published(alice, "first", "second", "third")
    stopped_worker = await ready(system)
    await settled(system, stopped_worker)
    await react_as_many(system, second, count=1)
    await settled(system, stopped_worker)
    assert await hottest(bob) == ["second", "third", "first"]
    assert await board(bob, "DAY", "post") == [(1, 1, "second")]

    await react_as_many(system, first, count=3)
    await published(alice, "fourth")
    await delete(alice, third)
    await persist(system.state, *await unhandled_batch(stopped_worker))
    assert await hottest(bob) == ["second", "third", "first"]
    await leases_run_out(system)
    await settled(system, await ready(system))

    assert await hottest(bob) == ["first", "second", "fourth"]
    assert await board(bob, "DAY", "post") == [(1, 3, "first"), (2, 1, "second")]
    assert await system.rows("SELECT sum(value) FROM daily_likes") == [(4,)]
