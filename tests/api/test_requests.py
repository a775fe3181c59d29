"""Requests that are invalid, or do not fit the schema: refused before they run."""

import json
from typing import Any

import httpx
import pytest

from tests.support.stored_state import unchanged
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

JSON = {"content-type": "application/json"}
LIKE = 'mutation Like { like(input: {targetId: "Entity:video:v1"}) { userErrors { code } } }'
LIKERS = '{ node(id: "Entity:video:v1") { ... on Entity { likers(first: %s) { nodes { id } } } } }'


async def post(system: System, content: bytes, **headers: str) -> httpx.Response:
    """Sends these bytes as alice."""
    signed_in = system.person("alice").headers
    return await system.http.post("/graphql", content=content, headers={**signed_in, **JSON, **headers})


def outcome(response: httpx.Response) -> tuple[int, str]:
    """Returns status and code of a response that has one error and nothing else."""
    body = response.json()
    assert list(body) == ["errors"], body
    (error,) = body["errors"]
    return response.status_code, error["extensions"]["code"]


async def test_an_invalid_body_is_bad_input(system: System) -> None:
    await system.videos("v1")
    bodies: dict[str, bytes] = {
        "nothing": b"",
        "no JSON": b"like it!",
        "half JSON": b'{"query": "{viewer{id}}"',
        "not UTF-8": b'{"query": "\xff"}',
        "UTF-16": json.dumps({"query": LIKE}).encode("utf-16"),
        "null": b"null",
        "a number": b"1",
        "a text": b'"{viewer{id}}"',
        "a batch": json.dumps([{"query": LIKE}]).encode(),
        "an empty batch": b"[]",
        "no query": b"{}",
        "a query of null": b'{"query": null}',
        "a query of the wrong type": b'{"query": 1}',
        "a list of queries": b'{"query": ["{viewer{id}}"]}',
        "an empty query": b'{"query": ""}',
        "variables in a list": json.dumps({"query": LIKE, "variables": []}).encode(),
        "variables in a text": json.dumps({"query": LIKE, "variables": "{}"}).encode(),
        "variables of false": json.dumps({"query": LIKE, "variables": False}).encode(),
        "a number as operationName": json.dumps({"query": LIKE, "operationName": 1}).encode(),
        "an object as operationName": json.dumps({"query": LIKE, "operationName": {}}).encode(),
        "a text as extensions": json.dumps({"query": LIKE, "extensions": "{}"}).encode(),
        "a list as extensions": json.dumps({"query": LIKE, "extensions": []}).encode(),
        "depth": b'{"query": ' + b"[" * 10_000,
        "NaN": b'{"query": "{viewer{id}}", "variables": {"a": NaN}}',
    }

    async with unchanged(system):
        outcomes = {name: outcome(await post(system, body)) for name, body in bodies.items()}

    unreadable = {"nothing", "no JSON", "half JSON", "not UTF-8", "UTF-16", "depth", "NaN"}
    assert outcomes == {name: (400 if name in unreadable else 422, "BAD_INPUT") for name in bodies}


async def test_a_document_that_does_not_parse_is_refused(system: System) -> None:
    documents = {
        "a typing error": "{ viewer { id }",
        "blank": "  \n ",
        "a comment": "# like it",
        "NUL": "{ viewer\0 { id } }",
        "half a surrogate pair": '{ node(id: "\\uD800") { id } }',
        "no text": '{ node(id: "',
    }

    async with unchanged(system):
        bodies = {name: json.dumps({"query": query}).encode() for name, query in documents.items()}
        outcomes = {name: outcome(await post(system, body)) for name, body in bodies.items()}

    assert outcomes == dict.fromkeys(documents, (400, "GRAPHQL_PARSE_FAILED"))


async def test_a_document_that_does_not_fit_the_schema_is_refused(system: System) -> None:
    await system.videos("v1")
    documents = {
        "an unknown field": "{ likes }",
        "an unknown mutation": "mutation { love { id } }",
        "an unknown argument": 'mutation { like(target: "x") { userErrors { code } } }',
        "a missing argument": "{ node { id } }",
        "an unknown input field": 'mutation { like(input: {target: "x"}) { userErrors { code } } }',
        "a number too big for Int": LIKERS % "3000000000",
        "a number of 5000 digits": LIKERS % ("9" * 5000),
        "a text for Int": LIKERS % '"1"',
        "a float for Int": LIKERS % "1.5",
        "null for Int!": LIKERS % "null",
        "an object for ID": "{ node(id: {a: 1}) { id } }",
        "an unknown type": "query ($id: Video) { viewer { id } }",
        "an unknown fragment": "{ viewer { ...Video } }",
        "an unused fragment": "{ viewer { id } } fragment Video on Entity { id }",
        "fragments in a circle": "{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }",
        "no sub-selection": "{ viewer }",
        "an undeclared variable": "{ node(id: $id) { id } }",
        "the same name twice": "query A { viewer { id } } query A { viewer { id } }",
    }

    async with unchanged(system):
        bodies = {name: json.dumps({"query": query}).encode() for name, query in documents.items()}
        outcomes = {}
        for name, body in bodies.items():
            response = (await post(system, body)).json()
            outcomes[name] = {error["extensions"]["code"] for error in response["errors"]}, "data" in response

    assert outcomes == dict.fromkeys(documents, ({"GRAPHQL_VALIDATION_FAILED"}, False))


