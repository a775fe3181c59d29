"""The series that Prometheus gets from a process of Plaudit, by the definitions of the metrics."""

from typing import Any

from prometheus_client import REGISTRY, Counter, Gauge, Histogram

import observability.metrics  # noqa: F401 - registers the metrics
from ops.dashboard import series_of

OF_PROMETHEUS = {"le", "instance", "job", "environment"}
"""Labels that series have in addition."""


def series() -> dict[str, set[str]]:
    """Returns the names of all exported series, with their labels."""
    found: dict[str, set[str]] = {}
    for collector in set(REGISTRY._names_to_collectors.values()):
        for metric in collector.collect():
            if metric.name.startswith("plaudit_"):
                has_labels: Any = collector if isinstance(collector, Counter | Gauge | Histogram) else metric
                found |= {name: set(has_labels._labelnames) for name in series_of(metric)}
    return found
