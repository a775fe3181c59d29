"""GraphQL over HTTP: methods, media types and status codes."""

import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from settings import Settings
from tests.api.test_failures import MASKED, missing
from tests.api.traces import unchanged
from tests.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PLAIN, MODERN = "application/json", "application/graphql-response+json"
JSON = f"Content-Type: {PLAIN}"
ME = "{ viewer { id } }"
VIDEO = '{ entity(business: "video", key: "v1") { id title likeCount } }'
LIKE = 'mutation Like { like(input: {targetId: "Entity:video:v1"}) { userErrors { code } } }'
TYPE = b'{"query": "{ __typename }"}'
ANSWER = {"data": {"__typename": "Query"}, "extensions": {"cost": 1}}


async def curl(system: System, method: str, *headers: str, url: str = "", body: bytes = b"") -> httpx.Response:
    """A request with these header lines and nothing else to say; nothing is answered by breaking, or with cookies."""
    request = system.http.build_request(method, f"/graphql?{url}", content=body)
    del request.headers["accept"]
    lines = [(name.encode(), value.encode()) for name, _, value in (line.partition(": ") for line in headers)]
    request.headers = httpx.Headers([*request.headers.raw, *lines])
    response = await system.http.send(request)
    assert response.status_code < 500
    assert "set-cookie" not in response.headers
    return response


def asking(query: str, **params: Any) -> str:
    """The parameters of a URL."""
    return urlencode({"query": query, **{k: v if isinstance(v, str) else json.dumps(v) for k, v in params.items()}})


def signed_in(system: System, handle: str = "alice") -> str:
    return f"Authorization: {system.person(handle).headers['authorization']}"


def codes(response: httpx.Response) -> list[str]:
    """The codes of the errors of a response without data."""
    body = response.json()
    assert list(body) == ["errors"], body
    return [error["extensions"]["code"] for error in body["errors"]]


def counted(operation: str, outcome: str) -> float:
    labels = {"operation": operation, "outcome": outcome}
    return REGISTRY.get_sample_value("plaudit_requests_total", labels) or 0


# Requests


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
async def test_a_body_of_json_in_utf8_is_taken(system: System, content_type: str) -> None:
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
async def test_what_a_form_on_any_page_can_send_is_refused(system: System, content_type: str, body: str) -> None:
    await system.videos("v1")

    async with unchanged(system):
        response = await curl(system, "POST", content_type, signed_in(system), body=body.encode())

    assert (response.status_code, codes(response)) == (415, ["BAD_INPUT"])


async def test_a_body_too_large_is_refused_as_that(system: System) -> None:
    response = await curl(system, "POST", JSON, body=json.dumps({"query": LIKE + " " * 10_000_000}).encode())

    assert (response.status_code, codes(response)) == (413, ["BAD_INPUT"])


async def test_a_batch_is_told_why_it_is_refused(system: System) -> None:
    response = await curl(system, "POST", JSON, body=b"[%s, %s]" % (TYPE, TYPE))

    assert response.status_code == 400
    assert "one by one" in response.json()["errors"][0]["message"]


async def test_null_is_the_same_as_nothing_and_other_names_are_ignored(system: System) -> None:
    body = b'{"query": "{ __typename }", "variables": null, "operationName": null, "extensions": null, "id": 7}'

    response = await curl(system, "POST", JSON, body=body)

    assert (response.status_code, response.json()) == (200, ANSWER)


@pytest.mark.parametrize(
    "url",
    [
        asking("{ __typename }"),
        asking("{ __typename }", variables={}, extensions={}, operationName=""),
        asking("{ __typename }", variables="null", extensions="", _="1700000000"),
        asking("query A { __typename } mutation B { __typename }", operationName="A"),
        asking("query ($yes: Boolean!) { __typename @include(if: $yes) }", variables={"yes": True}),
        "query=%7B__typename%7D",
        "query={+__typename+}",
    ],
)
async def test_a_query_may_travel_in_the_url(system: System, url: str) -> None:
    response = await curl(system, "GET", url=url)

    assert (response.status_code, response.json()) == (200, ANSWER)


async def test_variables_in_the_url_arrive_as_they_were_written(system: System) -> None:
    name = 'ünïcödé & 100% +1="%2B";\\'
    await system.person("registrar", "users:write").ask(
        "mutation ($u: [UserInput!]!) { registerUsers(users: $u) { userErrors { code } } }",
        u=[{"externalId": name, "displayName": "Somebody"}],
    )
    query = "query ($ids: [String!]!) { users(externalIds: $ids) { displayName } }"

    response = await curl(system, "GET", url=asking(query, variables={"ids": [name, "ünïcödé"]}))

    assert response.json()["data"] == {"users": [{"displayName": "Somebody"}, None]}


