"""Requests that record views and shares."""

import time
from typing import Any

import pytest

from tests.support.system import Person

RECORD = """mutation ($ids: [ID!]!) { %s(input: {targetIds: $ids}) {
  targets { id viewCount shareCount } userErrors { code } } }"""


COUNTS = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { viewCount shareCount } } }"


@pytest.fixture(autouse=True)
def not_at_the_end_of_an_hour() -> None:
    """Waits for the next hour if this one ends soon: views of two hours would count twice."""
    left = 3600 - time.time() % 3600
    if left < 20:
        time.sleep(left)


async def record(person: Person, mutation: str, *ids: str) -> list[Any]:
    """Returns the targets of a mutation that must succeed."""
    payload = (await person.ask(RECORD % mutation, ids=list(ids)))[mutation]
    assert payload["userErrors"] == []
    return list(payload["targets"])


async def view(person: Person, *ids: str) -> list[int]:
    return [target["viewCount"] for target in await record(person, "recordViews", *ids)]


async def share(person: Person, *ids: str) -> list[int]:
    return [target["shareCount"] for target in await record(person, "recordShares", *ids)]


async def counts(person: Person, *ids: str) -> list[tuple[int, int]]:
    """Returns (views, shares) of each target."""
    nodes = (await person.ask(COUNTS, ids=list(ids)))["nodes"]
    return [(node["viewCount"], node["shareCount"]) for node in nodes]
