"""Where nothing is wrong nothing is found, whatever is on its way."""

from tests.conftest import standalone
from tests.reconcile.world import drift, populate
from tests.system import System
from workers.reconcile.run import Run


async def test_what_people_do_leaves_no_drift(system: System) -> None:
    await populate(system)

    run = Run()
    await run.over(system.state)

    assert {kind: total.drifting for kind, total in run.totals.items() if total.drifting} == {}
    assert {kind for kind, total in run.totals.items() if not total.keys} == set()


@standalone
async def test_the_seed_has_none(system: System) -> None:
    await system.seed()
    await system.drain()

    assert await drift(system) == {}
