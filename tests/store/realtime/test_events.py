"""Subscribers of a cluster keep receiving events while slots move and while a node is down."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest

from dependencies.redis import key_slot
from runner.ports import HOST
from runner.valkey import Valkey
from store.realtime.events import Events
from store.redis.client import Redis, RedisDown
from tests.support.cluster_nodes import node_of
from tests.support.logs import capture_logs
from tests.support.redis_clients import connected
from tests.support.valkey_cluster import ValkeyCluster

CHANNELS = {f"channel-{number}": number for number in range(60)}
ALL = set(CHANNELS.values())
MOVING = 17
TURNS = 6
PATIENCE = 20


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """Starts three masters that serve their own slots while others are down."""
    settings = {"cluster-require-full-coverage": "no"}
    with ValkeyCluster(tmp_path_factory.mktemp("nodes"), settings=settings) as servers:
        yield servers


class Listener:
    """A subscriber of all channels."""

    def __init__(self, client: Redis) -> None:
        self.client = client
        self.events = Events(client)
        self.heard: set[int] = set()

    async def listen(self) -> None:
        with self.events.changes_in(CHANNELS) as changes:
            async for number in changes:
                self.heard.add(number)

    async def receives(self, wanted: set[int]) -> None:
        """Publishes in all channels repeatedly until the wanted channels have delivered."""
        self.heard.clear()
        async with asyncio.timeout(PATIENCE):
            while not wanted <= self.heard:
                for channel in CHANNELS:
                    with suppress(RedisDown):
                        await self.client("SPUBLISH", channel, b"", write=True)
                await asyncio.sleep(0.01)


@asynccontextmanager
async def listening(cluster: ValkeyCluster) -> AsyncIterator[Listener]:
    async with connected(cluster.url, redis_mode="cluster") as client:
        listener = Listener(client)
        task = asyncio.create_task(listener.listen())
        try:
            yield listener
        finally:
            task.cancel()
            await asyncio.wait({task})
            await listener.events.close()


async def move(slots: tuple[int, int], giver: Valkey, taker: Valkey) -> None:
    """Moves slots without an interruption, as operators do. Returns when both nodes report the new owner."""
    giver.command("CLUSTER MIGRATESLOTS", "SLOTSRANGE", *slots, "NODE", taker.command("CLUSTER MYID"))
    async with asyncio.timeout(PATIENCE):
        while any(owner(node, slots[0]) != taker.port for node in (giver, taker)):
            await asyncio.sleep(0.01)


def owner(node: Valkey, slot: int) -> int | None:
    """Returns the port of the owner of a slot according to `node`."""
    for address, about in node.command("CLUSTER NODES").items():
        if any(int(some[0]) <= slot <= int(some[-1]) for some in about["slots"]):
            return int(address.rpartition(":")[2])
    return None


async def test_a_subscriber_receives_events_of_channels_whose_slots_move(cluster: ValkeyCluster) -> None:
    first, second, _ = cluster.nodes
    slots = sorted(key_slot(channel.encode()) for channel in CHANNELS if node_of(cluster, channel) is first)
    moving = (slots[0], slots[MOVING - 1])
    async with listening(cluster) as listener:
        await listener.receives(ALL)
        with capture_logs() as logs:
            for turn in range(TURNS):
                await move(moving, *((first, second) if turn % 2 == 0 else (second, first)))
                await listener.receives(ALL)
                assert listener.events.unconfirmed == 0
    assert [log for log in logs if log["log_level"] == "warning"] == [], "the move broke no connection"


async def test_a_dead_node_silences_only_its_own_channels(cluster: ValkeyCluster) -> None:
    dead = cluster.nodes[1]
    lost = {number for channel, number in CHANNELS.items() if node_of(cluster, channel) is dead}
    async with listening(cluster) as listener:
        await listener.receives(ALL)
        with capture_logs() as logs, killed(dead):
            async with listening(cluster) as later:
                for one in (listener, later):
                    await one.receives(ALL - lost)
                    assert one.events.unconfirmed == len(lost)
        await listener.receives(ALL)
        assert listener.events.unconfirmed == 0
    assert {log["server"] for log in logs if log["event"] == "not listening to Redis"} == {f"{HOST}:{dead.port}"}


@contextmanager
def killed(node: Valkey) -> Iterator[None]:
    node.kill()
    try:
        yield
    finally:
        node.start()


async def test_a_subscription_with_an_outdated_slot_map_is_made_at_the_new_server(cluster: ValkeyCluster) -> None:
    first, second, _ = cluster.nodes
    channel = next(one for one in CHANNELS if node_of(cluster, one) is first)
    slot = key_slot(channel.encode())
    mode = {"redis_mode": "cluster"}
    async with connected(cluster.url, **mode) as client, connected(cluster.url, **mode) as publisher:
        await client("GET", "any")  # reads the slot map
        await move((slot, slot), first, second)
        events, heard = Events(client), asyncio.Event()

        async def listen() -> None:
            with events.changes_in({channel: 1}) as changes:
                async for _ in changes:
                    heard.set()

        task = asyncio.create_task(listen())
        try:
            async with asyncio.timeout(PATIENCE):
                await heard.wait()  # each new subscription begins with an event
                heard.clear()
                while not heard.is_set():
                    await publisher("SPUBLISH", channel, b"", write=True)
                    await asyncio.sleep(0.05)
            assert events.unconfirmed == 0
        finally:
            task.cancel()
            await asyncio.wait({task})
            await events.close()
            await move((slot, slot), second, first)
