"""The cost of operations, and what errors and introspection disclose of the schema."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from graphql import get_introspection_query

from settings import Settings
from tests.support.stored_state import unchanged
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

DEAR = """query ($n: Int!) { viewer { user { followers(first: $n) { nodes { followers(first: $n) {
  nodes { followers(first: $n) { nodes { id } } } } } } } } }"""


@pytest_asyncio.fixture
async def closed(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Returns an application that hides its schema, as in production."""
    async with running(make_settings(introspection=False)) as system:
        yield system


async def errors_of(system: System, query: str, **variables: Any) -> Any:
    response = await system.person(None).send(query, **variables)
    assert response.status_code == 422
    return response.json()["errors"]


async def test_every_response_has_its_cost(system: System) -> None:
    await system.videos("v1", "v2")
    page = 'query ($keys: [String!]!) { entities(business: "video", keys: $keys) { id likeCount } }'

    async def cost(**variables: Any) -> Any:
        return (await system.person("alice").send(page, **variables)).json()["extensions"]

    assert await cost(keys=["v1"]) == {"cost": 10}  # the least cost
    assert await cost(keys=["v1"] * 5) == {"cost": 11}
    assert await cost(keys=["v1"] * 6) == {"cost": 13}


async def test_expensive_fields_cost_more(system: System) -> None:
    query = "{ viewer { recommended(first: 1) { nodes { id } } } }"
    assert (await system.person("alice").send(query)).json()["extensions"] == {"cost": 103}


async def test_an_operation_above_the_cost_limit_is_refused_with_its_cost_and_does_not_run(system: System) -> None:
    async with unchanged(system):
        (error,) = await errors_of(system, DEAR, n=100)

    limit = error["extensions"].pop("has")
    assert limit > 1_000_000
    assert error["extensions"] == {"code": "QUERY_TOO_EXPENSIVE", "limit": "cost", "most": 30_000}
    assert (await system.person("alice").send(DEAR, n=5)).json()["extensions"]["cost"] < 50_000


async def test_the_cost_depends_on_the_variables_of_this_request(system: System) -> None:
    alice = system.person("alice")
    for n, status in (1, 200), (100, 422), (2, 200), (100, 422), (True, 422), (1, 200):
        assert (await alice.send(DEAR, n=n)).status_code == status


async def test_only_the_first_mistake_is_reported(system: System) -> None:
    (error,) = await errors_of(system, "{ " + " ".join(f"field{i}" for i in range(20)) + " }")
    assert error["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"

    pages = """query ($a: Int!, $b: Int!) { viewer { user {
      followers(first: $a) { nodes { id } } friends(first: $b) { nodes { id } } } } }"""
    (error,) = await errors_of(system, pages, a="x", b="y")
    assert error["extensions"]["code"] == "BAD_INPUT"


async def test_a_closed_schema_gives_no_hints(closed: System) -> None:
    for query in get_introspection_query(), "{ __schema { queryType { name } } }", '{ __type(name: "User") { name } }':
        (error,) = await errors_of(closed, query)
        assert error["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"

    (error,) = await errors_of(closed, "{ viewr { id } }")
    assert error["message"] == "Cannot query field 'viewr' on type 'Query'."
    (error,) = await errors_of(
        closed, "query ($i: FollowInput!) { viewer { id } node(id: $i) { id } }", i={"userIdd": "x"}
    )
    assert "Did you mean" not in error["message"]
    assert (await closed.person(None).send("{ __typename }")).json()["data"] == {"__typename": "Query"}


async def test_an_open_schema_gives_hints(system: System) -> None:
    assert (await system.person(None).ask("{ __schema { queryType { name } } }"))["__schema"]
    (error,) = await errors_of(system, "{ viewr { id } }")
    assert "Did you mean 'viewer'" in error["message"]


@pytest.mark.parametrize(("env", "shown"), [("development", True), ("production", False)])
def test_the_schema_is_closed_in_production(make_settings: Callable[..., Settings], env: str, shown: bool) -> None:
    assert make_settings(env=env).shows_schema is shown