async def test_a_url_that_asks_for_nothing_that_can_be_answered(system: System) -> None:
    followers = 'query ($n: Int!) { user(handle: "a") { followers(first: $n) { nodes { id } } } }'
    urls = {
        "nothing": ("", 400, "BAD_INPUT"),
        "an empty query": ("query=", 400, "BAD_INPUT"),
        "a name without a value": ("query", 400, "BAD_INPUT"),
        "not UTF-8": ("query=%ff", 400, "BAD_INPUT"),
        "two queries": (f"{asking(ME)}&{asking(ME)}", 400, "BAD_INPUT"),
        "many parameters": (f"{asking(ME)}&{'&'.join(f'a{i}' for i in range(200))}", 400, "BAD_INPUT"),
        "half JSON": (asking(ME, variables="{"), 400, "BAD_INPUT"),
        "depth": (asking(ME, variables='{"a": ' + "[" * 20_000), 400, "BAD_INPUT"),
        "variables in a list": (asking(ME, variables="[]"), 400, "BAD_INPUT"),
        "variables in a text": (asking(ME, variables='"{}"'), 400, "BAD_INPUT"),
        "variables in a number": (asking(ME, variables="1"), 400, "BAD_INPUT"),
        "extensions in a list": (asking(ME, extensions="[]"), 400, "BAD_INPUT"),
        "extensions of true": (asking(ME, extensions="true"), 400, "BAD_INPUT"),
        "an unknown name": (asking(ME, operationName="Unknown"), 400, "BAD_INPUT"),
        "the name null": (asking(ME, operationName="null"), 400, "BAD_INPUT"),
        "no name for two": (asking(f"query A {ME} query B {ME}"), 400, "BAD_INPUT"),
        "no name for one of each": (asking(f"query A {ME} {LIKE}"), 400, "BAD_INPUT"),
        "a missing variable": (asking(followers), 400, "BAD_INPUT"),
        "a typing error": (asking("{ viewer { id }"), 400, "GRAPHQL_PARSE_FAILED"),
        "an unknown field": (asking("{ nothing }"), 400, "GRAPHQL_VALIDATION_FAILED"),
        "a subscription": (asking(f"subscription {ME}"), 405, "BAD_INPUT"),
    }

    outcomes = {}
    for name, (url, _, _) in urls.items():
        response = await curl(system, "GET", url=url)
        outcomes[name] = url, response.status_code, *codes(response)
        assert response.headers["cache-control"] == "private, no-store"

    assert outcomes == urls


async def test_a_url_too_long_is_refused_as_that(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(max_body_bytes=100)) as system:
        fits = await curl(system, "GET", url=asking("{__typename}").ljust(100, "+"))
        long = await curl(system, "GET", url=asking("{__typename}").ljust(101, "+"))

    assert (fits.status_code, fits.json()) == (200, ANSWER)
    assert (long.status_code, codes(long)) == (414, ["BAD_INPUT"])


@pytest.mark.parametrize(
    "url",
    [
        asking(LIKE),
        asking(LIKE, operationName="Like"),
        asking(f"query Me {ME} {LIKE}", operationName="Like"),
        asking(f"{LIKE} query Me {ME}"),
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


async def test_what_a_get_carries_in_its_body_is_not_read(system: System) -> None:
    response = await curl(system, "GET", JSON, body=json.dumps({"query": LIKE}).encode())

    assert (response.status_code, codes(response)) == (400, ["BAD_INPUT"])


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "LIKE"])
async def test_other_methods_are_told_which_ones_there_are(system: System, method: str) -> None:
    await system.videos("v1")

    async with unchanged(system):
        body = json.dumps({"query": LIKE}).encode()
        response = await curl(system, method, JSON, signed_in(system), url=asking(LIKE), body=body)

    assert (response.status_code, codes(response)) == (405, ["BAD_INPUT"])
    assert response.headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    "twice", ["Content-Type: application/json", "Authorization: {}", "X-Device-Id: d", "X-Client-Kind: k"]
)
async def test_a_header_that_must_be_one_and_is_two_is_refused(system: System, twice: str) -> None:
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
async def test_huge_headers_are_read_in_no_time(system: System, header: str, status: int) -> None:
    started = time.process_time()

    response = await curl(system, "GET", header, url=asking("{ __typename }"))

    assert response.status_code == status
    assert time.process_time() - started < 1


# Answers


