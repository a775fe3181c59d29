"""Leases on node numbers: how long a process makes ids without Postgres, and when another one takes its number."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlalchemy import text

from domain.errors import Unavailable
from domain.ids import IdGenerator, wall_clock_ms
from store.write_log import id_leases
from store.write_log.id_leases import NodeLease
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
_PASSED = text("UPDATE nodes SET lease_until = lease_until - CAST(:passed AS interval)")
Leased = Callable[[], Awaitable[tuple[NodeLease, IdGenerator]]]


@pytest.fixture
def clock() -> list[int]:
    return [wall_clock_ms()]


@pytest.fixture
def leased(system: System, clock: list[int], monkeypatch: pytest.MonkeyPatch) -> Leased:
    """Returns a function that makes the lease of another process. There are numbers for two processes."""
    assert system.state.new_id.node == 0
    monkeypatch.setattr(id_leases, "NODES", 3)

    async def make() -> tuple[NodeLease, IdGenerator]:
        ids = IdGenerator(lambda: clock[0])
        lease = NodeLease(system.state.postgres, ids, "a test", lambda: clock[0])
        await lease.renew()
        return lease, ids

    return make


async def passes(system: System, clock: list[int], hours: float) -> None:
    """Lets time pass in which no lease is renewed."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(_PASSED, passed=timedelta(hours=hours))
    clock[0] += int(hours * 3_600_000)


async def test_a_process_makes_ids_for_twelve_hours_without_postgres(
    system: System, clock: list[int], leased: Leased
) -> None:
    _, ids = await leased()
    await passes(system, clock, 12)
    assert ids()
    _, other = await leased()
    assert other.node not in (None, ids.node)

    await passes(system, clock, 1)
    with pytest.raises(Unavailable):
        ids()


async def test_a_number_is_taken_when_its_lease_has_ended_and_no_other_is_free(
    system: System, clock: list[int], leased: Leased
) -> None:
    for _ in range(2):
        assert (await leased())[1].node is not None
    assert (await leased())[1].node is None
    await passes(system, clock, 0.9)
    assert (await leased())[1].node is None

    await passes(system, clock, 0.2)
    assert (await leased())[1].node is not None


async def test_a_returned_number_is_free_at_once(leased: Leased) -> None:
    (_, kept), (lease, ids) = await leased(), await leased()
    assert kept.node != ids.node
    await lease.release()

    assert (await leased())[1].node == ids.node


async def test_a_process_at_a_site_that_only_reads_leases_no_number_until_the_site_writes(
    system: System, clock: list[int]
) -> None:
    ids, only_reads = IdGenerator(lambda: clock[0]), True
    lease = NodeLease(system.state.postgres, ids, "a test", lambda: clock[0], lambda: only_reads)

    await lease.renew()
    assert ids.node is None

    only_reads = False
    await lease.renew()
    assert ids.node is not None
