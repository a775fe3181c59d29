"""Incomplete responses in HTTP caches, metrics and subscriptions."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from runner.postgres import Postgres
from settings import Settings
from tests.support.degraded_answers import StoppableSystem, a_video, ask, read_body
from tests.support.http_requests import curl, url_params
from tests.support.outages import stopped
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually, serving

pytestmark = standalone

VIDEO = '{ entity(business: "video", key: "v1") { id } }'
COUNT = '{ entity(business: "video", key: "v1") { id likeCount } }'
WATCH = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id likeCount } }"
LACK = [("reactableChanged.likeCount", "Entity.likeCount", 1, "POSTGRES_DOWN")]


def counter(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


@pytest.mark.parametrize("plans", [True])
async def test_incomplete_responses_are_not_cacheable(stoppable: StoppableSystem) -> None:
    await a_video(stoppable.system, "v1")
    stoppable.forget_all()
    await curl(stoppable.system, "GET", url=url_params(VIDEO))

    async with stoppable.without_postgres(stopped):
        whole = await curl(stoppable.system, "GET", url=url_params(VIDEO))
        lacking = await curl(stoppable.system, "GET", url=url_params(COUNT))
        posted = await stoppable.system.person(None).send(COUNT)
    again = await curl(stoppable.system, "GET", url=url_params(COUNT))

    assert whole.headers["cache-control"] == again.headers["cache-control"] == "public, max-age=10"
    assert lacking.headers["cache-control"] == "private, no-store"
    assert "etag" not in lacking.headers
    assert posted.headers["cache-control"] == "no-store"
    assert lacking.json() == posted.json()
    assert read_body(lacking.json()).missing == [("entity.likeCount", "Entity.likeCount", 1, "POSTGRES_DOWN")]
    assert again.json()["data"]["entity"]["likeCount"] == 1


async def test_incomplete_responses_are_counted_and_no_field_runs_twice(
    stoppable: StoppableSystem, plans: bool
) -> None:
    await stoppable.system.videos("v1", "v2")
    anonymous, query = stoppable.system.person(None), COUNT.replace('entity(business: "video", key: "v1")', "%s")
    query %= 'entities(business: "video", keys: ["v1", "v2"])'
    await anonymous.ask(query.replace("likeCount", ""))
    counters: list[tuple[str, dict[str, str]]] = [
        ("plaudit_degraded_fields_total", {"field": "Entity.likeCount", "reason": "POSTGRES_DOWN"}),
        ("plaudit_requests_total", {"operation": "entities", "outcome": "degraded"}),
        ("plaudit_plans_total", {"outcome": "planned", "reason": ""}),
        ("plaudit_plans_total", {"outcome": "fallback", "reason": "off"}),
    ]
    before = [counter(name, **labels) for name, labels in counters]

    async with stoppable.without_postgres(stopped):
        await ask(anonymous, query)
    after = [counter(name, **labels) for name, labels in counters]

    assert [now - then for now, then in zip(after, before, strict=True)] == [2, 1, plans, not plans]


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], plans: bool) -> AsyncIterator[Live]:
    """Starts a server on a port."""
    async with serving(make_settings(port=0, compiled_plans=plans)) as one:
        yield one
        await eventually(lambda: one.connection_count == 0)


async def test_every_subscription_event_lists_its_missing_values(live: Live, postgres: Postgres) -> None:
    video = await a_video(live, "v1")
    await live.state.cache.redis.client.flushall()
    await live.person(None).ask("query ($id: ID!) { node(id: $id) { id } }", id=video)

    async with live.socket() as socket:
        async with stopped(postgres, live.state.postgres), live.stream([video], query=WATCH) as stream:
            await socket.subscribe([video], query=WATCH)
            by_socket: Any = (await socket.receive())["payload"]
            by_stream: Any = await stream.event()
        await live.person("alice").like(video)
        await live.drain()
        later = [(await socket.receive())["payload"]]
        while later[-1]["data"]["reactableChanged"]["likeCount"] != 2:
            later.append((await socket.receive())["payload"])

    assert by_stream == ("next", by_socket)
    assert by_socket["data"] == {"reactableChanged": {"id": video, "likeCount": None}}
    assert read_body(by_socket).missing == LACK
    assert [read_body(one).missing for one in later] == [[]] * len(later)
