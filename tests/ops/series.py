"""The series that Prometheus gets from a process of Plaudit, by the definitions of the metrics."""

from prometheus_client.metrics import MetricWrapperBase

from observability import metrics

_SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
OF_PROMETHEUS = {"le", "instance", "job"}
"""Labels that series have in addition."""


def series() -> dict[str, set[str]]:
    """Returns the names of all exported series, with their labels."""
    return {
        described.name + suffix: set(collector._labelnames)
        for collector in vars(metrics).values()
        if isinstance(collector, MetricWrapperBase)
        for described in collector.describe()
        for suffix in _SUFFIXES[described.type]
    }
