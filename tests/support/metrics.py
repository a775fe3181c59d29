"""Metrics of this process."""

from prometheus_client import REGISTRY


def metric(name: str, **labels: str) -> float:
    """Returns the value of a metric, 0 if it has none yet. The name goes without `plaudit_`."""
    return REGISTRY.get_sample_value(f"plaudit_{name}", labels) or 0
