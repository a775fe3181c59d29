"""Reconciliation of correct data finds no drift, also while changes are in progress."""

from tests.support.comments import added
from tests.support.posts import published
from tests.support.reconciliation import dismiss, drift, populate, read
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import ready
from workers.reconcile.run import ReconcileRun


async def test_normal_use_causes_no_drift(system: System) -> None:
    await populate(system)

    run = ReconcileRun()
    await run.execute(system.state)

    assert {kind: total.drifting for kind, total in run.totals.items() if total.drifting} == {}
    assert {kind for kind, total in run.totals.items() if not total.keys} == set()


@standalone
async def test_changes_in_progress_are_no_drift(system: System) -> None:
    population = await populate(system)
    await dismiss(system)
    for handle in ("alice", "bob", "dave"):
        person = system.person(handle)
        await person.react("dislike", population.video)
        await person.like(population.root)
        await added(person, population.posts[1], f"{handle} says so")
        await published(person, "something new")
    await read(system, population)
    assert await drift(system) == {}  # the changes are in journals

    worker = await ready(system)
    await worker.step()
    assert await drift(system) == {}  # the changes are stored, published and still pending; then their worker dies
    await worker.ownership.leave()
    await read(system, population)
    await (await ready(system)).step()

    assert await drift(system) == {}
