"""The faults of a Redis Cluster under load: slots move, nodes come and go, masters die.

Each function blocks until it is over, and returns the slots whose users it may delay.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dependencies.redis import key_slot
from runner.valkey import Valkey
from runner.waiting import wait_until
from tests.failures.faults.cluster_scene import NODE, ClusterScene
from tests.failures.faults.scene import RECOVERY_SECONDS
from tests.support import resharding
from tests.support.outages import resume, suspend

Happens = Callable[[ClusterScene], set[int]]
MOVED = 200
"""How many slots are moved beside those of journals."""
OPEN_SECONDS = 6.0
DEAD_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class ClusterFault:
    """One row of the table. With `forgets`, acknowledged writes may be invisible for a while, because writes become
    direct.
    """

    name: str
    happens: Happens
    forgets: bool = False


def journal_slots(scene: ClusterScene, of: Sequence[int]) -> list[int]:
    """Returns the slots of journals among some slots."""
    partitions = range(scene.deployment.settings.partitions)
    return sorted({key_slot(f"{{{p}}}".encode()) for p in partitions} & {*of})


def _source_and_target(scene: ClusterScene) -> tuple[Valkey, Valkey]:
    """Returns the master with the most journals, and the one with the fewest."""
    masters = sorted(scene.masters, key=lambda node: len(journal_slots(scene, resharding.slots_of(node))))
    return masters[-1], masters[0]


def _some_slots(scene: ClusterScene, source: Valkey) -> list[int]:
    """Returns all slots of journals of a master, and others of its slots."""
    slots = resharding.slots_of(source)
    return sorted({*journal_slots(scene, slots), *slots[:MOVED]})


def moved_key_by_key(scene: ClusterScene) -> set[int]:
    source, target = _source_and_target(scene)
    slots = _some_slots(scene, source)
    for slot in slots:
        resharding.move_slot(scene.nodes, source, target, slot)
    return {*slots}


def moved_atomically(scene: ClusterScene) -> set[int]:
    source, target = _source_and_target(scene)
    slots = _some_slots(scene, source)
    resharding.move_slots_atomically(source, target, slots)
    return {*slots}


def left_open(scene: ClusterScene) -> set[int]:
    """Leaves the slot of a journal open for some seconds, while the half of its keys is on each of two masters."""
    source, target = _source_and_target(scene)
    slot = journal_slots(scene, resharding.slots_of(source))[0]
    resharding.open_slot(source, target, slot)
    keys = source.command("CLUSTER GETKEYSINSLOT", slot, 10_000)
    resharding.move_keys(source, target, keys[: len(keys) // 2])
    time.sleep(OPEN_SECONDS)
    resharding.finish_slot(scene.nodes, source, target, slot)
    return {slot}


def node_added_and_removed(scene: ClusterScene) -> set[int]:
    """Adds a master, gives it a quarter of the slots of each other master, takes all of them back, and removes it."""
    new = Valkey(scene.folder / f"added-{time.time_ns()}", cluster=True, settings=NODE)
    new.start()
    given: dict[Valkey, list[int]] = {}
    try:
        resharding.join(scene.nodes, new)
        for master in scene.masters:
            slots = resharding.slots_of(master)
            given[master] = sorted({*slots[: len(slots) // 4], *journal_slots(scene, slots)[:1]})
            resharding.move_slots_atomically(master, new, given[master])
        for master, slots in given.items():
            resharding.move_slots_atomically(new, master, slots)
        resharding.remove(scene.nodes, new)
    finally:
        new.stop()
    return {slot for slots in given.values() for slot in slots}


def failed_over(number: int) -> Happens:
    """Kills a master. When its replica has taken over, it returns as a replica."""

    def happens(scene: ClusterScene) -> set[int]:
        victim = scene.masters[number]
        slots = {*resharding.slots_of(victim)}
        replica = scene.replica_of(victim)
        victim.kill()
        assert wait_until(lambda: slots <= {*resharding.slots_of(replica)}, RECOVERY_SECONDS)
        victim.start()
        scene.await_replicas()
        return slots

    return happens


def stopped(scene: ClusterScene) -> set[int]:
    """Suspends a master, as if its machine had gone. It resumes when its replica has taken over."""
    victim, _ = _source_and_target(scene)
    slots, replica = {*resharding.slots_of(victim)}, scene.replica_of(victim)
    suspend(victim)
    try:
        assert wait_until(lambda: slots <= {*resharding.slots_of(replica)}, RECOVERY_SECONDS)
    finally:
        resume(victim)
    scene.await_replicas()
    return slots


def handed_over(scene: ClusterScene) -> set[int]:
    """Hands a master over to its replica with CLUSTER FAILOVER, which waits until the replica has everything."""
    master, _ = _source_and_target(scene)
    slots = {*resharding.slots_of(master)}
    replica = scene.replica_of(master)
    replica.command("CLUSTER FAILOVER")
    assert wait_until(lambda: slots <= {*resharding.slots_of(replica)}, RECOVERY_SECONDS)
    scene.await_replicas()
    return slots


def pair_dead(scene: ClusterScene) -> set[int]:
    """Kills a master and its replica, and starts both after some seconds."""
    master, _ = _source_and_target(scene)
    slots, replica = {*resharding.slots_of(master)}, scene.replica_of(master)
    for node in (replica, master):
        node.kill()
    time.sleep(DEAD_SECONDS)
    for node in (master, replica):
        node.start()
    scene.await_replicas()
    return slots


FAULTS = [
    ClusterFault("slots moved key by key", moved_key_by_key),
    ClusterFault("slots moved atomically", moved_atomically),
    ClusterFault("a journal's slot left open", left_open),
    ClusterFault("a node added and removed", node_added_and_removed),
    *(ClusterFault(f"master {number + 1} killed", failed_over(number), forgets=True) for number in range(3)),
    ClusterFault("a master stopped", stopped, forgets=True),
    ClusterFault("a master handed over", handed_over),
    ClusterFault("a master and its replica killed", pair_dead, forgets=True),
]
OVER_TLS = [moved_key_by_key, moved_atomically, handed_over]
