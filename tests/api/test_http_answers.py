"""GraphQL over HTTP: media type, status and headers of responses."""

import json
from collections.abc import Callable

import pytest

from settings import Settings
from tests.api.raw_connections import POST, connected
from tests.support.broken_database import MASKED, missing
from tests.support.http_requests import (
    ANSWER,
    JSON,
    LIKE,
    MODERN,
    PLAIN,
    TYPE,
    VIDEO,
    codes,
    curl,
    signed_in,
    url_params,
)
from tests.support.logs import capture_logs
from tests.support.metrics import metric
from tests.support.stored_state import unchanged
from tests.support.subscriptions import serving
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

LIKED = {
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
"""The response's media type by Accept header. None if no available type is accepted."""


def counted(operation: str, outcome: str) -> float:
    labels = {"operation": operation, "outcome": outcome}
    return metric("requests_total", **labels)


async def test_the_response_has_the_media_type_that_the_client_prefers(system: System) -> None:
    answered: dict[str | None, str | None] = {}
    for accept in LIKED:
        response = await curl(system, "POST", JSON, *([f"Accept: {accept}"] if accept else []), body=TYPE)
        media_type, charset = response.headers["content-type"].split("; ")
        assert charset == "charset=utf-8"
        answered[accept] = media_type if response.status_code == 200 else None
        if answered[accept] is None:
            assert (response.status_code, codes(response)) == (406, ["BAD_INPUT"])
            assert media_type == (PLAIN if "text/html" in (accept or "") else MODERN)
        else:
            assert response.json() == ANSWER

    assert answered == LIKED


async def test_a_request_that_accepts_no_available_media_type_does_not_run(system: System) -> None:
    await system.videos("v1")

    async with unchanged(system):
        body = json.dumps({"query": LIKE}).encode()
        response = await curl(system, "POST", JSON, "Accept: image/png", signed_in(system), body=body)

    assert response.status_code == 406


PARTIAL = '{ __typename node(id: "no id") { id } }'


@pytest.mark.parametrize("accept", [PLAIN, MODERN])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_status_follows_the_result(system: System, method: str, accept: str) -> None:
    statuses = {
        "{ viewer { id } }": 200,
        PARTIAL: 294 if accept == MODERN else 200,
        "{ viewer { id }": 400,
        "{ nothing }": 422,
        "query ($id: ID!) { node(id: $id) { id } }": 422,
    }

    answers = {}
    for query in statuses:
        url, body = (url_params(query), b"") if method == "GET" else ("", json.dumps({"query": query}).encode())
        response = await curl(system, method, JSON, f"Accept: {accept}", url=url, body=body)
        media_type = accept if response.status_code < 300 else MODERN
        assert response.headers["content-type"] == f"{media_type}; charset=utf-8"
        assert ("data" in response.json()) == (response.status_code < 300)
        answers[query] = response.status_code

    assert answers == statuses


@pytest.mark.parametrize("accept", ["*/*", f"{PLAIN}, {MODERN};q=0.5", "text/html,application/xhtml+xml,*/*;q=0.8"])
async def test_partial_data_has_its_own_status_only_for_clients_that_prefer_the_modern_type(
    system: System, accept: str
) -> None:
    response = await curl(system, "GET", f"Accept: {accept}", url=url_params(PARTIAL))

    assert response.status_code == 200


@pytest.mark.parametrize("accept", ["text/html,application/xhtml+xml,*/*;q=0.8", f"{MODERN};q=0, */*"])
async def test_browsers_and_clients_that_refuse_the_modern_type_get_errors_in_json(system: System, accept: str) -> None:
    response = await curl(system, "GET", f"Accept: {accept}", url=url_params("{ nothing }"))

    assert (response.status_code, response.headers["content-type"]) == (422, f"{PLAIN}; charset=utf-8")


async def test_a_body_that_stops_arriving_is_a_timeout(make_settings: Callable[..., Settings]) -> None:
    async with serving(make_settings(port=0, connections={"body_timeout": 0.1})) as live, connected(live) as client:
        assert await client.send(POST + b"Content-Length: 100\r\n\r\n{") == 408


async def test_a_bad_token_gets_equal_responses_from_all_methods(system: System) -> None:
    posted = await curl(system, "POST", JSON, "Authorization: Bearer x", body=TYPE)
    got = await curl(system, "GET", "Authorization: Bearer x", url=url_params("{ __typename }"))

    for response in posted, got:
        assert (response.status_code, codes(response)) == (401, ["UNAUTHENTICATED"])
        assert response.headers["www-authenticate"] == "Bearer"
        assert "no-store" in response.headers["cache-control"]


async def test_a_head_response_is_a_get_response_without_its_body(system: System) -> None:
    await system.videos("v1")

    got = await curl(system, "GET", url=url_params(VIDEO))
    head = await curl(system, "HEAD", url=url_params(VIDEO))

    assert head.content == b""
    timed = {"server-timing"}
    assert head.headers.keys() == got.headers.keys()
    assert {one for one in got.headers.keys() - timed if head.headers[one] != got.headers[one]} == set()
    assert head.headers["content-length"] == str(len(got.content))
    assert head.status_code == got.status_code == 200


@pytest.mark.parametrize("headers", [[], ["X-Device-Id: d1"]])
async def test_an_internal_error_of_a_get_is_masked_and_not_cacheable(system: System, headers: list[str]) -> None:
    await system.videos("v1")
    await system.empty_redis()

    async with missing(system, "counters"):
        with capture_logs() as logs:
            response = await curl(system, "GET", *headers, url=url_params(VIDEO))

    assert [error["message"] for error in response.json()["errors"]] == [MASKED]
    assert response.headers["cache-control"] == "private, no-store"
    assert "etag" not in response.headers
    assert len([entry for entry in logs if entry["log_level"] == "error"]) == 1


async def test_every_request_is_counted_once(system: System) -> None:
    operations = ("entity", "ok"), ("refused", "errors"), ("invalid", "errors")
    before = [counted(*operation) for operation in operations]

    got = await curl(system, "GET", url=url_params(VIDEO))
    await curl(system, "GET", f"If-None-Match: {got.headers['etag']}", url=url_params(VIDEO))
    await curl(system, "HEAD", url=url_params(VIDEO))
    for method, header in ("DELETE", JSON), ("GET", "Accept: image/png"), ("POST", "Content-Type: text/plain"):
        await curl(system, method, header, url=url_params(VIDEO))
    await curl(system, "GET", url=url_params(LIKE))

    assert [counted(*operation) for operation in operations] == [before[0] + 3, before[1] + 3, before[2] + 1]
