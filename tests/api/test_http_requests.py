"""GraphQL over HTTP: accepted and refused methods, media types, URLs and headers."""

import gzip
import json
import time
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from settings import Settings
from tests.support.http_requests import ANSWER, JSON, LIKE, ME, TYPE, codes, curl, signed_in, url_params
from tests.support.stored_state import unchanged
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
    ],
)
async def test_json_in_utf8_is_accepted(system: System, content_type: str) -> None:
    response = await curl(system, "POST", f"Content-Type: {content_type}", body=TYPE)

    assert (response.status_code, response.json()) == (200, ANSWER)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("Content-Type: text/plain", json.dumps({"query": LIKE})),
        ("Content-Type: text/plain; application/json", json.dumps({"query": LIKE})),
        ("Content-Type: application/x-www-form-urlencoded", urlencode({"query": LIKE})),
        (
            "Content-Type: multipart/form-data; boundary=x",
            f'--x\r\nContent-Disposition: form-data; name="query"\r\n{LIKE}',
        ),
        ("Content-Type: application/graphql", LIKE),
        ("Content-Type: application/graphql+json", json.dumps({"query": LIKE})),
        ("Content-Type: application/json; charset=utf-16", json.dumps({"query": LIKE})),
        ("Content-Type: json", json.dumps({"query": LIKE})),
        ("Content-Type: ", json.dumps({"query": LIKE})),
        ("X-Nothing: 1", json.dumps({"query": LIKE})),
    ],
)
async def test_a_request_that_any_html_form_can_send_is_refused(system: System, content_type: str, body: str) -> None:
    await system.videos("v1")

    async with unchanged(system):
        response = await curl(system, "POST", content_type, signed_in(system), body=body.encode())

    assert (response.status_code, codes(response)) == (415, ["BAD_INPUT"])


@pytest.mark.parametrize("coding", ["gzip", "br", "foo", "GZIP", "identity, gzip", "gzip, identity", "deflate;q=1"])
@pytest.mark.parametrize("is_encoded", [True, False])
async def test_a_compressed_body_is_refused_with_415(system: System, coding: str, is_encoded: bool) -> None:
    body = gzip.compress(TYPE) if is_encoded else TYPE

    response = await curl(system, "POST", JSON, f"Content-Encoding: {coding}", body=body)

    assert (response.status_code, codes(response)) == (415, ["BAD_INPUT"])
    assert response.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("coding", ["", "identity", "Identity", "identity, identity"])
async def test_a_body_with_the_coding_identity_is_accepted(system: System, coding: str) -> None:
    response = await curl(system, "POST", JSON, f"Content-Encoding: {coding}", body=TYPE)

    assert (response.status_code, response.json()) == (200, ANSWER)


async def test_a_body_above_the_limit_is_refused_with_413(system: System) -> None:
    response = await curl(system, "POST", JSON, body=json.dumps({"query": LIKE + " " * 10_000_000}).encode())

    assert (response.status_code, codes(response)) == (413, ["BAD_INPUT"])


async def test_a_batch_is_refused_with_the_reason(system: System) -> None:
    response = await curl(system, "POST", JSON, body=b"[%s, %s]" % (TYPE, TYPE))

    assert response.status_code == 422
    assert "Send one operation per request." in response.json()["errors"][0]["message"]


async def test_null_members_and_unknown_members_are_ignored(system: System) -> None:
    body = b'{"query": "{ __typename }", "variables": null, "operationName": null, "extensions": null, "id": 7}'

    response = await curl(system, "POST", JSON, body=body)

    assert (response.status_code, response.json()) == (200, ANSWER)


@pytest.mark.parametrize(
    "url",
    [
        url_params("{ __typename }"),
        url_params("{ __typename }", variables={}, extensions={}, operationName=""),
        url_params("{ __typename }", variables="null", extensions="", _="1700000000"),
        url_params("query A { __typename } mutation B { __typename }", operationName="A"),
        url_params("query ($yes: Boolean!) { __typename @include(if: $yes) }", variables={"yes": True}),
        "query=%7B__typename%7D",
        "query={+__typename+}",
    ],
)
async def test_a_query_can_be_sent_in_the_url(system: System, url: str) -> None:
    response = await curl(system, "GET", url=url)

    assert (response.status_code, response.json()) == (200, ANSWER)


async def test_variables_in_the_url_keep_their_characters(system: System) -> None:
    name = 'ünïcödé & 100% +1="%2B";\\'
    registrar = system.person("registrar", "users:write")
    await registrar.ask(
        "mutation ($u: [UserInput!]!) { registerUsers(users: $u) { userErrors { code } } }",
        u=[{"externalId": name, "displayName": "Someone"}],
    )
    token = f"Authorization: {registrar.headers['authorization']}"
    query = "query ($ids: [String!]!) { users(externalIds: $ids) { displayName } }"

    response = await curl(system, "GET", token, url=url_params(query, variables={"ids": [name, "ünïcödé"]}))

    assert response.json()["data"] == {"users": [{"displayName": "Someone"}, None]}


