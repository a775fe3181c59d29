"""Which node of a Valkey cluster holds a key."""

from itertools import count

from redis.crc import key_slot

from runner.valkey import Valkey
from tests.support.valkey_cluster import SLOTS, ValkeyCluster


def node_of(cluster: ValkeyCluster, key: str) -> Valkey:
    """Returns the node that received a key's slot when the cluster was formed."""
    bounds = [SLOTS * number // len(cluster.nodes) for number in range(len(cluster.nodes) + 1)]
    slot = key_slot(key.encode())
    return next(node for node, after in zip(cluster.nodes, bounds[1:], strict=True) if slot < after)


def key_of(cluster: ValkeyCluster, node: Valkey) -> str:
    """Returns a key whose slot belongs to a node."""
    return next(key for key in map("key-{}".format, count()) if node_of(cluster, key) is node)
