"""reactableChanged: who watches a thing sees its counts move."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
import redis

from models.counters import EntityRef
from tests.support.subscriptions import Live, Socket

COUNTS = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { ... on Entity { viewCount shareCount } } }"


async def ref_of(live: Live, key: str) -> EntityRef:
    ((business, entity),) = await live.rows("SELECT business_id, entity_id FROM entity_keys WHERE key = :key", key=key)
    return EntityRef(business, entity)


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
        heard = [await watcher.receive(), await watcher.receive()]

    assert sorted(message["id"] for message in heard) == ["1", "2"]


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_every_value_says_what_it_cost(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        message = await watcher.receive()

    assert message["payload"]["extensions"]["cost"] > 0


async def test_nobody_listening_costs_one_command_for_each_thing(live: Live) -> None:
    await live.videos("v1", "v2")
    refs = [await ref_of(live, "v1"), await ref_of(live, "v2")]
    sent: list[str] = []
    servers = live.state.redis.servers
    send = servers.send

    async def noting(commands: Sequence[Any]) -> list[Any]:
        sent.extend(command[0] for command in commands)
        return await send(commands)

    servers.send = noting  # type: ignore[method-assign]
    await live.state.events.publish(refs)

    assert sent == ["SPUBLISH" if live.state.redis.cluster else "PUBLISH"] * 2


async def subscribed_channels(live: Live) -> int:
    """How many channels Redis knows listeners of."""
    client = live.state.redis.client
    if not live.state.redis.cluster:
        return len(await client.execute_command("PUBSUB", "CHANNELS"))
    found = 0
    await client.initialize()
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
                await watcher.receive()
            await take_leave(watcher, leave)

    for leave in ("completing", "closing", "vanishing") * 5:
        await visit(leave)
    async with live.stream(videos, "bob") as stream:
        await stream.value()

    async with asyncio.timeout(20):
        while live.connection_count or len(asyncio.all_tasks()) > before or await subscribed_channels(live):
            await asyncio.sleep(0.01)
    assert live.state.events.channels == 0
    assert live.app.state.connection_limits._counts == {}


async def take_leave(watcher: Socket, how: str) -> None:
    if how == "completing":
        await watcher.send(id="1", type="complete")
        await watcher.send(id="2", type="complete")
    elif how == "vanishing":
        watcher.connection.transport.abort()
