"""graphql-transport-ws: messages, and violations that close a connection."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus, NegotiationError

from settings import AddressSettings, AnonymousSettings, LimitSettings, RoleSettings, Settings
from tests.support.subscriptions import WATCH, Live, eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

CLOSING: dict[str, tuple[list[str | bytes], int]] = {
    "no JSON": (["{"], 4400),
    "nothing": ([""], 4400),
    "bytes": ([b'{"type":"ping"}'], 4400),
    "a list": (["[]"], 4400),
    "a number": (["7"], 4400),
    "no type": (["{}"], 4400),
    "an unknown type": (['{"type":"start","id":"1","payload":{}}'], 4400),
    "a payload that is a text": (['{"type":"connection_init","payload":"alice"}'], 4400),
    "an authorization that is a number": (['{"type":"connection_init","payload":{"authorization":7}}'], 4400),
    "a device that is a number": (['{"type":"connection_init","payload":{"X-Device-Id":7}}'], 4400),
    "an invalid authorization": (['{"type":"connection_init","payload":{"authorization":"令牌"}}'], 4400),
    "a device that is too long": (
        ['{"type":"connection_init","payload":{"X-Device-Id":"%s"}}' % ("d" * 200)],
        4400,
    ),
    "subscribing without an id": (['{"type":"connection_init"}', '{"type":"subscribe","payload":{}}'], 4400),
    "an empty id": (['{"type":"connection_init"}', '{"type":"subscribe","id":"","payload":{}}'], 4400),
    "an id that is too long": (
        ['{"type":"connection_init"}', '{"type":"subscribe","id":"%s","payload":{}}' % ("i" * 129)],
        4400,
    ),
    "an id that is a number": (['{"type":"connection_init"}', '{"type":"subscribe","id":1,"payload":{}}'], 4400),
    "subscribing to nothing": (['{"type":"connection_init"}', '{"type":"subscribe","id":"1"}'], 4400),
    "subscribing before the handshake": (['{"type":"subscribe","id":"1","payload":{}}'], 4401),
    "a forged token": (['{"type":"connection_init","payload":{"authorization":"Bearer forged"}}'], 4403),
    "no bearer": (['{"type":"connection_init","payload":{"authorization":"Basic YTpi"}}'], 4403),
    "two handshakes": (['{"type":"connection_init"}', '{"type":"connection_init"}'], 4429),
}  # fmt: skip


@contextmanager
def traced_memory() -> Iterator[Callable[[], int]]:
    """Yields a function that returns by how many bytes the memory of Python objects grew in the block."""
    grown: list[int] = []
    tracemalloc.start()
    try:
        yield lambda: grown[0]
        gc.collect()
        grown.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()


async def test_a_protocol_violation_closes_the_connection(live: Live) -> None:
    codes = {}
    for name, (messages, _) in CLOSING.items():
        async with live.raw() as socket:
            for message in messages:
                await socket.connection.send(message)
            codes[name], reason = await socket.closed()
            assert 0 < len(reason) <= 123

    assert codes == {name: code for name, (_, code) in CLOSING.items()}


async def test_an_id_is_in_use_until_its_subscription_is_complete(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as socket:
        await socket.subscribe([video], "v")
        await socket.value("v")
        await socket.send(id="v", type="complete")
        await socket.subscribe([video], "v")
        await socket.value("v")
        await socket.subscribe([video], "v")
        assert await socket.closed() == (4409, "Subscriber for v already exists")


async def test_an_id_can_be_used_again_after_an_error(live: Live) -> None:
    async with live.socket() as socket:
        for _ in range(2):
            await socket.subscribe([], "v")
            assert (await socket.receive())["type"] == "error"


async def test_completing_an_unknown_subscription_has_no_effect(live: Live) -> None:
    async with live.socket() as socket:
        await socket.send(id="unknown", type="complete")
        await socket.send(type="pong")
        await socket.send(type="ping")
        assert await socket.receive() == {"type": "pong"}


async def test_a_ping_is_answered_with_its_payload_also_before_the_handshake(live: Live) -> None:
    async with live.raw() as socket:
        await socket.send(type="ping", payload={"at": 7})
        assert await socket.receive() == {"type": "pong", "payload": {"at": 7}}


@pytest.mark.parametrize("subprotocols", [("graphql-ws",), ("soap", "graphql-ws"), ()])
async def test_other_protocols_are_refused(live: Live, subprotocols: tuple[str, ...]) -> None:
    try:
        async with live.raw(subprotocols=subprotocols) as socket:
            assert await socket.closed() == (4406, "Subprotocol not acceptable")
    except NegotiationError:
        assert subprotocols


async def test_the_supported_protocol_is_chosen_among_others(live: Live) -> None:
    async with live.raw(subprotocols=("graphql-ws", "graphql-transport-ws")) as socket:
        assert socket.connection.subprotocol == "graphql-transport-ws"


async def test_a_connection_without_handshake_is_closed(make_settings: Callable[..., Settings]) -> None:
    async with serving(make_settings(port=0, connections={"init_timeout": 0.1})) as live, live.raw() as socket:
        await socket.send(type="ping")
        assert await socket.closed() == (4408, "Connection initialisation timeout")


async def test_a_connection_after_its_handshake_stays_open(make_settings: Callable[..., Settings]) -> None:
    settings = make_settings(port=0, connections={"init_timeout": 1.5})
    async with serving(settings) as live, live.socket() as socket, live.raw() as silent:
        assert await silent.closed() == (4408, "Connection initialisation timeout")
        await socket.send(type="ping")
        assert await socket.receive() == {"type": "pong"}


async def test_a_token_in_the_upgrade_request_is_valid_and_the_payload_overrides_it(live: Live) -> None:
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)
    headers = {"Authorization": live.token("alice")}

    seen = []
    for payload in ({}, {"Authorization": live.token("bob")}, {"authorization": None}):
        async with live.raw(additional_headers=headers) as socket:
            await socket.init(payload)
            await socket.subscribe([video])
            seen.append((await socket.value())["viewerReaction"])

    assert seen == ["LIKE", None, "LIKE"]


UNKNOWN: list[dict[str, Any]] = [
    {"country": "日本"},
    {"deviceName": "Zoë\u2019s iPhone"},
    {"é": "é", "日本": "日本", "": "\0\r\n"},
    {"cookie": "日本", "host": 7, "x-plaudit-user": "日本"},
    {"client": {"name": "日本"}, "tags": ["日本"], "n": 1, "none": None, "yes": True},
]


@pytest.mark.parametrize("unknown", UNKNOWN)
async def test_unknown_members_of_the_payload_are_ignored(live: Live, unknown: dict[str, Any]) -> None:
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)

    async with live.raw() as socket:
        await socket.init({**unknown, "authorization": live.token("alice")})
        await socket.subscribe([video])
        assert (await socket.value())["viewerReaction"] == "LIKE"


ORIGINS: dict[str, tuple[dict[str, Any], bool]] = {
    "none": ({}, True),
    "ours": ({"origin": "http://{host}"}, True),
    "ours behind a proxy that ends TLS": ({"origin": "https://{host}"}, True),
    "one that is allowed": ({"origin": "https://app.example"}, True),
    "another site's": ({"origin": "https://evil.example"}, False),
    "one that contains ours": ({"origin": "http://{host}.evil.example"}, False),
    "one that is allowed, but for its scheme": ({"origin": "http://app.example"}, False),
    "a sandbox": ({"origin": "null"}, False),
}


async def test_only_pages_of_allowed_origins_can_open_a_connection(make_settings: Callable[..., Settings]) -> None:
    outcomes = {}
    async with serving(make_settings(port=0, cors_origins=("https://app.example",))) as live:
        for name, (options, _) in ORIGINS.items():
            chosen = {key: value.format(host=live.address) for key, value in options.items()}
            try:
                async with live.socket("alice", **chosen):
                    outcomes[name] = 101
            except InvalidStatus as refusal:
                outcomes[name] = refusal.response.status_code

    assert outcomes == {name: 101 if welcome else 403 for name, (_, welcome) in ORIGINS.items()}


async def test_binary_frames_and_long_messages_are_refused(live: Live) -> None:
    async with live.socket() as socket:
        await socket.send(type="ping", payload={"a": "x" * 99_900})
        await socket.receive()
        await socket.send(type="ping", payload={"a": "x" * 100_000})
        code, _ = await socket.closed()
    assert code == 1009
    await eventually(lambda: live.connection_count == 0)


@pytest.mark.parametrize("payload", [[1] * 6000, ["," * 21_000]])
async def test_a_message_with_too_many_values_is_refused(live: Live, payload: list[Any]) -> None:
    async with live.socket() as socket:
        await socket.send(type="ping", payload={"a": payload})

        assert (await socket.closed())[0] == 4400


async def test_long_messages_are_charged_whatever_they_contain(make_settings: Callable[..., Settings]) -> None:
    few = LimitSettings(
        anonymous=AnonymousSettings(points=100, points_per_second=0.001, cost=100),
        user=RoleSettings(points=100, points_per_second=0.001, cost=100),
        ip=AddressSettings(points=100, points_per_second=0.001),
        device=None,
    )
    async with serving(make_settings(port=0, limits=few)) as live, live.socket(None) as socket:
        for _ in range(5):
            await socket.send(type="ping", payload={"a": "x" * 50_000})

        assert (await socket.closed())[0] == 1013


async def test_a_subscription_does_not_keep_its_message(live: Live) -> None:
    """The data that a subscription needs while it runs, such as its variables, has limits of its own."""
    (video,) = await live.videos("v1")

    def message(number: int) -> dict[str, Any]:
        payload = {"query": WATCH, "variables": {"ids": [video]}}
        return {"id": str(number), "payload": payload | {"extensions": {"padding": "x" * 90_000}}}

    async with live.socket() as socket:
        await socket.subscribe([video], "first")
        await socket.value("first")
        with traced_memory() as kept:
            for number in range(20):
                await socket.send(type="subscribe", **message(number))
                await socket.value(f"{number}")
            await socket.send(type="ping")
            await socket.receive()

    assert kept() < 20 * 30_000


async def test_a_document_is_parsed_as_over_http(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as socket:
        await socket.send(
            id="1",
            type="subscribe",
            payload={
                "query": f"query A {{ viewer {{ id }} }} {WATCH.replace('subscription', 'subscription B', 1)}",
                "operationName": "B",
                "variables": {"ids": [video]},
                "extensions": {},
            },
        )
        assert (await socket.value())["id"] == video
