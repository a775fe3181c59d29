from pathlib import Path

from redis.cluster import RedisCluster

from runner.cluster import ValkeyCluster


def test_a_cluster_serves_keys_on_every_node_and_comes_back_at_new_addresses(tmp_path: Path) -> None:
    keys = [f"key-{number}" for number in range(60)]

    with ValkeyCluster(tmp_path) as cluster:
        with RedisCluster.from_url(cluster.url) as client:
            for key in keys:
                client.set(key, "kept")
        assert all(int(node.command("DBSIZE")) > 0 for node in cluster.nodes)
        cluster.kill()

    with ValkeyCluster(tmp_path) as again, RedisCluster.from_url(again.url, decode_responses=True) as client:
        assert {client.get(key) for key in keys} == {"kept"}