async def test_the_answer_is_of_the_type_the_client_likes_best(system: System) -> None:
    liked = {
        None: PLAIN,
        "*/*": PLAIN,
        "application/*": PLAIN,
        PLAIN: PLAIN,
        MODERN: MODERN,
        MODERN.upper(): MODERN,
        f"{MODERN}; charset=utf-8, {PLAIN}; charset=utf-8": MODERN,
        f"{PLAIN}, {MODERN}": MODERN,
        f"{PLAIN}, text/plain, */*": PLAIN,
        f"{MODERN}, */*": MODERN,
        f"{MODERN};q=0.5, {PLAIN};q=0.9": PLAIN,
        f"{MODERN};q=0.9, {PLAIN};q=0.5": MODERN,
        f"{MODERN} ; q=0.5 , {PLAIN} ; q=0.501": PLAIN,
        f"{MODERN};q=0.1, */*": PLAIN,
        f"{PLAIN};q=0.1, application/*;q=0.2": MODERN,
        f"{PLAIN};q=0, */*": MODERN,
        f"{MODERN};q=0, */*;q=0.001": PLAIN,
        f"{PLAIN};q=high, {MODERN};q=0.1": MODERN,
        "text/html": PLAIN,
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": PLAIN,
        "image/png": None,
        "text/*": None,
        f"{PLAIN};q=0": None,
        "*/*;q=0.000": None,
        f"{PLAIN};q=nan": None,
        "application/xml, multipart/mixed": None,
        ",": None,
    }

    answered: dict[str | None, str | None] = {}
    for accept in liked:
        response = await curl(system, "POST", JSON, *([f"Accept: {accept}"] if accept else []), body=TYPE)
        answered[accept] = response.headers["content-type"] if response.status_code == 200 else None
        if answered[accept] is None:
            assert (response.status_code, codes(response)) == (406, ["BAD_INPUT"])
            assert response.headers["content-type"] == PLAIN
        else:
            assert response.json() == ANSWER

    assert answered == liked


async def test_an_answer_that_nobody_could_read_is_not_worked_for(system: System) -> None:
    await system.videos("v1")

    async with unchanged(system):
        body = json.dumps({"query": LIKE}).encode()
        response = await curl(system, "POST", JSON, "Accept: image/png", signed_in(system), body=body)

    assert response.status_code == 406


@pytest.mark.parametrize("accept", [PLAIN, MODERN])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_status_says_whether_anything_was_executed(system: System, method: str, accept: str) -> None:
    statuses = {
        "{ viewer { id } }": 200,
        '{ node(id: "no id") { id } }': 200,
        "{ viewer { id }": 400,
        "{ nothing }": 400,
        "query ($id: ID!) { node(id: $id) { id } }": 400,
    }

    answers = {}
    for query in statuses:
        url, body = (asking(query), b"") if method == "GET" else ("", json.dumps({"query": query}).encode())
        response = await curl(system, method, JSON, f"Accept: {accept}", url=url, body=body)
        assert response.headers["content-type"] == accept
        assert ("data" in response.json()) == (response.status_code == 200)
        answers[query] = response.status_code

    assert answers == statuses


async def test_a_bad_token_is_told_the_same_by_every_method(system: System) -> None:
    posted = await curl(system, "POST", JSON, "Authorization: Bearer x", body=TYPE)
    got = await curl(system, "GET", "Authorization: Bearer x", url=asking("{ __typename }"))

    for response in posted, got:
        assert (response.status_code, codes(response)) == (401, ["UNAUTHENTICATED"])
        assert response.headers["www-authenticate"] == "Bearer"
        assert "no-store" in response.headers["cache-control"]


async def test_a_head_is_a_get_without_its_body(system: System) -> None:
    await system.videos("v1")

    got = await curl(system, "GET", url=asking(VIDEO))
    head = await curl(system, "HEAD", url=asking(VIDEO))

    assert head.content == b""
    assert dict(head.headers) == dict(got.headers)
    assert head.headers["content-length"] == str(len(got.content))
    assert head.status_code == got.status_code == 200


# In all of it


@pytest.mark.parametrize("headers", [[], ["X-Device-Id: d1"]])
async def test_what_broke_under_a_get_is_masked_and_kept_by_nobody(system: System, headers: list[str]) -> None:
    await system.videos("v1")
    await system.empty_redis()

    async with missing(system, "counters"):
        with capture_logs() as logs:
            response = await curl(system, "GET", *headers, url=asking(VIDEO))

    assert [error["message"] for error in response.json()["errors"]] == [MASKED]
    assert response.headers["cache-control"] == "private, no-store"
    assert "etag" not in response.headers
    assert len([entry for entry in logs if entry["log_level"] == "error"]) == 1


async def test_whatever_comes_is_counted_once(system: System) -> None:
    operations = ("entity", "ok"), ("refused", "errors"), ("invalid", "errors")
    before = [counted(*operation) for operation in operations]

    got = await curl(system, "GET", url=asking(VIDEO))
    await curl(system, "GET", f"If-None-Match: {got.headers['etag']}", url=asking(VIDEO))
    await curl(system, "HEAD", url=asking(VIDEO))
    for method, header in ("DELETE", JSON), ("GET", "Accept: image/png"), ("POST", "Content-Type: text/plain"):
        await curl(system, method, header, url=asking(VIDEO))
    await curl(system, "GET", url=asking(LIKE))

    assert [counted(*operation) for operation in operations] == [before[0] + 3, before[1] + 3, before[2] + 1]