async def test_an_operation_that_is_ambiguous_or_not_allowed_is_bad_input(system: System) -> None:
    await system.videos("v1")
    two = LIKE + " query Me { viewer { id } }"
    requests: dict[str, Any] = {
        "an unknown name": {"query": LIKE, "operationName": "Unlike"},
        "an empty name": {"query": two, "operationName": ""},
        "no name for two": {"query": two},
        "no operation": {"query": "fragment Video on Entity { id }"},
        "a subscription": {"query": "subscription { reactableChanged(ids: []) { id } }"},
    }

    async with unchanged(system):
        outcomes = {
            name: outcome(await post(system, json.dumps(request).encode())) for name, request in requests.items()
        }

    assert outcomes == dict.fromkeys(requests, (422, "BAD_INPUT"))


async def test_variables_that_do_not_fit_their_types_are_bad_input(system: System) -> None:
    await system.videos("v1")
    like = "mutation ($input: ReactInput!) { like(input: $input) { userErrors { code } } }"
    page = f"query ($first: Int!) {LIKERS % '$first'}"
    cases: dict[str, tuple[str, bytes]] = {
        "no variables": (like, b"{}"),
        "null": (like, b'{"input": null}'),
        "a text for an object": (like, b'{"input": "Entity:video:v1"}'),
        "a list for an object": (like, b'{"input": []}'),
        "no id": (like, b'{"input": {}}'),
        "null for an id": (like, b'{"input": {"targetId": null}}'),
        "an object for an id": (like, b'{"input": {"targetId": {}}}'),
        "a list for an id": (like, b'{"input": {"targetId": ["Entity:video:v1"]}}'),
        "true for an id": (like, b'{"input": {"targetId": true}}'),
        "a float for an id": (like, b'{"input": {"targetId": 1.5}}'),
        "a number for a source": (like, b'{"input": {"targetId": "Entity:video:v1", "source": 1}}'),
        "a list for a key": (like, b'{"input": {"targetId": "Entity:video:v1", "idempotencyKey": ["a"]}}'),
        "an unknown field": (like, b'{"input": {"targetId": "Entity:video:v1", "love": 1}}'),
        "a huge first": (page, b'{"first": 4294967297}'),
        "a first beyond 64 bits": (page, b'{"first": 18446744073709551616}'),
        "a first of 400 digits": (page, b'{"first": ' + b"9" * 400 + b"}"),
        "a text for first": (page, b'{"first": "20"}'),
        "a fraction for first": (page, b'{"first": 1.5}'),
    }

    async with unchanged(system):
        outcomes = {}
        for name, (query, variables) in cases.items():
            body = b'{"query": %s, "variables": %s}' % (json.dumps(query).encode(), variables)
            outcomes[name] = outcome(await post(system, body))

    unreadable = {"a first of 400 digits"}
    assert outcomes == {name: (400 if name in unreadable else 422, "BAD_INPUT") for name in cases}


@pytest.mark.parametrize(
    ("shape", "code"),
    [
        ("{a" * 50_000, "QUERY_TOO_EXPENSIVE"),
        ("{viewer" * 1000 + "{id}" + "}" * 1000, "GRAPHQL_PARSE_FAILED"),
        ("[" * 90_000, "QUERY_TOO_EXPENSIVE"),
        ("[" * 9000, "GRAPHQL_PARSE_FAILED"),
    ],
    ids=["too long", "too many tokens", "a literal too long", "a literal of too many tokens"],
)
async def test_a_document_that_is_nested_too_deep_to_parse_is_a_client_error(
    system: System, shape: str, code: str
) -> None:
    literal = shape if shape.startswith("{") else f"{{ nodes(ids: {shape} }}"

    response = await post(system, json.dumps({"query": literal}).encode())

    assert outcome(response) == (400 if code == "GRAPHQL_PARSE_FAILED" else 422, code)
