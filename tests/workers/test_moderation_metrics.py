"""Metrics of the moderation queue and of decisions."""

from observability import metrics
from tests.support import reports
from tests.support.appeals import appeal
from tests.support.metrics import metric
from tests.support.posts import decide, published
from tests.support.statements import statements
from tests.support.stores import standalone
from tests.support.suspensions import suspend
from tests.support.system import System
from workers.moderation_metrics import measure_moderation


def cases() -> dict[str, float]:
    """Returns the exported numbers of open cases by source, without those that are zero."""
    (gauge,) = metrics.MODERATION_CASES.collect()
    return {sample.labels["source"]: sample.value for sample in gauge.samples if sample.value}


def decisions() -> dict[tuple[str, str], float]:
    (gauge,) = metrics.MODERATION_DECISIONS.collect()
    return {(sample.labels["role"], sample.labels["action"]): sample.value for sample in gauge.samples}


@standalone
async def test_the_leader_exports_the_queue_and_the_decisions(system: System) -> None:
    await measure_moderation(system.state, lambda: True)
    assert (cases(), decisions(), metric("moderation_oldest_case_seconds")) == ({}, {}, 0)

    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    held, both, fine = await published(alice, "get rich quick", "get rich quick now", "hello")
    await system.drain()
    await reports.reported(bob, fine)
    await system.drain()
    await reports.reported(mia, both)
    await decide(mia, held, "APPROVE")
    await system.drain()
    await system.rows("UPDATE cases SET moment = moment - 3686400000 WHERE sources <> 0 RETURNING 1")

    await measure_moderation(system.state, lambda: True)
    assert cases() == {"words": 1, "reports": 2}
    assert decisions() == {("rules", "held"): 2, ("moderator", "approved"): 1}
    assert 3600 <= metric("moderation_oldest_case_seconds") < 3660

    await measure_moderation(system.state, lambda: False)
    assert (cases(), decisions(), metric("moderation_oldest_case_seconds")) == ({}, {}, 0)


@standalone
async def test_the_leader_exports_the_age_of_the_oldest_appeal(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await system.drain()
    await decide(mia, post, "REJECT")
    await suspend(mia, await bob.id(), "READ_ONLY")
    await system.drain()
    await appeal(alice, post)
    await appeal(bob, (await statements(bob))[0]["id"])
    await system.drain()

    await measure_moderation(system.state, lambda: True)
    assert 0 <= metric("moderation_oldest_appeal_seconds") < 60
    for table, column, hours in (("statements", "appeal_version", 1), ("appeals", "version", 2)):
        earlier = f"{column} = {column} - ({hours} * 3600000::bigint << 20)"
        await system.rows(f"UPDATE {table} SET {earlier} RETURNING 1")  # noqa: S608 - constants
        await measure_moderation(system.state, lambda: True)
        assert hours * 3600 <= metric("moderation_oldest_appeal_seconds") < hours * 3600 + 60

    await measure_moderation(system.state, lambda: False)
    assert metric("moderation_oldest_appeal_seconds") == 0
