"""Moves slots between the masters of a Valkey cluster, key by key or atomically, and adds and removes nodes.

All functions block until the nodes have done it. Raise AssertionError if they do not.
"""

from collections.abc import Sequence
from itertools import groupby

from runner.ports import HOST
from runner.valkey import Valkey
from runner.waiting import wait_until

SECONDS = 30
_KEYS = 20
"""How many keys are moved by one MIGRATE."""


def name_of(node: Valkey) -> str:
    """Returns the id of a node in its cluster."""
    return str(node.command("CLUSTER MYID"))


def join(nodes: Sequence[Valkey], new: Valkey) -> None:
    """Adds a running server without slots to a cluster. Returns when all nodes know it."""
    new.command("CLUSTER MEET", HOST, nodes[0].port, nodes[0].bus_port)
    everyone = {name_of(node) for node in (*nodes, new)}
    assert wait_until(lambda: all(_known_to(node) >= everyone for node in (*nodes, new)), SECONDS)


def follow(nodes: Sequence[Valkey], master: Valkey, replica: Valkey) -> None:
    """Adds a running server to a cluster as a replica. Returns when it has the master's data and all nodes list it in
    their slot maps. They do so after the master has sent something to it: a ping will do
    (`repl-ping-replica-period`).
    """
    join(nodes, replica)
    name, me = name_of(master), name_of(replica)
    replica.command("CLUSTER REPLICATE", name)
    assert wait_until(lambda: replica.command("ROLE")[3] == "connected", SECONDS)
    assert wait_until(lambda: all(me in str(node.command("CLUSTER SLOTS")) for node in nodes), SECONDS)


def remove(nodes: Sequence[Valkey], gone: Valkey) -> None:
    """Lets the nodes of a cluster forget a node, which must have no slots, and stops it."""
    name = name_of(gone)
    for node in nodes:
        node.command("CLUSTER FORGET", name)
    gone.stop()


def _known_to(node: Valkey) -> set[str]:
    lines = node.command("CLUSTER NODES").values()
    return {about["node_id"] for about in lines if about["connected"]}


def slots_of(node: Valkey) -> list[int]:
    """Returns the slots that a master serves."""
    own = next(about for about in node.command("CLUSTER NODES").values() if "myself" in about["flags"])
    return [slot for some in own["slots"] for slot in range(int(some[0]), int(some[-1]) + 1)]


def open_slot(source: Valkey, target: Valkey, slot: int) -> None:
    """Begins to move a slot key by key."""
    target.command("CLUSTER SETSLOT", slot, "IMPORTING", name_of(source))
    source.command("CLUSTER SETSLOT", slot, "MIGRATING", name_of(target))


def move_keys(source: Valkey, target: Valkey, keys: Sequence[str]) -> None:
    """Moves keys of a slot that is open."""
    source.command("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *keys)


def close_slot(nodes: Sequence[Valkey], target: Valkey, slot: int) -> None:
    """Gives a slot to a master. The keys of the slot must be there. Tells the new owner first."""
    name = name_of(target)
    for node in (target, *nodes):
        if node.command("ROLE")[0] == "master":
            node.command("CLUSTER SETSLOT", slot, "NODE", name)


def move_slot(nodes: Sequence[Valkey], source: Valkey, target: Valkey, slot: int) -> None:
    """Moves a slot with its keys, as `valkey-cli --cluster reshard` does."""
    open_slot(source, target, slot)
    finish_slot(nodes, source, target, slot)


def move_slots_atomically(source: Valkey, target: Valkey, slots: Sequence[int]) -> None:
    """Moves slots with CLUSTER MIGRATESLOTS. Returns when both masters know the new owner."""
    ranges: list[int] = []
    for _, some in groupby(enumerate(sorted(slots)), key=lambda one: one[1] - one[0]):
        between = [slot for _, slot in some]
        ranges += [between[0], between[-1]]
    source.command("CLUSTER MIGRATESLOTS", "SLOTSRANGE", *ranges, "NODE", name_of(target))
    moved = {*slots}
    done = wait_until(lambda: moved <= {*slots_of(target)} and not moved & {*slots_of(source)}, SECONDS)
    assert done, source.command("CLUSTER GETSLOTMIGRATIONS")


def finish_slot(nodes: Sequence[Valkey], source: Valkey, target: Valkey, slot: int) -> None:
    """Moves the keys that are left in an open slot, and closes the slot."""
    while keys := source.command("CLUSTER GETKEYSINSLOT", slot, _KEYS):
        move_keys(source, target, keys)
    close_slot(nodes, target, slot)
