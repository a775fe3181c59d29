"""The wheel of the previous release and the new wheel run side by side on the same stores, while users write."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.guides.versions import PREVIOUS, checked_out, installed, limits_known_to
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.support.deployment import ROOT, Deployment, deployed

pytestmark = [pytest.mark.prove, pytest.mark.timeout(900)]

OLDER = "0.0.1"
"""The version that the older wheel gets, so that the two can be told apart."""
WRITES = 60
"""The fewest operations of each phase."""


def version_in(environment: Mapping[str, str]) -> str:
    """Returns the version of Plaudit that a program with these environment variables runs."""
    asked = [sys.executable, "-m", "plaudit", "--version"]
    printed = subprocess.run(asked, env=environment, check=True, capture_output=True, text=True).stdout
    return printed.removeprefix("plaudit ").strip()


class Both:
    """A deployment whose second API runs the older wheel. `use` chooses the wheel of the other processes."""

    def __init__(self, deployment: Deployment, older: Path, newer: Path) -> None:
        self.deployment = deployment
        self._wheels = {"older": older, "newer": newer}
        self._histories: list[History] = []
        variables = deployment.environment
        variables["PYTHONSAFEPATH"] = "1"  # the checkout is the working directory
        variables["PLAUDIT_LIMITS"] = limits_known_to(older / "plaudit", variables["PLAUDIT_LIMITS"])

    def use(self, which: str) -> None:
        """Lets the next processes run a wheel."""
        self.deployment.environment["PYTHONPATH"] = str(self._wheels[which])
        assert (version_in(self.deployment.environment) == OLDER) is (which == "older")

    async def phase(self, name: str, *apis: int) -> None:
        """Lets users write through these APIs."""
        urls = self.deployment.urls
        self.deployment.urls = [urls[number] for number in apis]
        async with working(self.deployment, name, users=4) as history:
            await history.grows(WRITES)
        self.deployment.urls = urls
        self._histories.append(history)

    async def consistent(self) -> None:
        """Checks that all stores agree with what users wrote in all phases. The check reads the newer tables."""
        for one in self._histories:
            await assert_consistent(self.deployment, one)


@asynccontextmanager
async def both(folder: Path) -> AsyncIterator[Both]:
    older = installed(checked_out(PREVIOUS, folder / "checkout"), folder / "older", OLDER)
    newer = installed(ROOT, folder / "newer")
    with Postgres(folder / "postgres") as postgres, Valkey(folder / "valkey") as valkey:
        second = {"PYTHONPATH": str(older)}
        with deployed(folder, postgres.url, valkey.url, second=second) as deployment:
            yield Both(deployment, older, newer)


async def test_apis_and_workers_of_two_releases_share_the_stores(tmp_path: Path) -> None:
    async with both(tmp_path) as pair:
        deployment = pair.deployment
        pair.use("older")
        deployment.migrate()
        older_worker, older_api = deployment.start_worker(), deployment.start_api(0)
        deployment.start_api(1)
        await deployment.ready()
        await pair.phase("older", 0, 1)

        pair.use("newer")
        deployment.migrate()
        await deployment.workers_started(deployment.start_worker())
        await pair.phase("workers", 0, 1)  # the APIs of the older release, and a worker of each
        await pair.consistent()

        await asyncio.to_thread(older_worker.stop)
        await asyncio.to_thread(older_api.stop)
        deployment.start_api(0)
        await deployment.ready()
        await pair.phase("apis", 0, 1)  # an API of each release, and the newer worker
        await pair.phase("behind", 1)  # if the older API refused its users, they would not go to the newer one
        await pair.consistent()
