"""A worker inside the benchmark's own process, for sections that measure draining."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bench.machine import Machine
from state import calm_collector
from workers.worker import Worker


@asynccontextmanager
async def working(machine: Machine) -> AsyncIterator[Worker]:
    """A worker that owns all partitions and has emptied them.

    What it publishes is swept at once, within the turn that is measured: waiting would be no work.
    """
    settings = machine.settings.model_copy(update={"pending_seconds": 0.0})
    worker = Worker(replace(machine.state, settings=settings), "bench")
    await worker.ownership.renew()
    await emptied(worker)
    calm_collector()
    try:
        yield worker
    finally:
        await worker.ownership.leave()


async def emptied(worker: Worker) -> int:
    """Steps until the journals are empty. Returns the entries."""
    handled = 0
    while step := await worker.step():
        handled += step
    return handled
