"""Checks the metrics of each process about itself: role and version, CPU and memory, and no values that it does not
know.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from runner.ports import free_port
from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.deployment import deployed

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "deploy/systemd/plaudit-.service.d").glob("*")
UNSHARE = shutil.which("unshare")
EXPORT = "import observability.metrics, prometheus_client as p; print(p.generate_latest().decode())"
OF_WORKERS = {
    "plaudit_partitions_owned",
    "plaudit_journal_max_entries",
    "plaudit_write_limit_entries",
    "plaudit_fanout_lag_seconds",
    "plaudit_moderation_oldest_case_seconds",
    "plaudit_moderation_oldest_appeal_seconds",
    "plaudit_dead_letters_waiting",
    "plaudit_search_waiting",
    "plaudit_search_lag_seconds",
}
"""Gauges that only workers know."""


def values(page: str) -> dict[str, list[float]]:
    """Returns the values of all series by name."""
    found: dict[str, list[float]] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample.value)
    return found


def can_hide_proc() -> bool:
    """Returns whether this test may mount another /proc for a process."""
    if UNSHARE is None or os.geteuid() != 0:
        return False
    return subprocess.run([UNSHARE, "-m", "true"], check=False).returncode == 0


@pytest.mark.skipif(not can_hide_proc(), reason="needs root rights and mount namespaces")
def test_a_sandbox_that_hides_the_kernel_does_not_hide_cpu_and_memory() -> None:
    assert any("ProcSubset=pid" in file.read_text() for file in UNIT)
    hide = 'mount -t proc -o subset=pid proc /proc && test ! -e /proc/stat && exec "$0" -c "$1"'
    began = time.time()

    assert UNSHARE
    argv = [UNSHARE, "-m", "sh", "-c", hide, sys.executable, EXPORT]
    page = subprocess.run(argv, check=True, capture_output=True, text=True, cwd=ROOT).stdout

    found = values(page)
    assert found["process_cpu_seconds_total"] > [0]
    assert found["process_resident_memory_bytes"] > [1_000_000]
    assert found["process_open_fds"] > [0]
    assert began - 2 < found["process_start_time_seconds"][0] < time.time() + 2


@pytest.mark.prove
@pytest.mark.timeout(180)
async def test_a_process_exports_what_it_is_and_only_what_it_knows(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, ports = tmp_path_factory.mktemp("stores"), [free_port(), free_port()]
    with (
        Postgres(folder / "postgres", durable=False) as postgres,
        Valkey(folder / "valkey") as valkey,
        deployed(tmp_path, postgres.url, valkey.url, metrics_port=ports[0]) as deployment,
    ):
        deployment.migrate()
        deployment.start_api()
        worker = deployment.start_worker(metrics_port=ports[1])
        await deployment.ready()
        await deployment.workers_started(worker)
        async with httpx.AsyncClient(trust_env=False) as http, asyncio.timeout(60):
            while True:
                pages = [(await http.get(f"http://127.0.0.1:{port}/metrics")).text for port in ports]
                if values(pages[1]).keys() >= OF_WORKERS:
                    break
                await asyncio.sleep(0.2)

    assert OF_WORKERS & values(pages[0]).keys() == set()
    for role, page in zip(("api", "worker"), pages, strict=True):
        assert 'plaudit_build_info{python="3.' in page
        assert f'role="{role}",version="{version("plaudit")}"}} 1.0' in page
        assert values(page)["plaudit_partitions"] == [8]
