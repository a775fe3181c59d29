"""Runs a worker inside the benchmark's process, for sections that measure how journals are emptied."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bench.machine import Machine
from state import calm_collector
from workers.worker import Worker


@asynccontextmanager
async def working(machine: Machine) -> AsyncIterator[Worker]:
    """Yields a worker that owns all journal partitions, after it has emptied the journals.

    It removes changes from the pending changes as soon as it has published them, without the usual delay. So a
    measurement includes this work but no waiting.
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
    """Runs the worker until the journals are empty. Returns the number of entries that it has stored."""
    handled = 0
    while step := await worker.step():
        handled += step
    return handled
