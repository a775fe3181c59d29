"""Where nothing is wrong nothing is found, whatever is on its way."""

from tests.support.comments import added
from tests.support.posts import published
from tests.support.reconciliation import dismiss, drift, populate, read
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import ready
from workers.reconcile.run import ReconcileRun


async def test_what_people_do_leaves_no_drift(system: System) -> None:
    await populate(system)

    run = ReconcileRun()
    await run.over(system.state)

    assert {kind: total.drifting for kind, total in run.totals.items() if total.drifting} == {}
    assert {kind for kind, total in run.totals.items() if not total.keys} == set()


@standalone
async def test_what_is_on_its_way_is_no_drift(system: System) -> None:
    population = await populate(system)
    await dismiss(system)
    for handle in ("alice", "bob", "dave"):
        person = system.person(handle)
        await person.react("dislike", population.video)
        await person.like(population.root)
        await added(person, population.posts[1], f"{handle} says so")
        await published(person, "something new")
    await read(system, population)
    assert await drift(system) == {}  # in the journals

    worker = await ready(system)
    await worker.step()
    assert await drift(system) == {}  # stored and published, and pending still; then their worker dies
    await worker.ownership.leave()
    await read(system, population)
    await (await ready(system)).step()

    assert await drift(system) == {}


@standalone
async def test_the_seed_has_none(system: System) -> None:
    await system.seed()
    await system.drain()

    assert await drift(system) == {}
