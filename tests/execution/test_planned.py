"""Planned queries, fallbacks to graphql-core with their reasons, and the cost of both."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from typing import Any

import pytest
from cachetools import TTLCache

from execution import plans
from execution.compile import Compiler
from loaders.request.own import Own
from observability import metrics
from schema.planned import Executor
from tests.execution.collected import variables_for
from tests.execution.compared_executors import ComparedExecutors
from tests.support.costs import counted_plans
from tests.support.loaders import break_loader
from tests.support.logs import capture_logs
from tests.support.system import Person

PAGE = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) { id title likeCount viewerReaction
  viewCount  owner { handle viewerRelation followerCount } likers(first: 3) { nodes { handle viewerRelation } } } }"""
PEOPLE = """query ($people: [String!]!) { users(externalIds: $people) { handle followerCount viewerRelation
  followers(first: 5) { edges { cursor node { handle likesReceivedCount } } } likes(business: "video") {
  nodes { id } } } }"""
DEEP = """{ user(handle: "alice") { followers { nodes { following { nodes { likes(business: "video") {
  nodes { id likeCount   ... on Entity { owner { handle } } } } } } } } } }"""
COUNTS = '{ entity(business: "video", key: "v0") { key likeCount } }'
LIKERS = """query ($after: String) { entities(business: "video", keys: ["v0", "v1"]) {
  likers(after: $after) { nodes { handle } } } }"""

TOPICS = 'query ($n: Int) { topics(prefix: "c", first: $n) { name } }'


async def outcomes(
    executors: ComparedExecutors, query: str, viewer: str | None = None, **variables: Any
) -> list[tuple[str, str]]:
    """Returns how the application with plans executed an operation."""
    before = counted_plans()
    with capture_logs():
        await executors.planned.person(viewer, "users:read").send(query, **variables)
    return sorted(what for what, now in counted_plans().items() if now > before.get(what, 0))


@asynccontextmanager
async def broken(monkeypatch: pytest.MonkeyPatch, loader: str) -> AsyncIterator[None]:
    """Lets every batch of a loader raise an unexpected error."""

    with monkeypatch.context() as patch:
        break_loader(patch, Own, loader)
        yield


async def test_prepared_documents_are_compiled_before_the_first_request(
    executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = """query ($k: String!, $x: Boolean!, $y: Boolean! = true) { entity(business: "video", key: $k) {
      id ...F @include(if: $x) owner @skip(if: $y) { handle } } } fragment F on Entity { likeCount }"""
    executors.planned.service.prepare([query])
    monkeypatch.setattr(Compiler, "operation", None)

    for x, y in product((True, False), repeat=2):
        assert await outcomes(executors, query, "alice", k="v0", x=x, y=y) == [("planned", "")]


async def test_an_operation_without_plan_falls_back_with_a_reason(executors: ComparedExecutors) -> None:
    assert await outcomes(executors, "{ __schema { queryType { name } } }") == [("fallback", "introspection")]
    assert await outcomes(executors, '{ viewer { id } __type(name: "User") { name } }') == [
        ("fallback", "introspection")
    ]


async def test_without_the_setting_graphql_core_executes_all_operations(executors: ComparedExecutors) -> None:
    before = counted_plans()

    await executors.plain.person(None).ask(COUNTS)

    now = counted_plans()
    assert [what for what in now if now[what] > before.get(what, 0)] == [("fallback", "off")]


async def test_graphql_core_executes_an_operation_for_a_while_after_repeated_fallbacks(
    executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with broken(monkeypatch, "counts"):
        for _ in range(3):
            assert await outcomes(executors, COUNTS) == [("rerun", "exception")]
        assert await outcomes(executors, COUNTS) == [("fallback", "reruns")]

    assert await outcomes(executors, COUNTS) == [("fallback", "reruns")]
    assert await outcomes(executors, COUNTS.replace("key ", "")) == [("planned", "")]


async def test_invalid_values_of_variables_do_not_stop_the_use_of_a_plan(executors: ComparedExecutors) -> None:
    for _ in range(5):
        assert await outcomes(executors, TOPICS, n=None) == [("rerun", "arguments")]
    assert await outcomes(executors, TOPICS, n=1) == [("planned", "")]


async def test_plans_are_used_again_after_the_pause(
    executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(Executor.plans, "_reruns", TTLCache(10, plans._TRUCE_S, timer=lambda: clock[0]))
    async with broken(monkeypatch, "counts"):
        for _ in range(3):
            await outcomes(executors, COUNTS)

    clock[0] = plans._TRUCE_S - 1
    assert await outcomes(executors, COUNTS) == [("fallback", "reruns")]
    clock[0] = plans._TRUCE_S + 1
    assert await outcomes(executors, COUNTS) == [("planned", "")]


async def test_a_plan_is_compiled_once_for_each_operation_and_directive_values(
    executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []
    compile_ = Compiler.operation

    def noted(self: Compiler, root_type: Any) -> Any:
        compiled.append(root_type.name)
        return compile_(self, root_type)

    monkeypatch.setattr(Compiler, "operation", noted)
    query = """query ($key: String!, $owned: Boolean!, $first: Int) { entity(business: "video", key: $key) { title
      owner @include(if: $owned) { handle } likers(first: $first) { nodes { handle } } } }"""

    for key in ("v0", "v1"):
        for first in (1, 2):
            await executors.same(query, "alice", key=key, owned=True, first=first)
            await executors.same(query, key=key, owned=True, first=first)
    assert len(compiled) == 1

    for _ in range(3):
        await executors.same(query, key="v0", owned=False, first=1)
        await executors.same(query, key="v0", owned=True, first=1)
    assert len(compiled) == 2


async def test_an_expected_error_does_not_cause_a_fallback(executors: ComparedExecutors) -> None:
    expected: list[tuple[str, dict[str, Any]]] = [
        (LIKERS, {"after": "nonsense"}),
        ('{ user(handle: "!") { id } viewer { id } }', {}),
        ('{ entity(business: "video", key: "v0") { likers(first: 0) { nodes { id } } } }', {}),
        ('{ entity(business: "video", key: "v0") { likedByFollowed(first: 101) { id } } }', {}),
        ('{ node(id: "no id") { id } }', {}),
    ]

    for query, variables in expected:
        for _ in range(4):
            assert await outcomes(executors, query, "alice", **variables) == [("planned", "")]
        assert (await executors.same(query, "alice", **variables))["errors"]


async def test_a_warm_page_costs_no_more_than_without_plans(executors: ComparedExecutors) -> None:
    for query in (PAGE, PEOPLE, DEEP, LIKERS):
        variables = variables_for(query, executors) | ({"after": None} if query == LIKERS else {})
        for viewer in ("alice",) if query == PEOPLE else (None, "alice"):
            planned, plain = [
                await _cost(one.person(viewer, "users:read"), query, variables)
                for one in (executors.planned, executors.plain)
            ]
            assert 0 < planned.redis_round_trips <= plain.redis_round_trips, query
            assert planned.sql_queries == plain.sql_queries == 0, query


async def _cost(person: Person, query: str, variables: dict[str, Any]) -> metrics.Usage:
    """Returns the lowest cost of several requests, because the first requests fill caches."""
    costs = []
    for _ in range(4):
        await person.ask(query, **variables)
        usage = metrics.usage.get()
        assert usage
        costs.append(usage)
    return min(costs, key=lambda one: (one.sql_queries, one.redis_round_trips))
