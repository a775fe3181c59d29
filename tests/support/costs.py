"""What requests cost: round trips, SQL queries, planned operations."""

from typing import Any

from prometheus_client import REGISTRY

from observability import metrics
from tests.support.system import Person


def counted_plans() -> dict[tuple[str, str], float]:
    """Operations so far, by outcome and reason."""
    return {
        (sample.labels["outcome"], sample.labels["reason"]): sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
        if sample.name == "plaudit_plans_total"
    }


Cost = tuple[int, int]
"""Trips to Redis, queries to Postgres."""


async def cost(person: Person, query: str, **variables: Any) -> Cost:
    """What one request cost; it must have succeeded."""
    await person.ask(query, **variables)
    usage = metrics.usage.get()
    assert usage is not None
    return usage.redis_round_trips, usage.sql_queries
