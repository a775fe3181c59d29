from pathlib import Path

import pytest
from redis.cluster import RedisCluster

from tests.support.valkey_cluster import ValkeyCluster

KEYS = [f"cluster-test-{number}" for number in range(60)]


def test_a_cluster_serves_keys_on_every_node(valkey_cluster: ValkeyCluster) -> None:
    with RedisCluster.from_url(valkey_cluster.url, decode_responses=True) as client:
        for key in KEYS:
            client.set(key, "kept")

        assert {client.get(key) for key in KEYS} == {"kept"}
        assert len(valkey_cluster.nodes) == 3
        assert all(int(node.command("DBSIZE")) > 0 for node in valkey_cluster.nodes)
        for key in KEYS:
            client.delete(key)


@pytest.mark.prove
def test_a_crashed_cluster_restarts_at_new_addresses_with_its_keys(tmp_path: Path) -> None:
    # With everysec, a write may still be in memory while the disk is busy, and a crash could lose it.
    with ValkeyCluster(tmp_path, appendfsync="always") as cluster:
        with RedisCluster.from_url(cluster.url) as client:
            for key in KEYS:
                client.set(key, "kept")
        cluster.kill()

    with ValkeyCluster(tmp_path) as again, RedisCluster.from_url(again.url, decode_responses=True) as client:
        assert {client.get(key) for key in KEYS} == {"kept"}
