"""Cluster nodes that hang, are replaced or lose slots: each command goes to the owner, and each node is down alone."""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from dependencies.redis import key_slot
from domain.errors import Unavailable
from observability.metrics import STORE_UP
from runner.valkey import Valkey
from runner.waiting import wait_until
from store.redis.client import Redis, RedisDown
from tests.support.cluster_nodes import key_of, keys_of
from tests.support.outages import hanging
from tests.support.redis_clients import connected
from tests.support.resharding import finish_slot, follow, move_keys, move_slot, open_slot
from tests.support.valkey_cluster import ValkeyCluster

MODE = {"redis_mode": "cluster"}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """Starts three masters that serve their own slots while others are down, without failover."""
    with ValkeyCluster(tmp_path_factory.mktemp("nodes")) as servers:
        for node in servers.nodes:
            node.command("CONFIG SET", "cluster-require-full-coverage", "no")
            node.command("CONFIG SET", "cluster-node-timeout", 60_000)
        yield servers


def calls(node: Valkey, command: str) -> int:
    """Returns how often a node has executed a command."""
    return int(node.command("INFO", "commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])


def store_up() -> float | None:
    return REGISTRY.get_sample_value("plaudit_store_up", {"store": "redis"})


async def until_up(expected: bool) -> None:
    async with asyncio.timeout(20):
        while store_up() != expected:
            await asyncio.sleep(0.01)


async def warm(client: Redis, keys: list[str]) -> None:
    assert await client.gather([("SET", key, key) for key in keys], write=True) == [b"OK"] * len(keys)


async def test_commands_for_a_hanging_node_are_refused_at_once_and_other_nodes_keep_answering(
    cluster: ValkeyCluster,
) -> None:
    hung, *others = cluster.nodes
    lost, *kept = (key_of(cluster, node) for node in cluster.nodes)
    async with connected(cluster.url, **MODE) as client:
        await warm(client, [lost, *kept])
        made, gets, slot_reads = (
            int(hung.command("INFO", "stats")["total_connections_received"]),
            calls(hung, "get"),
            sum(calls(node, "cluster|slots") for node in others),
        )
        async with hanging(hung, client):
            refused, *answered = [client("GET", key) for key in (lost, *kept)]
            assert await asyncio.gather(*answered) == [key.encode() for key in kept]
            assert not refused.done(), "the other nodes answered without waiting for it"
            with pytest.raises(RedisDown):
                await refused
            await until_up(False)
            for _ in range(300):
                with pytest.raises(RedisDown):
                    await client("GET", lost)
                assert await client.get_many([lost, *kept]) == [None, *(key.encode() for key in kept)]
            stores = {sample.labels["store"] for metric in STORE_UP.collect() for sample in metric.samples}
            assert stores >= {"redis"}
            assert not [store for store in stores if ":" in store]
        assert await client.get_many([lost, *kept]) == [key.encode() for key in (lost, *kept)]
        await until_up(True)

        assert calls(hung, "get") - gets <= 3, "the first command, its repetition, and the answered one"
        assert int(hung.command("INFO", "stats")["total_connections_received"]) - made <= 8
        assert sum(calls(node, "cluster|slots") for node in others) - slot_reads <= 12, (
            "the client asks ever more rarely"
        )


async def test_concurrent_commands_share_one_read_of_the_slots(cluster: ValkeyCluster) -> None:
    keys = [key_of(cluster, node) for node in cluster.nodes]
    slot_reads = sum(calls(node, "cluster|slots") for node in cluster.nodes)
    async with connected(cluster.url, **MODE) as client:
        assert len(await asyncio.gather(*[client.get_many(keys) for _ in range(100)])) == 100
        assert await client.run_ids()
    assert sum(calls(node, "cluster|slots") for node in cluster.nodes) - slot_reads == 1


async def test_a_cluster_without_any_node_is_refused_at_once_until_a_node_answers(cluster: ValkeyCluster) -> None:
    seed = cluster.nodes[0]
    async with connected(seed.url, **MODE) as client:
        async with hanging(seed, client):
            with pytest.raises(RedisDown):
                await client("GET", "a")
            await until_up(False)
            for _ in range(300):
                with pytest.raises(RedisDown):
                    await client("GET", "a")
        await client("GET", "a")
        await until_up(True)


async def test_a_moved_slot_is_followed_and_remembered(cluster: ValkeyCluster) -> None:
    first, second, _ = cluster.nodes
    key = key_of(cluster, first)
    slot = key_slot(key.encode())
    async with connected(cluster.url, **MODE) as client:
        await client("DEL", key, write=True)
        move_slot(cluster.nodes, first, second, slot)

        before = moved(first)
        assert await client("SET", key, "there", write=True) == b"OK", (
            "a write that the old node did not execute is repeated"
        )
        assert await asyncio.gather(*[client("GET", key) for _ in range(10)]) == [b"there"] * 10
        assert moved(first) - before == 1

        await client("DEL", key, write=True)
        move_slot(cluster.nodes, second, first, slot)
        assert await client("SET", key, "back", write=True) == b"OK"
        assert first.command("GET", key) == "back"


def moved(node: Valkey) -> int:
    return int(node.command("INFO", "errorstats").get("errorstat_MOVED", {"count": 0})["count"])


async def test_commands_find_keys_whose_slot_is_moving(cluster: ValkeyCluster) -> None:
    first, second, _ = cluster.nodes
    tag = key_of(cluster, first)
    here, there = f"{{{tag}}}:here", f"{{{tag}}}:there"
    slot = key_slot(tag.encode())
    async with connected(cluster.url, **MODE) as client:
        await client("SET", here, "here", write=True)
        open_slot(first, second, slot)

        assert await client("SET", there, "there", write=True) == b"OK"
        assert await client.get_many([there, here, there]) == [b"there", b"here", b"there"]
        with pytest.raises(Unavailable):
            await client("MGET", here, there)

        move_keys(first, second, [here])
        finish_slot(cluster.nodes, first, second, slot)
        assert await client("MGET", here, there) == [b"here", b"there"]
        await client.gather([("DEL", here), ("DEL", there)], write=True)
        move_slot(cluster.nodes, second, first, slot)


async def test_a_command_that_waits_for_the_move_of_its_slot_delays_no_other_caller(cluster: ValkeyCluster) -> None:
    first, second, _ = cluster.nodes
    moving, staying = itertools.islice(keys_of(cluster, first), 2)
    here, there = f"{{{moving}}}:here", f"{{{moving}}}:there"
    slot = key_slot(moving.encode())
    async with connected(cluster.url, **MODE) as client:
        await client.gather([("SET", key, key) for key in (here, there, staying)], write=True)
        open_slot(first, second, slot)
        move_keys(first, second, [there])

        split, other = client("MGET", here, there), client("GET", staying)
        assert await other == staying.encode()
        assert not split.done(), "it is sent again until the keys are together"
        move_keys(first, second, [here])
        assert await split == [here.encode(), there.encode()]

        finish_slot(cluster.nodes, first, second, slot)
        await client.gather([("DEL", key) for key in (here, there, staying)], write=True)
        move_slot(cluster.nodes, second, first, slot)


@pytest.mark.prove
async def test_a_dead_node_is_forgotten_when_its_replica_takes_over(tmp_path: Path) -> None:
    with ValkeyCluster(tmp_path / "masters") as masters, Valkey(tmp_path / "replica", cluster=True) as replica:
        dying = masters.nodes[0]
        key = key_of(masters, dying)
        follow(masters.nodes, dying, replica)
        async with connected(masters.url, **MODE) as client:
            await warm(client, [key])
            assert wait_until(lambda: replica.command("DBSIZE") == 1, 20)

            dying.kill()
            async with asyncio.timeout(30):
                while True:
                    try:
                        assert await client("GET", key) == key.encode()
                        break
                    except RedisDown:
                        await asyncio.sleep(0.02)
            await until_up(True)
            assert client.is_up
            assert len(await client.run_ids()) == 3
            assert await client("SET", key, "new", write=True) == b"OK"
