"""Budgets as clients see them: the field, the headers and refusals."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import pytest

from observability import metrics
from settings import AnonymousSettings, LimitSettings, RoleSettings, Settings
from tests.api.limits.headers import headers
from tests.support.costs import cost
from tests.support.stored_state import unchanged
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

QUERY = "{ rateLimit { cost limit remaining resetAt } }"
FEW = LimitSettings(
    user=RoleSettings(points=1000, points_per_second=0.001, cost=1000),
    anonymous=AnonymousSettings(points=2000, points_per_second=0.001, cost=1000),
)


async def send_points(system: System, of: int, who: str | None = "alice") -> httpx.Response:
    """Sends a request of `of` points that runs no SQL, because its ids do not exist."""
    ids = [f"User:{i}" for i in range(of - 1)]
    return await system.person(who).send("query ($i: [ID!]!) { nodes(ids: $i) { id } }", i=ids)


async def test_the_field_and_the_headers_agree(system: System) -> None:
    response = await system.person("alice").send(QUERY)

    rate_limit: Any = response.json()["data"]["rateLimit"]
    assert rate_limit["cost"] == response.json()["extensions"]["cost"] == 10
    assert rate_limit["limit"] == headers(response)["limit"] == 100_000
    assert rate_limit["remaining"] == headers(response)["remaining"]
    assert 99_000 < rate_limit["remaining"] < 100_000
    assert abs(datetime.fromisoformat(rate_limit["resetAt"]).timestamp() * 1000 - system.state.now_ms()) < 60_000


async def test_a_caller_without_points_is_refused_and_the_request_does_not_run(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(limits=FEW)) as system:
        (video,) = await system.videos("v1")
        for cost in 100, 100, 100, 100, 100, 100, 100, 100, 100, 44:  # and 11 for reading the document once
            assert (await send_points(system, cost)).status_code == 200
        like = """mutation ($id: ID!) { like(input: {targetId: $id}) {
          target { ... on Entity { likers(first: 50) { nodes { id } } } } userErrors { code } } }"""

        async with unchanged(system):
            reading, writing = await send_points(system, 50), await system.person("alice").send(like, id=video)

        for response in reading, writing:
            (error,) = response.json()["errors"]
            assert response.status_code == 429
            assert (error["extensions"]["code"], "data" in response.json()) == ("RATE_LIMITED", False)
            assert int(response.headers["retry-after"]) == error["extensions"]["retryAfter"] > 0
            assert headers(response)["limit"] == 1000
            assert 10 <= headers(response)["remaining"] < 50  # less for requests that had to read a document first
        assert (await send_points(system, 50, "bob")).status_code == 200
        assert (await send_points(system, 50, None)).status_code == 200
        assert (await send_points(system, 10)).status_code == 200


async def test_a_refused_document_is_charged(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=FEW)) as system:
        alice = system.person("alice")
        statuses = [(await alice.send(query)).status_code for query in ["{ nothing }", "{", "{ a(b: 1) }"] * 8]

    assert statuses[:19] == ([422, 400, 422] * 7)[:19]
    assert set(statuses[20:]) == {429}


async def test_charging_a_read_costs_no_round_trip_of_its_own(system: System) -> None:
    """The charge goes out with the commands of the read."""
    await system.videos("v1")
    alice, page = system.person("alice"), '{ entity(business: "video", key: "v1") { ' + "id " * 25 + "likeCount } }"
    await alice.ask(page)

    assert [await cost(alice, page) for _ in range(20)] == [(2, 0)] * 20


async def test_an_expensive_request_runs_only_after_it_is_paid(make_settings: Callable[..., Settings]) -> None:
    """Otherwise a caller without points could run many requests at every process that does not know the balance yet."""
    some = LimitSettings(user=RoleSettings(points=20_000, points_per_second=0.001, cost=20_000))
    dear = "query ($i: [ID!]!) { nodes(ids: $i) { ... on User { followers(first: 100) { nodes { id } } } } }"
    async with running(make_settings(limits=some)) as one, running(make_settings(limits=some)) as another:
        assert (await another.person("alice").send("{ viewer { id } }")).status_code == 200
        assert (await one.person("alice").send(dear, i=[f"User:{i}" for i in range(90)])).status_code == 200

        refused = await another.person("alice").send(dear, i=[f"User:{i}" for i in range(100, 190)])

    usage = metrics.usage.get()
    assert usage is not None
    assert (refused.status_code, usage.redis_round_trips, usage.sql_queries) == (429, 1, 0)


async def test_a_shared_cacheable_response_has_no_budget_of_one_caller(system: System) -> None:
    await system.videos("v1")
    url = '/graphql?query={entity(business:"video",key:"v1"){title}}'
    anonymous = await system.http.get(url)
    signed_in = await system.http.get(url, headers=system.person("alice").headers)
    asking = await system.http.get("/graphql?query={rateLimit{remaining}}")

    assert "public" in anonymous.headers["cache-control"]
    assert headers(anonymous) == {}
    assert set(headers(signed_in)) == set(headers(asking)) == {"limit", "remaining", "reset", "budget"}
    assert "private" in signed_in.headers["cache-control"]
    assert "private" in asking.headers["cache-control"]
