"""reactableChanged: who watches a thing sees its counts move."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from models.counters import EntityRef
from runner.valkey import Valkey
from settings import Settings
from store import events
from store.events import Events
from tests.realtime.clients import WATCH, Live, Socket, eventually, serving

COUNTS = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { ... on Entity { viewCount shareCount } } }"


async def ref_of(live: Live, key: str) -> EntityRef:
    ((business, entity),) = await live.rows("SELECT business_id, entity_id FROM entity_keys WHERE key = :key", key=key)
    return EntityRef(business, entity)


async def kill_listeners(live: Live) -> None:
    """Every connection that listens to Redis breaks."""
    client = live.state.redis.client
    nodes = client.get_nodes() if live.state.redis.cluster else [None]
    for node in nodes:
        options = {"target_nodes": node} if node else {}
        assert await client.execute_command("CLIENT", "KILL", "TYPE", "pubsub", **options) is not None


async def test_the_first_value_is_the_present_one_and_then_come_the_changes(live: Live) -> None:
    (video,) = await live.videos("v1")
    alice = live.person("alice")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        first = await watcher.value()
        await alice.like(video)
        await live.drain()
        second = (await watcher.until(lambda value: value["likeCount"] > 0))[-1]

    assert first == {"id": video, "likeCount": 0, "viewerReaction": None}
    assert second == {"id": video, "likeCount": 1, "viewerReaction": None}


async def test_everybody_sees_it_as_themselves(live: Live) -> None:
    (video,) = await live.videos("v1")
    alice, bob = live.person("alice"), live.person("bob")

    async with live.socket("alice") as hers, live.socket("bob") as his:
        for watcher in (hers, his):
            await watcher.subscribe([video])
            await watcher.value()
        await alice.like(video)
        await bob.react("dislike", video)
        await live.drain()
        seen = [(await watcher.until(lambda value: value["likeCount"] == 1))[-1] for watcher in (hers, his)]

    assert [value["viewerReaction"] for value in seen] == ["LIKE", "DISLIKE"]


async def test_what_is_pending_is_counted_once(live: Live) -> None:
    """The watcher's own like is in the first value already; the event that publishes it changes nothing."""
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)

    async with live.socket("alice") as watcher:
        await watcher.subscribe([video])
        first = await watcher.value()
        await live.drain()
        second = await watcher.value()

    assert first == second == {"id": video, "likeCount": 1, "viewerReaction": "LIKE"}


async def test_a_burst_comes_as_a_few_values_and_the_last_is_right(live: Live) -> None:
    (video,) = await live.videos("v1")
    ref, clock = await ref_of(live, "v1"), asyncio.get_running_loop().time
    for tens in range(10):
        await asyncio.gather(*[live.person(f"fan{tens}{ones}").like(video) for ones in range(10)])

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        await watcher.value()
        began = clock()
        for _ in range(100):
            await live.state.events.publish([ref])
        await live.drain()
        values = await watcher.until(lambda value: value["likeCount"] == 100)
        took = clock() - began

    assert len(values) <= 2 + took * 4


async def test_each_of_many_things_has_events_of_its_own(live: Live) -> None:
    videos = await live.videos("v1", "v2", "v3")

    async with live.socket() as watcher:
        await watcher.subscribe([*videos, videos[0]])
        first = sorted([(await watcher.value())["id"] for _ in videos])
        await live.person("alice").like(videos[1])
        await live.drain()
        moved = (await watcher.until(lambda value: value["likeCount"] > 0))[-1]

    assert first == sorted(videos)
    assert (moved["id"], moved["likeCount"]) == (videos[1], 1)


async def test_views_and_shares_move_counts_too(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video], query=COUNTS)
        before = await watcher.value()
        share = "mutation ($id: ID!) { recordShares(input: {targetIds: [$id]}) { userErrors { code } } }"
        await live.person("alice").ask(share, id=video)
        await live.drain()
        after = (await watcher.until(lambda value: value["shareCount"] > 0))[-1]

    assert [before["shareCount"], after["shareCount"]] == [0, 1]


