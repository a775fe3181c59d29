"""Batches: a batch takes entries of several partitions and writes shared rows once."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from settings import Settings
from tests.support.journal_entries import append, like_of, neighbours, ref_of
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import ready


@standalone
@pytest.mark.parametrize("batch_entries", [1, 2, 3, 7])
async def test_a_deep_backlog_in_every_partition_drains(
    make_settings: Callable[..., Settings], batch_entries: int
) -> None:
    """A batch may have fewer entries than there are partitions."""
    async with running(make_settings(batches={"entries": batch_entries})) as system:
        (video,) = await system.videos("v1")
        ref = await ref_of(system, video)
        (alice,) = await neighbours(system, 1)
        for partition in range(system.settings.partitions):
            for number in range(10):
                await append(system, partition, like_of(alice, ref, actor=1000 * partition + number))
        worker = await ready(system)

        batches = 0
        while await worker.step():
            batches += 1

        assert await system.rows("SELECT count(*) FROM reactions") == [(40,)]
        assert await system.rows("SELECT value FROM counters") == [(40,)]
        assert batches <= 40


@standalone
async def test_a_hot_entity_costs_one_counter_write_per_batch(system: System) -> None:
    (video,) = await system.videos("v1")
    ref = await ref_of(system, video)
    (alice,) = await neighbours(system, 1)
    for number in range(400):
        await append(system, number % system.settings.partitions, like_of(alice, ref, actor=1000 + number))
    worker = await ready(system)
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text("TRUNCATE counters"))  # removes space of deleted rows

    assert await worker.step() == 400

    # The counter is still at its first place in the table, so it was not updated.
    assert await system.rows("SELECT value, ctid::text FROM counters") == [(400, "(0,1)")]