async def test_an_invalid_url_is_refused(system: System) -> None:
    followers = 'query ($n: Int!) { user(handle: "a") { followers(first: $n) { nodes { id } } } }'
    urls = {
        "nothing": ("", 422, "BAD_INPUT"),
        "an empty query": ("query=", 422, "BAD_INPUT"),
        "a name without a value": ("query", 422, "BAD_INPUT"),
        "not UTF-8": ("query=%ff", 400, "BAD_INPUT"),
        "two queries": (f"{url_params(ME)}&{url_params(ME)}", 422, "BAD_INPUT"),
        "many parameters": (f"{url_params(ME)}&{'&'.join(f'a{i}' for i in range(200))}", 400, "BAD_INPUT"),
        "half JSON": (url_params(ME, variables="{"), 400, "BAD_INPUT"),
        "depth": (url_params(ME, variables='{"a": ' + "[" * 2000), 400, "BAD_INPUT"),
        "variables in a list": (url_params(ME, variables="[]"), 422, "BAD_INPUT"),
        "variables in a text": (url_params(ME, variables='"{}"'), 422, "BAD_INPUT"),
        "variables in a number": (url_params(ME, variables="1"), 422, "BAD_INPUT"),
        "extensions in a list": (url_params(ME, extensions="[]"), 422, "BAD_INPUT"),
        "extensions of true": (url_params(ME, extensions="true"), 422, "BAD_INPUT"),
        "an unknown name": (url_params(ME, operationName="Unknown"), 422, "BAD_INPUT"),
        "the name null": (url_params(ME, operationName="null"), 422, "BAD_INPUT"),
        "no name for two": (url_params(f"query A {ME} query B {ME}"), 422, "BAD_INPUT"),
        "no name for one of each": (url_params(f"query A {ME} {LIKE}"), 422, "BAD_INPUT"),
        "a missing variable": (url_params(followers), 422, "BAD_INPUT"),
        "a typing error": (url_params("{ viewer { id }"), 400, "GRAPHQL_PARSE_FAILED"),
        "an unknown field": (url_params("{ nothing }"), 422, "GRAPHQL_VALIDATION_FAILED"),
        "a subscription": (url_params(f"subscription {ME}"), 405, "BAD_INPUT"),
    }

    outcomes = {}
    for name, (url, _, _) in urls.items():
        response = await curl(system, "GET", url=url)
        outcomes[name] = url, response.status_code, *codes(response)
        assert response.headers["cache-control"] == "private, no-store"

    assert outcomes == urls


async def test_a_url_above_the_limit_is_refused_with_414(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(connections={"body_bytes": 100})) as system:
        fits = await curl(system, "GET", url=url_params("{__typename}").ljust(100, "+"))
        long = await curl(system, "GET", url=url_params("{__typename}").ljust(101, "+"))

    assert (fits.status_code, fits.json()) == (200, ANSWER)
    assert (long.status_code, codes(long)) == (414, ["BAD_INPUT"])


@pytest.mark.parametrize(
    "url",
    [
        url_params(LIKE),
        url_params(LIKE, operationName="Like"),
        url_params(f"query Me {ME} {LIKE}", operationName="Like"),
        url_params(f"{LIKE} query Me {ME}"),
    ],
)
async def test_a_mutation_in_a_url_changes_nothing(system: System, url: str) -> None:
    await system.videos("v1")

    async with unchanged(system):
        got = await curl(system, "GET", signed_in(system), url=url)
        head = await curl(system, "HEAD", signed_in(system), url=url)

    assert (got.status_code, codes(got)) == (405, ["BAD_INPUT"])
    assert (head.status_code, head.content) == (405, b"")
    assert got.headers["allow"] == head.headers["allow"] == "POST"


async def test_the_body_of_a_get_is_ignored(system: System) -> None:
    response = await curl(system, "GET", JSON, body=json.dumps({"query": LIKE}).encode())

    assert (response.status_code, codes(response)) == (422, ["BAD_INPUT"])


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "LIKE"])
async def test_other_methods_are_refused_with_the_allowed_ones(system: System, method: str) -> None:
    await system.videos("v1")

    async with unchanged(system):
        body = json.dumps({"query": LIKE}).encode()
        response = await curl(system, method, JSON, signed_in(system), url=url_params(LIKE), body=body)

    assert (response.status_code, codes(response)) == (405, ["BAD_INPUT"])
    assert response.headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    "twice", ["Content-Type: application/json", "Authorization: {}", "X-Device-Id: d", "X-Client-Kind: k"]
)
async def test_a_single_valued_header_that_is_sent_twice_is_refused(system: System, twice: str) -> None:
    line = twice.format(signed_in(system).partition(": ")[2])
    headers = {JSON, signed_in(system)} - {line}

    response = await curl(system, "POST", *headers, line, line, body=TYPE)

    assert (response.status_code, codes(response)) == (400, ["BAD_INPUT"])


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Accept: " + "a/b," * 100_000, 406),
        ("Accept: " + ";" * 500_000, 406),
        ("Accept: " + "*/*;q=" + "0" * 500_000, 406),
        ("If-None-Match: " + '"' * 500_001, 200),
        ("If-None-Match: " + "W/" * 250_000, 200),
        ("Content-Type: " + "charset=" * 60_000, 200),
        ("X-Device-Id: " + "d" * 500_000, 400),
        ("X-Whatever: " + "x" * 500_000, 200),
    ],
    ids=range(8),
)
async def test_huge_headers_are_handled_fast(system: System, header: str, status: int) -> None:
    started = time.process_time()

    response = await curl(system, "GET", header, url=url_params("{ __typename }"))

    assert response.status_code == status
    assert time.process_time() - started < 1
