"""Processes that are killed under load: what was acknowledged is there once, and nothing else is."""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from tests.faults.checker import assert_consistent
from tests.faults.deployment import Deployment
from tests.faults.load import History, working

ROUNDS = 20


@dataclass
class Running:
    """The stores, an API and two workers, whichever processes they are just now."""

    postgres: Postgres
    valkey: Valkey
    deployment: Deployment
    api: Process
    workers: list[Process]

    async def kill_worker(self, history: History) -> None:
        """One of the two, at any moment of its batch; the other takes over, and later there are two again."""
        victim = random.randrange(2)
        self.workers[victim].kill()
        await history.grows(random.randrange(40))
        self.workers[victim] = self.deployment.start_worker()

    async def kill_workers(self, history: History) -> None:
        """Both: nobody works for a while."""
        for worker in self.workers:
            worker.kill()
        await history.grows(random.randrange(40))
        self.workers = [self.deployment.start_worker() for _ in self.workers]

    async def kill_api(self, history: History) -> None:
        """Requests under way are never answered; their clients come again."""
        self.api.kill()
        self.api = self.deployment.start_api()
        await history.grows(1)

    async def kill_all(self, history: History) -> None:
        """Everything but the stores, at once."""
        for process in (self.api, *self.workers):
            process.kill()
        self.api = self.deployment.start_api()
        self.workers = [self.deployment.start_worker() for _ in self.workers]
        await history.grows(1)

    async def zombie(self, history: History) -> None:
        """One worker is killed, the other stands still for longer than its lease, and then goes on where it was."""
        dead, zombie = self.workers
        os.kill(zombie.pid, signal.SIGSTOP)
        dead.kill()
        self.workers[0] = self.deployment.start_worker()
        await asyncio.sleep(2.5 * self.deployment.settings.lease)
        await history.grows(40)
        os.kill(zombie.pid, signal.SIGCONT)

    async def restart(self, history: History) -> None:
        """Asked to end, as in a rolling restart: the API finishes its requests, the workers their batches."""
        for process in (self.api, *self.workers):
            os.kill(process.pid, signal.SIGTERM)
        while self.api.running:
            await asyncio.sleep(0.02)
        self.api = self.deployment.start_api()
        self.workers = [self.deployment.start_worker() for _ in self.workers]
        await history.grows(1)

    async def kill_postgres(self, history: History) -> None:
        """The truth crashes and recovers; meanwhile what needs none of it is acknowledged."""
        self.postgres.kill()
        await asyncio.sleep(random.random())
        self.postgres.start()
        await history.grows(1)

    async def kill_valkey(self, history: History) -> None:
        """The journals' server crashes and reads its append-only file. What is shown meanwhile comes from the rows
        alone, so that the changes of the last moment are missing from it.
        """
        self.valkey.kill()
        await asyncio.sleep(random.random())
        self.valkey.start()
        await history.grows(1)
        history.broken.clear()


Fault = Callable[[Running, History], Awaitable[None]]
FAULTS: list[Fault] = [Running.kill_worker, Running.kill_api, Running.kill_all, Running.zombie]
MORE_FAULTS: list[Fault] = [Running.kill_workers, Running.restart, Running.kill_postgres, Running.kill_valkey]


@pytest.fixture(scope="module")
def running(stores: tuple[Postgres, Valkey], deployment: Deployment) -> Running:
    """Started once for all tests: what they kill they replace."""
    return Running(*stores, deployment, deployment.start_api(), [deployment.start_worker() for _ in range(2)])


async def round_of(running: Running, fault: Fault, name: str) -> History:
    """Load, a fault in the midst of it, load again, and rest."""
    await running.deployment.ready()
    await running.deployment.at_work(*running.workers)
    async with working(running.deployment, name) as history:
        await history.grows(random.randrange(80, 160))
        await fault(running, history)
        await history.grows(80)
    return history


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_what_was_acknowledged_is_there_exactly_once(running: Running, fault: Fault) -> None:
    history = await round_of(running, fault, fault.__name__)

    await assert_consistent(running.deployment, history)


@pytest.mark.prove
@pytest.mark.parametrize("fault", [*FAULTS, *MORE_FAULTS], ids=lambda fault: fault.__name__)
async def test_what_was_acknowledged_is_there_exactly_once_every_time(running: Running, fault: Fault) -> None:
    total = 0
    for number in range(ROUNDS):
        history = await round_of(running, fault, f"{fault.__name__}{number}")
        await assert_consistent(running.deployment, history)
        total += history.acknowledged
    print(f"{fault.__name__}: {ROUNDS} rounds, {total} operations acknowledged, each there exactly once")
