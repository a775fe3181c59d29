"""Metrics of the moderation queue and of decisions."""

from observability import metrics
from tests.support import reports
from tests.support.metrics import metric
from tests.support.posts import decide, published
from tests.support.stores import standalone
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
