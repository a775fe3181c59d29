"""Redis URLs: sockets, and several nodes of a cluster."""

from pathlib import Path

import pytest

from domain.errors import Unavailable
from runner.valkey import Valkey
from tests.support.redis_clients import connected
from tests.support.valkey_cluster import ValkeyCluster

CLOSED_PORT = "127.0.0.1:1"


async def test_a_local_server_is_reached_through_its_socket(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with Valkey(tmp_path, settings={"unixsocket": str(path)}):
        async with connected(f"unix://{path}?db=1") as client:
            assert await client("SET", "a", "of a", write=True) == b"OK"
            about, value = await client.gather([("CLIENT", "INFO"), ("GET", "a")])

    assert value == b"of a"
    assert str(path).encode() in about
    assert b" db=1 " in about


async def test_any_node_of_a_cluster_is_enough_to_find_the_others(valkey_cluster: ValkeyCluster) -> None:
    nodes = ",".join(f"127.0.0.1:{node.port}" for node in valkey_cluster.nodes[1:])
    async with connected(f"redis://{CLOSED_PORT},{nodes}/0", redis_mode="cluster") as client:
        keys = [f"clients-test-{number}" for number in range(30)]
        await client.gather([("SET", key, key) for key in keys], write=True)

        assert await client.get_many(keys) == [key.encode() for key in keys]
        assert len(await client.run_ids()) == 3
        await client.gather([("DEL", key) for key in keys], write=True)

    async with connected(f"redis://{CLOSED_PORT}", redis_mode="cluster") as client:
        with pytest.raises(Unavailable):
            await client("GET", "a")
