"""No request holds the event loop for long, whatever its headers, document and variables are (S3)."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count, repeat

import pytest

from settings import Settings
from tests.support import hostile_documents
from tests.support.event_loop_time import LONGEST, Head, HttpRequest, longest_step
from tests.support.system import LIMITLESS, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
SHORT, LONG = range(80), range(1000, 4000)


@asynccontextmanager
async def attacked(make_settings: Make) -> AsyncIterator[tuple[System, Head]]:
    """Returns a system, and the headers of a privileged user without a cost limit."""
    spending = {"points", "points_per_second", "writes"}
    spendable = {name: budget.model_dump(include=spending) for name, budget in LIMITLESS.budgets.items()}
    async with running(make_settings(limits=spendable, introspection=False)) as system:
        person = system.person("mallory", "entities:write", "users:write")
        await person.ask("{ __typename }")
        yield system, [(b"authorization", person.headers["authorization"].encode())]


def over(sent: Callable[[int], HttpRequest]) -> Iterator[HttpRequest]:
    return map(sent, count())


async def slow_ones(system: System, head: Head, seeds: range) -> dict[int, tuple[float, int]]:
    """Returns the seeds of requests that hold the loop too long, with milliseconds and status."""
    found = {seed: await longest_step(system, over(hostile_documents.request(seed, head))) for seed in seeds}
    assert {status for _, status in found.values()} >= {200, 400, 413, 422}
    return {seed: (round(longest * 1000, 1), status) for seed, (longest, status) in found.items() if longest > LONGEST}


async def test_no_request_holds_the_event_loop_for_twenty_milliseconds(make_settings: Make) -> None:
    async with attacked(make_settings) as (system, head):
        assert not await slow_ones(system, head, SHORT)


async def test_ten_thousand_cursors_do_not_hold_the_event_loop(make_settings: Make) -> None:
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { likers(first: 100) { edges { cursor } } } } }"
    async with attacked(make_settings) as (system, head):
        (video,) = await system.videos("v1")
        for i in range(100):
            await system.person(f"user{i}").like(video)
        await system.drain()
        body = json.dumps({"query": query, "variables": {"ids": [video] * 100}}).encode()

        longest, status = await longest_step(system, repeat(HttpRequest(head=[*HttpRequest().head, *head], body=body)))

    assert status == 200
    assert longest < LONGEST


@pytest.mark.prove
async def test_none_of_thousands_of_requests_holds_the_event_loop(make_settings: Make) -> None:
    async with attacked(make_settings) as (system, head):
        assert not await slow_ones(system, head, LONG)
