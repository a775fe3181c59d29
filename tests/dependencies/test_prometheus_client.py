"""The part of prometheus_client that dependencies/prometheus_client.py takes."""

from pathlib import Path

import psutil
import pytest
from prometheus_client import CollectorRegistry, ProcessCollector

from dependencies.prometheus_client import ProcessMetrics
from tests.dependencies.library import Library

PROMETHEUS_CLIENT = Library("prometheus-client", "prometheus_client")


def test_process_metrics_need_no_proc_stat(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to("/proc/self")
    own, of_library = CollectorRegistry(), CollectorRegistry()

    ProcessMetrics(proc=str(tmp_path), registry=own)
    ProcessCollector(proc=str(tmp_path), registry=of_library)

    started = own.get_sample_value("process_start_time_seconds")
    assert started == pytest.approx(psutil.Process().create_time(), abs=2), PROMETHEUS_CLIENT.has_changed(
        "_boot_time does not set the boot time"
    )
    assert own.get_sample_value("process_resident_memory_bytes")
    assert of_library.get_sample_value("process_start_time_seconds") is None, (
        "prometheus_client needs no /proc/stat any more: use its ProcessCollector, and remove ours"
    )
