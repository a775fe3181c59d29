"""Which node of a Valkey cluster holds a key, or the journal of a person."""

from collections.abc import Iterator
from itertools import count

from dependencies.redis import key_slot
from runner.valkey import Valkey
from tests.support.system import Person, System
from tests.support.valkey_cluster import SLOTS, ValkeyCluster


def node_of(cluster: ValkeyCluster, key: str) -> Valkey:
    """Returns the node that received a key's slot when the cluster was formed."""
    bounds = [SLOTS * number // len(cluster.nodes) for number in range(len(cluster.nodes) + 1)]
    slot = key_slot(key.encode())
    return next(node for node, after in zip(cluster.nodes, bounds[1:], strict=True) if slot < after)


def key_of(cluster: ValkeyCluster, node: Valkey) -> str:
    """Returns a key whose slot belongs to a node."""
    return next(keys_of(cluster, node))


def keys_of(cluster: ValkeyCluster, node: Valkey) -> Iterator[str]:
    """Yields keys whose slots belong to a node."""
    return (key for key in map("key-{}".format, count()) if node_of(cluster, key) is node)


async def people_on(system: System, cluster: ValkeyCluster) -> dict[Valkey, tuple[Person, int]]:
    """Returns a person for each node that has a journal, with the partition of that journal."""
    found: dict[Valkey, tuple[Person, int]] = {}
    for number in range(20):
        person = system.person(f"person-{number}")
        partition = system.state.keys.partition_of(int((await person.id()).partition(":")[2]))
        found.setdefault(node_of(cluster, system.state.keys.journal(partition)), (person, partition))
    return found
