"""Measures the cost of requests: round trips to Redis, SQL queries, planned operations."""

from typing import Any

from prometheus_client import REGISTRY

from observability import metrics
from tests.support.system import Person

Cost = tuple[int, int]
"""Round trips to Redis, and SQL queries."""


def counted_plans() -> dict[tuple[str, str], float]:
    """Returns how many operations were planned so far, by outcome and reason."""
    return {
        (sample.labels["outcome"], sample.labels["reason"]): sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
        if sample.name == "plaudit_plans_total"
    }


async def cost(person: Person, query: str, **variables: Any) -> Cost:
    """Returns the round trips and SQL queries of one request, which must succeed."""
    await person.ask(query, **variables)
    usage = metrics.usage.get()
    assert usage is not None
    return usage.redis_round_trips, usage.sql_queries
