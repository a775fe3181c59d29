"""Checks which modules an API process loads, and how much memory the process takes."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.deployment import ROOT, SECRET, deployed
from tests.support.stores import PARTITIONS, standalone

MEGABYTE, FORKED = 1_000_000, 4
RESIDENT = 118 if sys.version_info < (3, 12) else 152
"""The most megabytes of resident memory of an idle API process; on newer Pythons, kernels differ by 7 MB."""
DOCUMENTED = 90 if sys.version_info < (3, 12) else 120
"""The most megabytes that an idle API process takes besides mapped files, on Python 3.11 and on newer Pythons
(docs/internals/performance.md).
"""
BUILD = "from settings import Settings; server.create_app(Settings())"
"""Builds the application with production settings, the default."""
LOADED = "import sys; print(*sys.modules)"
NEVER = {
    *("archive", "babel", "fluent.runtime"),
    *("alembic", "httpx", "mako", "psutil", "pygments", "rich", "sqlalchemy.orm"),
    *("bench", "models.database.migrations", "seed", "tests", "web", "workers"),
}
"""Modules for commands, workers, development and tests, and those that an API process loads when it first needs
them.
"""
RELAXED = ("postgres.fsync", "postgres.full_page_writes", "postgres.synchronous_commit")
"""Findings about the servers of these tests, which would prevent the start in production."""


def loaded_by(program: str) -> set[str]:
    """Returns the modules that a program has loaded at its end."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PLAUDIT_JWT_SECRET": SECRET}
    words = [sys.executable, "-c", f"{program}; {LOADED}"]
    return set(subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.split())


def test_the_application_loads_no_module_that_requests_do_not_need() -> None:
    loaded = loaded_by(f"import server; {BUILD}")

    assert {"api", "schema", "strawberry"} <= loaded
    assert loaded & (NEVER | {"cli", "runner", "typer"}) == set()


def test_the_command_that_serves_the_application_adds_only_the_command_line() -> None:
    added = loaded_by(f"import cli.main, server; {BUILD}")

    assert "typer" in added
    assert added & NEVER == set()


async def taken_by_an_idle_process(folder: Path, database_url: str, redis_url: str) -> tuple[float, float]:
    """Starts an API process with production settings. Returns the memory that it takes without requests, in megabytes:
    all of it, and without mapped files. The kernel decides how much of the mapped files is in memory.
    """
    production = {"env": "production", "partitions": PARTITIONS, "accepted_findings": RELAXED}
    with deployed(folder, database_url, redis_url, **production) as deployment:
        process = deployment.start_api()
        await deployment.ready()
        await asyncio.sleep(2)

        memory = psutil.Process(process.pid).memory_info()

    taken, own = memory.rss / MEGABYTE, (memory.rss - memory.shared) / MEGABYTE
    print(f"{taken:.1f} MB, {own:.1f} MB without mapped files")
    return taken, own


@pytest.mark.prove
@pytest.mark.xfail(strict=True, reason="missed: docs/internals/performance.md says what takes the memory")
@standalone
async def test_an_idle_api_process_takes_at_most_110_megabytes(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    assert (await taken_by_an_idle_process(tmp_path, database_url, redis_url))[0] <= 110


@pytest.mark.prove
@standalone
async def test_an_idle_api_process_takes_no_more_memory_than_documented(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    resident, own = await taken_by_an_idle_process(tmp_path, database_url, redis_url)

    assert own <= DOCUMENTED
    assert resident <= RESIDENT


def shared_fairly(pid: int) -> float:
    """Returns the memory of a process in megabytes, with its share of the pages that several processes use."""
    return psutil.Process(pid).memory_full_info().pss / MEGABYTE


@pytest.mark.prove
@standalone
async def test_four_processes_of_one_server_share_half_of_their_memory(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    production = {"env": "production", "partitions": PARTITIONS, "accepted_findings": RELAXED}
    with deployed(tmp_path, database_url, redis_url, **production) as deployment:
        parent = deployment.start_api(processes=FORKED)
        await deployment.ready()
        await asyncio.sleep(5)  # until all children serve
        children = [child.pid for child in psutil.Process(parent.pid).children()]
        taken = sum(map(shared_fairly, [parent.pid, *children])) / FORKED

    print(f"{taken:.1f} MB for each of {FORKED} processes")
    assert len(children) == FORKED
    assert taken <= 75
