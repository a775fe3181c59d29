"""Pages of other origins: which of them may call, which headers they may send, and which headers browsers receive."""

import re
from collections.abc import Callable

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from settings import Settings
from tests.support.logs import capture_logs
from tests.support.subscriptions import Live, serving
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

PAGE = "https://app.example"
SENT = (
    "authorization, content-type, x-device-id, traceparent, tracestate, baggage, sentry-trace, x-request-id, "
    "apollographql-client-name, apollographql-client-version, x-apollo-operation-name, apollo-require-preflight, "
    "graphql-client-name"
)
LOCAL = {
    "http://localhost:5173": True,
    "http://localhost": True,
    "https://127.0.0.1:3000": True,
    "http://localhost.evil.example": False,
    "http://evil.example": False,
    "http://localhost:5173.evil.example": False,
    "http://127.0.0.12": False,
    "null": False,
}


async def preflight(system: System, origin: str, headers: str) -> httpx.Response:
    asked = {"origin": origin, "access-control-request-method": "POST", "access-control-request-headers": headers}
    return await system.http.options("/graphql", headers=asked)


async def test_pages_may_send_tracing_and_client_names_but_no_other_headers(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(cors_origins=(PAGE,))) as system:
        assert (await preflight(system, PAGE, SENT)).status_code == 200
        assert (await preflight(system, PAGE, "x-mine")).status_code == 400
        refused = await preflight(system, "https://evil.example", SENT)
        assert (refused.status_code, "PLAUDIT_CORS_ORIGINS lists" in refused.text) == (400, True)
        assert "access-control-allow-origin" not in refused.headers
        assert "PLAUDIT_CORS_HEADERS lists" in (await preflight(system, PAGE, "x-mine")).text
    async with running(make_settings(cors_origins=(PAGE,), cors_headers=("x-mine",))) as system:
        assert (await preflight(system, PAGE, "x-mine")).status_code == 200
        assert (await preflight(system, PAGE, "traceparent")).status_code == 400


async def test_in_development_local_pages_may_call_and_the_log_says_so(
    make_settings: Callable[..., Settings],
) -> None:
    with capture_logs() as logs:
        async with running(make_settings(env="development")) as system:
            found = {origin: (await preflight(system, origin, SENT)).status_code == 200 for origin in LOCAL}

    assert found == LOCAL
    assert [entry["event"] for entry in logs if "localhost" in entry["event"]]


async def test_in_production_local_pages_may_not_call(make_settings: Callable[..., Settings]) -> None:
    assert make_settings(env="production").cors_pattern is None


async def opens(live: Live, origin: str) -> bool:
    try:
        async with live.socket(origin=origin):
            return True
    except InvalidStatus:
        return False


async def test_a_live_api_in_development_answers_local_pages(make_settings: Callable[..., Settings]) -> None:
    """Uses a server on a port, because an in-process transport has no WebSocket handshake."""
    async with serving(make_settings(port=0, env="development")) as live:
        assert {origin: await opens(live, origin) for origin in LOCAL} == LOCAL
        async with httpx.AsyncClient(base_url=f"http://{live.address}", trust_env=False) as http:
            paths = ("/graphql?query={__typename}", "/livez", "/nowhere", "/graphiql", "/", "/square", "/moderation")
            answers = {path: await http.get(path) for path in paths}
            pages = "".join(answer.text for answer in answers.values())
            loaded = re.findall(r'(?:src|href)="/?([^":]+)"', pages)
            answers |= {path: await http.get(f"/{path}") for path in loaded}
            slashed = await http.post("/graphql/", headers={"host": "evil.example"}, json={"query": "{ __typename }"})

    assert len(loaded) > 5
    for answer in (*answers.values(), slashed):
        assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    assert slashed.status_code == 404
    assert "location" not in slashed.headers
