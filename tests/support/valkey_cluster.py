"""A private Valkey cluster on loopback."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Literal, Self

from runner.errors import RunnerError
from runner.ports import HOST
from runner.valkey import Valkey
from runner.waiting import wait_until

SLOTS = 16384
FORM_SECONDS = 30


class ValkeyCluster:
    """A cluster of `size` masters (three by default) that share the slots evenly. `nodes` are `Valkey` servers.

    `start` returns when every node reports a complete cluster. The data directory keeps the cluster across restarts.
    """

    name = "valkey-cluster"

    def __init__(
        self,
        data_dir: Path,
        *,
        size: int = 3,
        appendfsync: Literal["everysec", "always"] = "everysec",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Passes `settings` to every node."""
        self.nodes = [
            Valkey(data_dir / f"node-{number}", appendfsync=appendfsync, cluster=True, settings=settings)
            for number in range(1, size + 1)
        ]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The URL of the first node. A client in cluster mode finds the other nodes from it."""
        return self.nodes[0].url

    def start(self) -> None:
        """Starts every node, and waits until the cluster is complete. Raises RunnerError on timeout."""
        try:
            for node in self.nodes:
                node.start()
            self._form()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stops every node."""
        for node in reversed(self.nodes):
            node.stop()

    def kill(self) -> None:
        """Kills every node with SIGKILL."""
        for node in self.nodes:
            node.kill()

    def _form(self) -> None:
        bounds = [SLOTS * number // len(self.nodes) for number in range(len(self.nodes) + 1)]
        for node, (first, after) in zip(self.nodes, pairwise(bounds), strict=True):
            if not _owns_slots(node):
                node.command("CLUSTER ADDSLOTSRANGE", first, after - 1)
        # Also after a restart: the nodes know each other's names, but not the new ports.
        for node in self.nodes[1:]:
            self.nodes[0].command("CLUSTER MEET", HOST, node.port, node.bus_port)
        if not wait_until(lambda: all(self._is_whole(node) for node in self.nodes), FORM_SECONDS):
            raise RunnerError(f"The Valkey cluster did not form within {FORM_SECONDS} s; see {self.nodes[0].log}.")

    def _is_whole(self, node: Valkey) -> bool:
        """Returns whether `node` reports a complete cluster and is connected to the current address of every node."""
        known = node.command("CLUSTER NODES")
        linked = {address for address, about in known.items() if about["connected"]}
        expected = {f"{HOST}:{node.port}" for node in self.nodes}
        return linked == expected and bool(node.command("CLUSTER INFO")["cluster_state"] == "ok")


def _owns_slots(node: Valkey) -> bool:
    return any(known["slots"] for known in node.command("CLUSTER NODES").values() if "myself" in known["flags"])