async def test_a_second_watcher_hears_at_once_what_the_first_has_heard_for_long(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        for id_ in ("1", "2"):
            await watcher.subscribe([video], id_)
            assert (await watcher.value(id_))["likeCount"] == 0
        assert live.state.events.channels == 1
        await live.person("alice").like(video)
        await live.drain()
        heard = [await watcher.hear(), await watcher.hear()]

    assert sorted(message["id"] for message in heard) == ["1", "2"]


async def test_what_was_missed_while_redis_was_not_heard_is_read_afterwards(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        await watcher.value()
        await live.person("alice").like(video)
        with monkeypatch.context() as deaf:
            deaf.setattr(Events, "publish", nothing)
            await live.drain()
        await kill_listeners(live)
        again = (await watcher.until(lambda value: value["likeCount"] == 1))[-1]
        await live.person("bob").like(video)
        await live.drain()
        later = (await watcher.until(lambda value: value["likeCount"] == 2))[-1]

    assert (again["id"], later["id"]) == (video, video)


async def test_a_silent_redis_is_asked_whether_it_is_there_and_believed(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also over a connection, to one node of a cluster, with no channel left."""
    monkeypatch.setattr(events, "_SILENCE", 0.03)
    videos = await live.videos("v1", "v2", "v3", "v4", "v5", "v6")

    with capture_logs() as logs:
        async with live.socket() as watcher:
            await watcher.subscribe(videos, "all")
            for _ in videos:
                await watcher.value("all")
            await watcher.subscribe(videos[:1], "one")
            await watcher.value("one")
            await watcher.say(id="all", type="complete")
            await asyncio.sleep(0.3)
            await live.person("alice").like(videos[0])
            await live.drain()
            assert (await watcher.value("one"))["likeCount"] == 1

    assert logs == []


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_redis_that_says_nothing_is_asked_anew(
    make_settings: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a firewall had forgotten the connection."""
    monkeypatch.setattr(events, "_SILENCE", 0.2)
    with Valkey(tmp_path) as server:
        async with serving(make_settings(port=0, redis_url=server.url)) as live, live.socket() as watcher:
            (video,) = await live.videos("v1")
            await watcher.subscribe([video])
            await watcher.value()
            assert server.pid
            os.kill(server.pid, signal.SIGSTOP)
            with capture_logs() as logs:
                await eventually(lambda: any("does not answer" in str(log.get("error")) for log in logs))
            os.kill(server.pid, signal.SIGCONT)
            assert (await watcher.value())["likeCount"] == 0


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_redis_that_crashed_is_heard_again(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    with Valkey(tmp_path) as server:
        async with serving(make_settings(port=0, redis_url=server.url)) as live, live.socket() as watcher:
            (video,) = await live.videos("v1")
            await watcher.subscribe([video])
            await watcher.value()
            server.kill()
            server.start()
            assert (await watcher.value())["likeCount"] == 0
            await live.person("alice").like(video)
            await live.drain()
            await watcher.until(lambda value: value["likeCount"] == 1)


async def nothing(_: Events, refs: Iterable[EntityRef]) -> None:
    """What is published, and never arrives."""
    assert list(refs)


UNKNOWN: dict[str, list[str]] = {
    "no id": ["v1"],
    "nobody's id": ["Entity:video:unknown"],
    "an unknown business": ["Entity:nothing:v1"],
    "a person": ["User:7"],
    "none": [],
    "too many": ["Entity:video:v1"] * 101,
    "a good one and a bad one": ["Entity:video:v1", "Entity:video:unknown"],
}


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_ids_of_nothing_to_react_to_are_refused(live: Live) -> None:
    await live.videos("v1")

    async with live.socket() as watcher:
        errors = {}
        for name, ids in UNKNOWN.items():
            await watcher.subscribe(ids, id_=name)
            message = await watcher.hear()
            errors[name] = message["id"], message["type"], *codes(message["payload"])

    assert errors == {name: (name, "error", "BAD_INPUT") for name in UNKNOWN}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a query": ({"query": "{ viewer { id } }"}, "BAD_INPUT"),
    "a mutation": ({"query": 'mutation { unlike(input: {targetId: "x"}) { userErrors { code } } }'}, "BAD_INPUT"),
    "no query": ({}, "BAD_INPUT"),
    "a typing error": ({"query": "subscription {"}, "GRAPHQL_PARSE_FAILED"),
    "an unknown field": ({"query": "subscription { nothing { id } }"}, "GRAPHQL_VALIDATION_FAILED"),
    "two fields": (
        {"query": "subscription { a: reactableChanged(ids: []) { id } b: reactableChanged(ids: []) { id } }"},
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "introspection": ({"query": "subscription { __schema { description } }"}, "GRAPHQL_VALIDATION_FAILED"),
    "a variable missing": (
        {"query": "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id } }"},
        "BAD_INPUT",
    ),
    "an unknown name": ({"query": WATCH, "operationName": "B"}, "BAD_INPUT"),
    "too dear": (
        {"query": "subscription { reactableChanged(ids: []) { likers(first: 100) { nodes {"
                  " followers(first: 100) { nodes { followers(first: 100) { nodes { id } } } } } } } }"},
        "QUERY_TOO_EXPENSIVE",
    ),
    "too many aliases": (
        {"query": f"subscription {{ reactableChanged(ids: []) {{ {' '.join(f'a{n}: id' for n in range(300))} }} }}"},
        "QUERY_TOO_EXPENSIVE",
    ),
}  # fmt: skip


def codes(errors: list[dict[str, Any]]) -> list[str]:
    return [error["extensions"]["code"] for error in errors]


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_what_is_no_affordable_subscription_is_refused_and_the_connection_stays(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket("alice") as watcher:
        errors = {}
        for name, (payload, _) in REFUSED.items():
            await watcher.say(id=name, type="subscribe", payload=payload)
            message = await watcher.hear()
            errors[name] = message["id"], message["type"], *codes(message["payload"])
        await watcher.subscribe([video])
        assert (await watcher.value())["id"] == video

    assert errors == {name: (name, "error", code) for name, (_, code) in REFUSED.items()}


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_every_value_says_what_it_cost(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        message = await watcher.hear()

    assert message["payload"]["extensions"]["cost"] > 0


async def test_nobody_listening_costs_one_command_for_each_thing(live: Live) -> None:
    await live.videos("v1", "v2")
    refs = [await ref_of(live, "v1"), await ref_of(live, "v2")]
    sent: list[str] = []
    send = live.state.redis._send

    async def noting(calls: list[Any]) -> None:
        sent.extend(command[0] for call in calls for command in call.commands)
        await send(calls)

    live.state.redis._send = noting  # type: ignore[method-assign]
    await live.state.events.publish(refs)

    assert sent == ["SPUBLISH" if live.state.redis.cluster else "PUBLISH"] * 2


async def subscribed_channels(live: Live) -> int:
    """How many channels Redis knows listeners of."""
    client = live.state.redis.client
    if not live.state.redis.cluster:
        return len(await client.execute_command("PUBSUB", "CHANNELS"))
    found = 0
    for node in client.get_primaries():
        with redis.Redis(node.host, node.port) as one:
            found += len(one.execute_command("PUBSUB", "SHARDCHANNELS"))
    return found


async def test_nothing_is_left_of_those_who_leave(live: Live) -> None:
    videos = await live.videos("v1", "v2")
    before = len(asyncio.all_tasks())

    async def visit(leave: str) -> None:
        async with live.socket("alice") as watcher:
            await watcher.subscribe(videos, "1")
            await watcher.subscribe(videos[:1], "2")
            for _ in range(3):
                await watcher.hear()
            await take_leave(watcher, leave)

    for leave in ("completing", "closing", "vanishing") * 5:
        await visit(leave)
    async with live.stream(videos, "bob") as stream:
        await stream.value()

    async with asyncio.timeout(20):
        while live.seats or len(asyncio.all_tasks()) > before or await subscribed_channels(live):
            await asyncio.sleep(0.01)
    assert live.state.events.channels == 0
    assert live.app.state.seats._taken == {}


async def take_leave(watcher: Socket, how: str) -> None:
    if how == "completing":
        await watcher.say(id="1", type="complete")
        await watcher.say(id="2", type="complete")
    elif how == "vanishing":
        watcher.connection.transport.abort()
