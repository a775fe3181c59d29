"""Subscriptions as server-sent events."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx
import orjson
import pytest

from settings import Settings
from tests.support.subscriptions import PATIENCE, WATCH, Live, Stream, eventually, serving

STREAM = "text/event-stream"


async def test_a_stream_has_the_current_value_and_then_the_changes(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.stream([video], "alice") as stream:
        first = await stream.value()
        await live.person("alice").like(video)
        await live.drain()
        second = await stream.value()

    assert stream.response.status_code == 200
    assert stream.response.headers["content-type"] == f"{STREAM}; charset=utf-8"
    assert stream.response.headers["cache-control"] == "no-store"
    assert first == {"id": video, "likeCount": 0, "viewerReaction": None}
    assert second == {"id": video, "likeCount": 1, "viewerReaction": "LIKE"}
    await eventually(lambda: live.connection_count == 0)
    await eventually(lambda: live.state.events.channels == 0)


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_browsers_can_open_a_stream_by_url(live: Live) -> None:
    (video,) = await live.videos("v1")
    url = f"http://{live.address}/graphql?" + urlencode(
        {"query": WATCH, "variables": orjson.dumps({"ids": [video]}).decode()}
    )

    async with (
        httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http,
        http.stream("GET", url, headers={"accept": STREAM}) as response,
    ):
        assert (await Stream(response).value())["id"] == video


REFUSED_IN_THE_STREAM: dict[str, tuple[dict[str, Any], str]] = {
    "a query": ({"query": "{ viewer { id } }"}, "BAD_INPUT"),
    "a mutation": ({"query": 'mutation { unlike(input: {targetId: "x"}) { userErrors { code } } }'}, "BAD_INPUT"),
    "an unknown id": ({"variables": {"ids": ["Entity:video:unknown"]}}, "BAD_INPUT"),
    "an unknown field": ({"query": "subscription { nothing }"}, "GRAPHQL_VALIDATION_FAILED"),
    "a typing error": ({"query": "subscription {"}, "GRAPHQL_PARSE_FAILED"),
    "introspection": ({"query": "subscription { __schema { description } }"}, "GRAPHQL_VALIDATION_FAILED"),
    "too many aliases": (
        {"query": f"subscription {{ reactableChanged(ids: []) {{ {' '.join(f'a{n}: id' for n in range(300))} }} }}"},
        "QUERY_TOO_EXPENSIVE",
    ),
}


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_an_invalid_or_expensive_subscription_is_refused_in_the_stream(live: Live) -> None:
    outcomes = {}
    for name, (changes, _) in REFUSED_IN_THE_STREAM.items():
        async with live.stream([], **changes) as stream:
            events = [await stream.event() for _ in range(3)]
        assert events[0]
        assert [event and event[0] for event in events] == ["next", "complete", None]
        assert events[0][1].keys() == {"errors"}
        outcomes[name] = [error["extensions"]["code"] for error in events[0][1]["errors"]]

    assert outcomes == {name: [code] for name, (_, code) in REFUSED_IN_THE_STREAM.items()}


REFUSED: dict[str, tuple[str, dict[str, Any], int]] = {
    "a forged token": ("POST", {"json": {"query": WATCH}, "headers": {"authorization": "Bearer forged"}}, 401),
    "no JSON": ("POST", {"content": b"{", "headers": {"content-type": "application/json"}}, 400),
    "a form": ("POST", {"data": {"query": WATCH}}, 415),
    "nothing": ("GET", {}, 422),
    "a body that is too long": ("POST", {"json": {"query": "#" * 1_000_000}}, 413),
    "another method": ("DELETE", {}, 405),
}


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_an_invalid_request_is_refused_with_its_status(live: Live) -> None:
    statuses = {}
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        for name, (method, options, _) in REFUSED.items():
            headers = {"accept": STREAM, **options.get("headers", {})}
            url = f"http://{live.address}/graphql"
            response = await http.request(method, url, **{**options, "headers": headers})
            assert response.headers["content-type"] == "application/graphql-response+json; charset=utf-8"
            assert response.json().keys() == {"errors"}
            statuses[name] = response.status_code
        head = await http.head(f"http://{live.address}/graphql", headers={"accept": STREAM})

    assert statuses == {name: status for name, (_, _, status) in REFUSED.items()}
    assert head.status_code == 405
    assert live.connection_count == 0


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_stream_ends_when_its_token_expires(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.stream([video], "alice", life=-3) as stream:
        events = [await stream.event()]
        while events[-1]:
            events.append(await stream.event())

    *_, last, complete, end = events
    assert last
    assert [error["extensions"]["code"] for error in last[1]["errors"]] == ["UNAUTHENTICATED"]
    assert (complete, end) == (("complete", None), None)


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_silent_stream_has_comments_that_keep_it_alive(make_settings: Callable[..., Settings]) -> None:
    async with serving(make_settings(port=0, connections={"keep_alive_interval": 0.05})) as live:
        (video,) = await live.videos("v1")
        async with live.stream([video], "alice") as stream:
            await stream.value()
            await live.person("bob").like(video)
            await eventually(lambda: live.connection_count == 1)
            lines = stream._lines
            comments = [line async for line in first(lines, 4) if line]

    assert comments == [":", ":"]


async def first(lines: Any, most: int) -> Any:
    for _ in range(most):
        yield await anext(lines)


ACCEPTED: dict[str, str] = {
    "text/event-stream": STREAM,
    "text/event-stream, */*;q=0.5": STREAM,
    "text/event-stream, multipart/mixed": STREAM,
    "application/json;q=0.5, text/event-stream": STREAM,
    "text/event-stream;q=0.5, application/json": "application/json",
    "application/graphql-response+json, application/json, text/event-stream": "application/graphql-response+json",
    "text/event-stream;q=0, application/json": "application/json",
    "*/*": "application/json",
    "text/*": "application/graphql-response+json",
}


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_stream_is_sent_to_clients_that_prefer_it(live: Live) -> None:
    found = {}
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        for accept in ACCEPTED:
            url = f"http://{live.address}/graphql"
            response = await http.post(url, json={"query": "{ __typename }"}, headers={"accept": accept})
            found[accept] = response.headers["content-type"].partition(";")[0]

    assert found == ACCEPTED


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_subscription_without_a_stream_is_refused(live: Live) -> None:
    (video,) = await live.videos("v1")

    response = await live.person("alice").send(WATCH, ids=[video])

    assert response.status_code == 422
    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["BAD_INPUT"]
