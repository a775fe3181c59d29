"""Metrics of what the index for search lacks."""

from tests.support.metrics import metric
from tests.support.posts import publish
from tests.support.search import found
from tests.support.stores import standalone
from tests.support.system import System
from workers.search import index, measure_search


async def lacking(system: System) -> tuple[float, float]:
    """Measures as the leader. Returns the number of changes that wait, and the age of the oldest one in seconds."""
    await measure_search(system.state, lambda: True)
    return metric("search_waiting"), metric("search_lag_seconds")


@standalone
async def test_the_backlog_of_the_index_grows_while_no_worker_indexes_and_falls_when_one_does(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    assert await lacking(system) == (0, 0)

    await publish(alice, "a first comet")
    await system.drain()
    number, young = await lacking(system)
    assert (number, young < 60) == (1, True)
    await system.rows("UPDATE search_due SET version = version - (600000::bigint << 20) RETURNING 1")
    await publish(alice, "a second comet")
    await system.drain()

    number, age = await lacking(system)
    assert number == 2
    assert 600 <= age < 660
    assert await found(bob, "comet") == []

    await index(system.state, lambda: True)
    assert await lacking(system) == (0, 0)
    assert await found(bob, "comet") == ["a second comet", "a first comet"]


@standalone
async def test_requests_of_a_rebuild_count_but_have_no_age(system: System) -> None:
    await publish(system.person("alice"), "a comet")
    await system.drain()
    await system.rows("UPDATE search_due SET version = 0 RETURNING 1")

    assert await lacking(system) == (1, 0)


@standalone
async def test_only_the_leader_exports_the_backlog(system: System) -> None:
    await publish(system.person("alice"), "a comet")
    await system.drain()
    assert (await lacking(system))[0] == 1

    await measure_search(system.state, lambda: False)
    assert (metric("search_waiting"), metric("search_lag_seconds")) == (0, 0)
