"""The price of an operation follows its CPU time: no point costs much more CPU than the usual one."""

import asyncio
import json
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

import pytest

from api.messages import GraphQLRequest
from settings import Settings
from store.groups import chunks
from tests.api.limits.argument_values import made_values
from tests.support.event_loop_time import HttpRequest, call
from tests.support.follows import follow_people
from tests.support.posts import publish
from tests.support.priced_operations import PricedOperation, Values, mutations, queries, unknown
from tests.support.reports import reported
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

WORST = 10
"""The most CPU time of a point, as a multiple of the median."""
REPETITIONS = 5
FRIENDS, POSTS = 50, 200
SUBSCRIPTIONS = {
    "reactableChanged": "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { __typename } }",
    "notificationReceived": "subscription { notificationReceived { edge { cursor } } }",
    "homePostAdded": "subscription { homePostAdded { cursor } }",
}


class Measured(NamedTuple):
    """The CPU time of a point of an operation, in microseconds."""

    per_point: float
    cost: int
    operation: PricedOperation

    def __str__(self) -> str:
        return (
            f"{self.per_point:6.0f} µs a point, {self.cost} points: {self.operation.coordinate} {self.operation.text}"
        )


UNKNOWN: dict[str, Callable[[int], Any]] = {
    "handle": lambda n: f"unknown{n}",
    "key": lambda n: f"unknown{n}",
    "name": lambda n: f"unknown{n}",
    "id": lambda n: f"Post:{10**17 + n}",
    "externalIds": lambda n: [f"unknown{n}"],
    "keys": lambda n: [f"unknown{n}"],
    "ids": lambda n: [f"User:{10**17 + n}"],
    "userId": lambda n: f"User:{10**17 + n}",
    "targetId": lambda n: f"Post:{10**17 + n}",
}


async def least_cpu(work: Callable[[int], Awaitable[None]]) -> float:
    """Returns the CPU microseconds of a call of `work` in this process: the least of several repetitions."""
    await work(0)
    least = float("inf")
    for number in range(1, REPETITIONS + 1):
        started = time.process_time()
        await work(number)
        least = min(least, time.process_time() - started)
    return least * 1e6


async def measured(system: System, person: Person, operation: PricedOperation) -> Measured:
    head = [(b"content-type", b"application/json"), (b"authorization", person.headers["authorization"].encode())]
    cost = 0

    async def send(number: int) -> None:
        nonlocal cost
        body = json.dumps({"query": operation.text, "variables": operation.variables(number)}).encode()
        status, answer = await call(system, HttpRequest(head=head, body=body))
        assert status == 200, (operation, answer)
        cost = json.loads(answer)["extensions"]["cost"]

    return Measured(await least_cpu(send) / cost, cost, operation)


async def measured_events(system: System, viewer: Person, video: str, others: Sequence[str]) -> AsyncIterator[Measured]:
    """Measures an event of each subscription, after another user has caused it."""
    bob = system.person("bob")
    causes: dict[str, Callable[[int], Awaitable[Any]]] = {
        "reactableChanged": lambda n: bob.react(("unlike", "like")[n % 2], video),
        "notificationReceived": lambda n: system.person("carol").like(others[n]),
        "homePostAdded": lambda n: publish(bob, f"news {n}"),
    }
    for name, text in SUBSCRIPTIONS.items():
        context = await system.service.context(viewer.received_headers, "203.0.113.7")
        request = GraphQLRequest(text, {"ids": [video]} if "$ids" in text else {}, None, None, only_reads=False)
        async with aclosing(system.service.subscribe(request, context)) as events:
            least, cost, first = float("inf"), 0, asyncio.create_task(anext(events))
            for number in range(REPETITIONS):
                await asyncio.sleep(0.3)  # the pace of events
                await causes[name](number)
                await system.drain()
                event = first if not number else asyncio.create_task(anext(events))
                started = time.process_time()
                cost = (await event).body["extensions"]["cost"]
                least = min(least, time.process_time() - started) if number else least
            yield Measured(least * 1e6 / cost, cost, PricedOperation(f"Subscription.{name}", text))


async def in_parallel(requests: Sequence[Awaitable[Any]]) -> list[Any]:
    """Awaits requests, some at once. Returns their results."""
    return [one for some in chunks(requests, 20) for one in await asyncio.gather(*some)]


async def fill_account(system: System, viewer: Person, posts: Sequence[str]) -> None:
    """Gives the viewer as many interests as recommendations use, and a page of cases to the moderators."""
    people = [system.person(f"friend{number}") for number in range(FRIENDS)]
    await follow_people(viewer, *people)
    made = [publish(people[number % FRIENDS], f"about {number}", f"topic{number % 5}") for number in range(POSTS)]
    written = [answer["post"]["id"] for answer in await in_parallel(made)]
    await system.drain()
    liked = [people[number // 10].like(written[number * 7 % POSTS]) for number in range(10 * FRIENDS)]
    await in_parallel([*liked, *map(viewer.like, written[:25]), *(reported(people[0], post) for post in posts)])
    await system.drain()


def operations(values: Values) -> Iterator[PricedOperation]:
    yield from queries(values)
    yield from unknown(values, UNKNOWN)
    yield from mutations(values)


@pytest.mark.prove
@pytest.mark.timeout(600)
async def test_no_point_costs_more_cpu_than_ten_usual_ones(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        viewer, values = await made_values(system)
        await fill_account(system, viewer, values["ids"])
        found = [one async for one in measured_events(system, viewer, values["targetId"], values["videos"][1:])]
        found += [await measured(system, viewer, one) for one in operations(values)]

    found.sort(key=lambda one: (one.per_point, one.cost))
    print(*found[-12:], sep="\n")
    median = statistics.median(one.per_point for one in found)
    assert not [str(one) for one in found if one.per_point > WORST * median], median
