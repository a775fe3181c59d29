"""reactableChanged: watchers of a thing receive its changing counts."""

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


async def test_a_watcher_receives_the_present_value_and_then_the_changes(live: Live) -> None:
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


async def test_each_watcher_receives_the_own_reaction(live: Live) -> None:
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


async def test_a_pending_like_of_the_watcher_counts_once(live: Live) -> None:
    """The first value already includes the watcher's own like. The event of its publication changes no count."""
    (video,) = await live.videos("v1")
    await live.person("alice").like(video)

    async with live.socket("alice") as watcher:
        await watcher.subscribe([video])
        first = await watcher.value()
        await live.drain()
        second = await watcher.value()

    assert first == second == {"id": video, "likeCount": 1, "viewerReaction": "LIKE"}


async def test_a_burst_of_events_is_few_values_and_the_last_one_is_right(live: Live) -> None:
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


async def test_a_watcher_of_several_things_receives_events_of_each(live: Live) -> None:
    videos = await live.videos("v1", "v2", "v3")

    async with live.socket() as watcher:
        await watcher.subscribe([*videos, videos[0]])
        first = sorted([(await watcher.value())["id"] for _ in videos])
        await live.person("alice").like(videos[1])
        await live.drain()
        changed = (await watcher.until(lambda value: value["likeCount"] > 0))[-1]

    assert first == sorted(videos)
    assert (changed["id"], changed["likeCount"]) == (videos[1], 1)


async def test_a_watcher_receives_changed_share_counts(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video], query=COUNTS)
        before = await watcher.value()
        share = "mutation ($id: ID!) { recordShares(input: {targetIds: [$id]}) { userErrors { code } } }"
        await live.person("alice").ask(share, id=video)
        await live.drain()
        after = (await watcher.until(lambda value: value["shareCount"] > 0))[-1]

    assert [before["shareCount"], after["shareCount"]] == [0, 1]


async def test_a_second_subscription_to_a_thing_shares_the_channel_of_the_first(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        for id_ in ("1", "2"):
            await watcher.subscribe([video], id_)
            assert (await watcher.value(id_))["likeCount"] == 0
        assert live.state.events.channels == 1
        await live.person("alice").like(video)
        await live.drain()
        messages = [await watcher.receive(), await watcher.receive()]

    assert sorted(message["id"] for message in messages) == ["1", "2"]


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_every_value_has_its_cost(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video])
        message = await watcher.receive()

    assert message["payload"]["extensions"]["cost"] > 0


async def test_an_event_without_watchers_costs_one_command_per_thing(live: Live) -> None:
    await live.videos("v1", "v2")
    refs = [await ref_of(live, "v1"), await ref_of(live, "v2")]
    sent: list[str] = []
    servers = live.state.redis.servers
    send = servers.send

    async def recording(commands: Sequence[Any]) -> list[Any]:
        sent.extend(command[0] for command in commands)
        return await send(commands)

    servers.send = recording  # type: ignore[method-assign]
    await live.state.events.publish(refs)

    assert sent == ["SPUBLISH" if live.state.redis.cluster else "PUBLISH"] * 2


async def subscribed_channels(live: Live) -> int:
    """Returns the number of channels with subscribers in Redis."""
    client = live.state.redis.client
    if not live.state.redis.cluster:
        return len(await client.execute_command("PUBSUB", "CHANNELS"))
    found = 0
    await client.initialize()
    for node in client.get_primaries():
        with redis.Redis(node.host, node.port) as client_of_node:
            found += len(client_of_node.execute_command("PUBSUB", "SHARDCHANNELS"))
    return found


async def test_closed_connections_leave_no_task_channel_or_count(live: Live) -> None:
    videos = await live.videos("v1", "v2")
    before = len(asyncio.all_tasks())

    async def connect_and_close(how: str) -> None:
        async with live.socket("alice") as watcher:
            await watcher.subscribe(videos, "1")
            await watcher.subscribe(videos[:1], "2")
            for _ in range(3):
                await watcher.receive()
            await close(watcher, how)

    for how in ("complete", "close", "abort") * 5:
        await connect_and_close(how)
    async with live.stream(videos, "bob") as stream:
        await stream.value()

    async with asyncio.timeout(20):
        while live.connection_count or len(asyncio.all_tasks()) > before or await subscribed_channels(live):
            await asyncio.sleep(0.01)
    assert live.state.events.channels == 0
    assert live.app.state.streaming_limits._counts == {}


async def close(watcher: Socket, how: str) -> None:
    if how == "complete":
        await watcher.send(id="1", type="complete")
        await watcher.send(id="2", type="complete")
    elif how == "abort":
        watcher.connection.transport.abort()
