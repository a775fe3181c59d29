"""The address of a request: the nearest one that is no trusted proxy, whatever headers clients forge (S1)."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import orjson
import pytest
from pydantic import SecretStr, ValidationError
from starlette.types import Receive, Scope, Send

from api.headers import address
from server import configuration
from settings import AnonymousSettings, LimitSettings, Settings
from tests.support.stores import standalone
from tests.support.subscriptions import PATIENCE, Live, serving

Make = Callable[..., Settings]
Road = Callable[[Live, str], Awaitable[dict[str, Any]]]
LOOPBACK, PROXY, CLIENT = "127.0.0.1", "10.1.2.3", "198.51.100.9"
TWICE = LimitSettings(anonymous=AnonymousSettings(points=100, points_per_second=0.001, cost=100))
"""A refused document costs 50 points."""


def settings(**changes: Any) -> Settings:
    return Settings(jwt_secret=SecretStr("s" * 32), **changes)


async def decided(peer: str, *forwarded: bytes, kind: str = "http", **changes: Any) -> str | None:
    """Returns the address that the server takes for a request with this peer and these headers."""
    found: list[str | None] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001
        found.append(address(scope["client"][0]))

    served = configuration(app, settings(**changes))  # type: ignore[arg-type]
    served.load()
    scope = {"type": kind, "client": (peer, 4711), "headers": [(b"x-forwarded-for", value) for value in forwarded]}
    await served.loaded_app(scope, None, None)
    return found[0]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        (LOOPBACK, [b"198.51.100.9"], CLIENT),
        (LOOPBACK, [b"203.0.113.7, 198.51.100.9"], CLIENT),
        (LOOPBACK, [b"203.0.113.7", b"198.51.100.9"], CLIENT),
        (LOOPBACK, [b"203.0.113.7, 198.51.100.9, 10.1.2.3"], CLIENT),
        (LOOPBACK, [b"127.0.0.1, 198.51.100.9"], CLIENT),
        (LOOPBACK, [], LOOPBACK),
        (f"::ffff:{LOOPBACK}", [b"198.51.100.9"], CLIENT),
        (f"::ffff:{PROXY}", [b"203.0.113.7, 198.51.100.9"], CLIENT),
        (LOOPBACK, [b"203.0.113.7, 198.51.100.9, ::ffff:10.1.2.3"], CLIENT),
        (f"::ffff:{CLIENT}", [b"203.0.113.7"], CLIENT),
        (PROXY, [b"198.51.100.9:443"], CLIENT),
        (PROXY, [b"[2001:db8::7]:443"], "2001:db8::7"),
        (PROXY, [b"2001:db8::7"], "2001:db8::7"),
        (PROXY, [b"fe80::7%eth0"], "fe80::7"),
        (CLIENT, [b"203.0.113.7"], CLIENT),
        (CLIENT, [b"127.0.0.1"], CLIENT),
    ],
)
async def test_clients_cannot_choose_their_address(peer: str, forwarded: list[bytes], address: str, kind: str) -> None:
    assert await decided(peer, *forwarded, kind=kind, trusted_proxies=("127.0.0.1", "10.0.0.0/8")) == address


@pytest.mark.parametrize(
    "forwarded",
    [
        b"garbage",
        b"\xff\xfe",
        b"unknown",
        b"_hidden",
        b"[::1",
        b"1.2.3.4.5",
        b"%",
        b"1" * 10_000,
        b"::" * 5000,
        b"-1:-1",
    ],
)
async def test_an_invalid_forwarded_address_is_ignored(forwarded: bytes) -> None:
    """Callers without an address share one budget."""
    assert await decided(LOOPBACK, forwarded) is None


@pytest.mark.parametrize(
    "forged", [b"garbage, ", b", " * 5000, b"127.0.0.1, " * 5000, b"[::1]:99999999999, ", b"1" * 50_000 + b","]
)
async def test_the_nearest_address_counts_whatever_the_header_has_before_it(forged: bytes) -> None:
    assert await decided(LOOPBACK, forged + b"198.51.100.9") == CLIENT


async def test_settings_can_trust_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")

    assert await decided(LOOPBACK, b"198.51.100.9", trusted_proxies=()) == LOOPBACK
    assert await decided(PROXY, b"198.51.100.9") == PROXY
    assert await decided("::1", b"198.51.100.9") == CLIENT


@pytest.mark.parametrize(
    "proxies",
    [
        *('["*"]', '["proxy.example"]', '["10.0.0.1/8"]', '["0.0.0.0/0"]', '["::/0"]'),
        *('["0.0.0.0/1", "128.0.0.0/1"]', '["::ffff:0:0/96"]', '["::/8"]', '["8000::/1"]', '["0.0.0.0/7"]'),
    ],
)
def test_trusted_proxies_must_be_addresses_or_small_networks(monkeypatch: pytest.MonkeyPatch, proxies: str) -> None:
    monkeypatch.setenv("PLAUDIT_TRUSTED_PROXIES", proxies)

    with pytest.raises(ValidationError, match="trusted_proxies"):
        settings()


async def over_http(live: Live, forwarded: str) -> dict[str, Any]:
    async with httpx.AsyncClient(trust_env=False) as http:
        headers = {"x-forwarded-for": forwarded}
        response = await http.post(f"http://{live.address}/graphql", json={"query": "{"}, headers=headers)
    extensions: dict[str, Any] = response.json()["errors"][0]["extensions"]
    if response.status_code == 429:
        assert response.headers["retry-after"] == str(round(extensions["retryAfter"]))
        assert response.headers["x-ratelimit-budget"] == extensions["budget"]
    return extensions


async def over_stream(live: Live, forwarded: str) -> dict[str, Any]:
    headers = {"accept": "text/event-stream", "x-forwarded-for": forwarded}
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        response = await http.post(f"http://{live.address}/graphql", json={"query": "{"}, headers=headers)
    event = next(line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: "))
    return dict(orjson.loads(event)["errors"][0]["extensions"])


async def over_socket(live: Live, forwarded: str) -> dict[str, Any]:
    async with live.socket(additional_headers={"X-Forwarded-For": forwarded}) as socket:
        await socket.send(id="1", type="subscribe", payload={"query": "{"})
        return dict((await socket.receive())["payload"][0]["extensions"])


@standalone
@pytest.mark.parametrize("road", [over_http, over_stream, over_socket])
async def test_forged_headers_do_not_split_the_budget_of_one_address(make_settings: Make, road: Road) -> None:
    """Sends requests with and without a proxy. Every refusal names the budget and the time."""
    async with serving(make_settings(port=0, limits=TWICE)) as live:
        attacks = [await road(live, f"203.0.113.{i}, {CLIENT}") for i in range(4)]
        neighbour = await road(live, "198.51.100.10")
    async with serving(make_settings(port=0, limits=TWICE, trusted_proxies=())) as live:
        bare = [await road(live, f"203.0.113.{i}") for i in range(4)]

    for refusals in attacks, bare:
        assert [one["code"] for one in refusals[:2]] == ["GRAPHQL_PARSE_FAILED"] * 2
        assert [(one["code"], one["budget"]) for one in refusals[2:]] == [("RATE_LIMITED", "anonymous")] * 2
        assert all(49_000 < one["retryAfter"] <= 50_000 for one in refusals[2:])
    assert neighbour["code"] == "GRAPHQL_PARSE_FAILED"
