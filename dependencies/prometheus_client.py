"""A private method of prometheus_client: where its process metrics get the boot time from.

**What.** `ProcessMetrics` overrides `_boot_time` of `ProcessCollector`.

**Why.** The library reads the boot time from /proc/stat, and exports no process metrics if it cannot. A sandbox may
hide that file (`ProcSubset=pid` of systemd, as in deploy/systemd). The path of /proc is an argument, the boot time is
not.

**Test.** tests/dependencies/test_prometheus_client.py collects the metrics without a /proc/stat.

**Upgrade.** Read `prometheus_client/process_collector.py`. To do without: use `ProcessCollector`, and remove
`ProcSubset=pid` from deploy/systemd.
"""

import time

from prometheus_client import ProcessCollector


class ProcessMetrics(ProcessCollector):
    """The `process_` metrics, without the need for /proc/stat. Creating an object registers the metrics."""

    def _boot_time(self) -> float:
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
