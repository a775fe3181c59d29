"""Sizes of requests are limited before parsing, and reading a request costs points (S3)."""

from collections.abc import Callable
from typing import Any

import graphql
import httpx
import pytest

import execution.documents
from settings import LimitSettings, RoleSettings, Settings
from tests.support.event_loop_time import HttpRequest, call
from tests.support.http_requests import JSON, codes, curl, url_params
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

KB = 1024
NODES = "query ($i: [ID!]!) { nodes(ids: $i) { id } }"
POST = "mutation ($p: PublishPostInput!) { publishPost(input: $p) { userErrors { code } } }"


def refusal(response: httpx.Response) -> tuple[int, str, Any, Any]:
    """Returns status, code, limit and the permitted value."""
    (error,) = response.json()["errors"]
    extensions = error["extensions"]
    return response.status_code, extensions["code"], extensions.get("limit"), extensions.get("most")


async def test_only_tokens_that_may_register_objects_may_send_large_bodies(system: System) -> None:
    await system.videos("v1")
    texts = {"business": "video", "title": "t" * 500, "url": "https://e.com/" + "u" * 1900}
    many = [{**texts, "key": f"k{i}"} for i in range(80)]
    query = "mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { userErrors { code } } }"

    refused = await system.person("alice").send(query, e=many)
    done = await system.person("registrar", "entities:write").send(query, e=many)
    beyond = await system.person("registrar", "entities:write").send(query, e=many * 7)

    assert (refused.status_code, codes(refused)) == (413, ["BAD_INPUT"])
    assert "131072" in refused.json()["errors"][0]["message"]
    assert done.json()["data"] == {"registerEntities": {"userErrors": []}}
    assert beyond.status_code == 413


async def test_a_body_with_a_content_length_above_the_limit_is_not_read(system: System) -> None:
    head = [(b"content-type", b"application/json"), (b"content-length", b"131073")]

    status, _ = await call(system, HttpRequest(head=head, body=b'{"query": "{ __typename }"}'))

    assert status == 413


async def test_a_token_is_verified_before_the_body_is_read(system: System) -> None:
    response = await curl(system, "POST", JSON, "Authorization: Bearer nonsense", body=b"x" * 500_000)

    assert (response.status_code, codes(response)) == (401, ["UNAUTHENTICATED"])


@pytest.mark.parametrize(
    ("inner", "limit", "most"),
    [
        (b"[" + b"[]," * 25_000 + b"1]", "separators", 20_000),
        (b'"' + b"," * 25_000 + b'"', "separators", 20_000),
        (b"[" + b"1," * 6000 + b"1]", "values", 5000),
        (b"{" + b",".join(b'"a%d": 1' % i for i in range(6000)) + b"}", "values", 5000),
        (b"[" * 40 + b"]" * 40, "levels", 32),
    ],
)
@pytest.mark.parametrize("member", ["variables", "extensions", "anything"])
async def test_a_body_with_too_many_values_is_refused(
    system: System, inner: bytes, limit: str, most: int, member: str
) -> None:
    body = b'{"query": "{ __typename }", "%b": {"x": %b}}' % (member.encode(), inner)

    response = await curl(system, "POST", JSON, body=body)

    assert refusal(response) == (422, "QUERY_TOO_EXPENSIVE", limit, most)


@pytest.mark.parametrize("name", ["variables", "extensions"])
async def test_a_url_with_too_many_values_is_refused(system: System, name: str) -> None:
    response = await curl(system, "GET", url=url_params("{ __typename }", **{name: {"x": [1] * 6000}}))
    long = await curl(system, "GET", url=url_params("{ __typename }", variables={"x": "x" * 40_000}))

    assert refusal(response) == (422, "QUERY_TOO_EXPENSIVE", "values", 5000)
    assert (long.status_code, codes(long)) == (414, ["BAD_INPUT"])


async def test_an_undeclared_variable_is_refused(system: System) -> None:
    response = await system.person("alice").send("query ($a: Boolean!) { __typename @skip(if: $a) }", a=False, b=2)

    assert (response.status_code, codes(response)) == (422, ["BAD_INPUT"])
    assert "$b" in response.json()["errors"][0]["message"]


async def test_values_count_once_for_each_field_that_uses_their_variable(system: System) -> None:
    """Each of these fields converts the whole list."""
    fields = " ".join(f"a{i}: nodes(ids: $i) {{ id }}" for i in range(20))
    ids = [f"User:{i}" for i in range(1, 60)]

    once = await system.person("alice").send(NODES, i=ids)
    often = await system.person("alice").send(f"query ($i: [ID!]!) {{ {fields} }}", i=ids)

    assert once.status_code == 200
    assert refusal(often) == (422, "QUERY_TOO_EXPENSIVE", "values", 1000)


async def test_a_list_that_is_too_long_is_refused_before_coercion(system: System) -> None:
    images = [{"url": "x"}] * 1500
    response = await system.person("alice").send(POST, p={"text": "", "images": images, "idempotencyKey": "k"})

    assert refusal(response) == (422, "QUERY_TOO_EXPENSIVE", "values", 1000)


async def test_each_kilobyte_costs_a_point(system: System) -> None:
    query = "query ($h: String!) { user(handle: $h) { id } }"

    costs = [
        (await system.person("alice").send(query, h="x" * size)).json()["extensions"]["cost"]
        for size in (10, 10 * KB, 100 * KB)
    ]

    assert costs == [10, 10 + 10, 10 + 100]


async def test_the_document_of_a_caller_without_points_is_not_parsed(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = LimitSettings(user=RoleSettings(points=300, points_per_second=0.001, cost=300))
    read: list[str] = []
    parse = graphql.parse

    def counted(text: str, **options: Any) -> Any:
        read.append(text)
        return parse(text, **options)

    async with running(make_settings(limits=few)) as system:
        monkeypatch.setattr(execution.documents, "parse", counted)
        statuses = [
            (await system.person("alice").send(f"{{ viewer {{ id }} }} # {i} {'x' * 200}")).status_code
            for i in range(20)
        ]

    assert set(statuses) == {200, 429}
    assert len(read) == statuses.count(200) < 8


async def test_a_known_document_costs_no_points_to_read(system: System) -> None:
    alice, query = system.person("alice"), "{ rateLimit { remaining } } # " + "x" * 4000
    left = [(await alice.ask(query))["rateLimit"]["remaining"] for _ in range(3)]

    assert left[1] - left[2] < 100
