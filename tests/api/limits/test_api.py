"""What clients meet of their budgets: the field, the headers, the refusal."""

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


async def asked(system: System, of: int, who: str | None = "alice") -> httpx.Response:
    """Something that costs so many points, and no query: nobody has these ids."""
    ids = [f"User:{i}" for i in range(of - 1)]
    return await system.person(who).send("query ($i: [ID!]!) { nodes(ids: $i) { id } }", i=ids)


async def test_the_field_and_the_headers_agree(system: System) -> None:
    response = await system.person("alice").send(QUERY)

    told: Any = response.json()["data"]["rateLimit"]
    assert told["cost"] == response.json()["extensions"]["cost"] == 5
    assert told["limit"] == headers(response)["limit"] == 100_000
    assert told["remaining"] == headers(response)["remaining"]
    assert 99_000 < told["remaining"] < 100_000
    assert abs(datetime.fromisoformat(told["resetAt"]).timestamp() * 1000 - system.state.now_ms()) < 60_000


async def test_whoever_has_spent_everything_is_refused_and_nothing_happens(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(limits=FEW)) as system:
        (video,) = await system.videos("v1")
        for cost in 100, 100, 100, 100, 100, 100, 100, 100, 100, 60:  # and 11 for reading the document once
            assert (await asked(system, cost)).status_code == 200
        like = "mutation ($id: ID!) { like(input: {targetId: $id}) { target { id likeCount } userErrors { code } } }"

        async with unchanged(system):
            reading, writing = await asked(system, 50), await system.person("alice").send(like, id=video)

        for response in reading, writing:
            (error,) = response.json()["errors"]
            assert response.status_code == 429
            assert (error["extensions"]["code"], "data" in response.json()) == ("RATE_LIMITED", False)
            assert int(response.headers["retry-after"]) == error["extensions"]["retryAfter"] > 0
            assert headers(response)["limit"] == 1000
            assert 4 <= headers(response)["remaining"] < 50  # less where a document had to be read first
        assert (await asked(system, 50, "bob")).status_code == 200
        assert (await asked(system, 50, None)).status_code == 200
        assert (await asked(system, 4)).status_code == 200


async def test_a_refused_document_is_paid_for(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=FEW)) as system:
        alice = system.person("alice")
        statuses = [(await alice.send(query)).status_code for query in ["{ nothing }", "{", "{ a(b: 1) }"] * 8]

    assert statuses[:19] == ([422, 400, 422] * 7)[:19]
    assert set(statuses[20:]) == {429}


async def test_reading_costs_no_trip_of_its_own(system: System) -> None:
    """What is not on credit goes out with what is read."""
    await system.videos("v1")
    alice, page = system.person("alice"), '{ entity(business: "video", key: "v1") { ' + "id " * 25 + "likeCount } }"
    await alice.ask(page)

    assert [await cost(alice, page) for _ in range(20)] == [(2, 0)] * 20


async def test_what_is_dear_does_not_run_before_it_is_paid_for(make_settings: Callable[..., Settings]) -> None:
    """Or whoever has nothing left could have it run by every process that does not know yet, many at a time."""
    some = LimitSettings(user=RoleSettings(points=20_000, points_per_second=0.001, cost=20_000))
    dear = "query ($i: [ID!]!) { nodes(ids: $i) { ... on User { followers(first: 100) { nodes { id } } } } }"
    async with running(make_settings(limits=some)) as one, running(make_settings(limits=some)) as another:
        assert (await another.person("alice").send("{ viewer { id } }")).status_code == 200
        assert (await one.person("alice").send(dear, i=[f"User:{i}" for i in range(90)])).status_code == 200

        refused = await another.person("alice").send(dear, i=[f"User:{i}" for i in range(100, 190)])

    usage = metrics.usage.get()
    assert usage is not None
    assert (refused.status_code, usage.redis_round_trips, usage.sql_queries) == (429, 1, 0)


async def test_what_everybody_may_keep_tells_nobodys_budget(system: System) -> None:
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
