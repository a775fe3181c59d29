"""Cache-Control and ETag of responses: who may cache a response, for how long, and which response a tag identifies."""

import json
import re
from collections.abc import Callable

import pytest

from settings import Settings
from tests.support.http_requests import JSON, LIKE, ME, MODERN, PLAIN, VIDEO, curl, signed_in, url_params
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PUBLIC, PRIVATE, ERRORS = "public, max-age=10", "private, max-age=0, must-revalidate", "private, no-store"
VARY = "Accept, Authorization, X-Device-Id, X-Plaudit-User, Origin"
FINDINGS = ("postgres.fsync", "postgres.full_page_writes")
"""What `plaudit check` finds in the stores of tests."""
IN_A_FRAGMENT = '{ entity(business: "video", key: "v1") { ...F } } fragment F on Entity { mine: %s }'


@pytest.mark.parametrize(
    ("query", "for_anonymous", "for_user"),
    [
        (VIDEO, PUBLIC, PRIVATE),
        ("{ __typename }", PUBLIC, PRIVATE),
        ("query Viewers { __typename }", PUBLIC, PRIVATE),
        (IN_A_FRAGMENT % "likeCount", PUBLIC, PRIVATE),
        (IN_A_FRAGMENT % "viewerReaction", PRIVATE, PRIVATE),
        (IN_A_FRAGMENT % "likedByFollowed { id }", PRIVATE, PRIVATE),
        ('{ user(handle: "bob") { viewerRelation } }', PRIVATE, PRIVATE),
        ("query ($no: Boolean = false) { __typename viewer @include(if: $no) { id } }", PRIVATE, PRIVATE),
        (ME, PRIVATE, PRIVATE),
        ('{ __typename node(id: "no id") { id } }', ERRORS, ERRORS),
        ("{ nothing }", ERRORS, ERRORS),
    ],
    ids=range(11),
)
async def test_only_responses_that_are_equal_for_all_viewers_are_public(
    system: System, query: str, for_anonymous: str, for_user: str
) -> None:
    await system.videos("v1")
    callers: list[list[str]] = [[], ["X-Client-Kind: web"], ["X-Device-Id: d1"], [signed_in(system)]]

    answers = [await curl(system, "GET", *headers, url=url_params(query)) for headers in callers]

    assert [answer.headers["cache-control"] for answer in answers] == [for_anonymous] * 2 + [for_user] * 2
    assert {answer.headers["vary"] for answer in answers} == {VARY}
    assert {"etag" in answer.headers for answer in answers} == {for_anonymous != ERRORS}


@pytest.mark.parametrize(
    ("header", "query"),
    [(JSON, VIDEO), (JSON, ME), (JSON, LIKE), (JSON, "{ nothing }"), ("Content-Type: text/plain", VIDEO)],
)
async def test_responses_to_post_are_not_cacheable(system: System, header: str, query: str) -> None:
    response = await curl(system, "POST", header, body=json.dumps({"query": query}).encode())

    assert response.headers["cache-control"] == "no-store"
    assert response.headers["vary"] == VARY
    assert "etag" not in response.headers


async def test_a_setting_limits_the_life_of_cached_responses(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(public_max_age=30)) as system:
        response = await curl(system, "GET", url=url_params("{ __typename }"))

    assert response.headers["cache-control"] == "public, max-age=30"
    with pytest.raises(ValueError, match="public_max_age"):
        make_settings(public_max_age=31)


async def test_responses_vary_by_origin_where_pages_may_call(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(cors_origins=("https://a.example",))) as system:
        answers = [
            await curl(system, "GET", *headers, url=url_params("{ __typename }"))
            for headers in ([], ["Origin: https://a.example"], ["Origin: https://b.example"])
        ]

    assert [answer.headers["vary"] for answer in answers] == [VARY] * 3
    allowed = [answer.headers.get("access-control-allow-origin") for answer in answers]
    assert allowed == [None, "https://a.example", None]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("known", ["{}", '"a", {}', 'W/{}, "a"', "*", ' "",{}'])
async def test_a_client_with_the_current_tag_gets_304(system: System, method: str, known: str) -> None:
    await system.videos("v1")
    first = await curl(system, "GET", url=url_params(VIDEO))

    again = await curl(system, method, f"If-None-Match: {known.format(first.headers['etag'])}", url=url_params(VIDEO))

    assert (again.status_code, again.content) == (304, b"")
    assert [again.headers[name] for name in ("etag", "cache-control", "vary")] == [
        first.headers[name] for name in ("etag", "cache-control", "vary")
    ]
    assert "content-type" not in again.headers


@pytest.mark.parametrize("known", ['"a"', "", "{}x", "a", 'W/"a", ""'])
async def test_a_client_with_another_tag_gets_the_response(system: System, known: str) -> None:
    await system.videos("v1")
    first = await curl(system, "GET", url=url_params(VIDEO))

    bare = first.headers["etag"].strip('"')
    again = await curl(system, "GET", f"If-None-Match: {known.format(bare)}", url=url_params(VIDEO))

    assert (again.status_code, again.content) == (200, first.content)


async def test_a_tag_identifies_one_response_in_one_media_type(system: System) -> None:
    await system.videos("v1")

    async def tag(media_type: str, url: str) -> str:
        response = await curl(system, "GET", f"Accept: {media_type}", signed_in(system), url=url)
        assert response.headers["etag"].startswith('"')
        return str(response.headers["etag"])

    before = [
        await tag(PLAIN, url_params(VIDEO)),
        await tag(MODERN, url_params(VIDEO)),
        await tag(PLAIN, url_params(ME)),
    ]
    same = await tag(PLAIN, url_params(VIDEO, operationName=""))
    await system.person("alice").like("Entity:video:v1")
    after = await tag(PLAIN, url_params(VIDEO))

    assert len({*before, after}) == 4
    assert same == before[0]


@pytest.mark.parametrize(
    "url", [url_params("{ nothing }"), url_params('{ __typename node(id: "no id") { id } }'), url_params(LIKE)]
)
async def test_errors_never_get_304(system: System, url: str) -> None:
    response = await curl(system, "GET", "If-None-Match: *", url=url)

    assert response.status_code in (200, 422, 405)
    assert response.json()["errors"]


@pytest.mark.parametrize("env", ["development", "production"])
async def test_only_development_says_how_often_a_request_has_accessed_the_stores(
    make_settings: Callable[..., Settings], env: str
) -> None:
    async with running(make_settings(env=env, accepted_findings=FINDINGS)) as system:
        await system.videos("v1")
        answer = await curl(system, "GET", signed_in(system), url=url_params(VIDEO))

    timing = answer.headers.get("server-timing")
    if env == "production":
        assert timing is None
    else:
        assert re.fullmatch(r'redis;desc="[1-9]\d*", sql;desc="\d+", total;dur=\d+\.\d', timing or "")
