"""A private Valkey primary with a replica, and sentinels that watch them, on loopback."""

from collections.abc import Callable
from pathlib import Path
from typing import Self

from runner.binaries import valkey_server
from runner.errors import RunnerError
from runner.ports import HOST
from runner.valkey import Valkey
from runner.waiting import wait_until

SERVICE = "plaudit"
FORM_SECONDS = 30
DOWN_MS = 1000
"""Milliseconds without an answer after which one sentinel considers a server down. A quorum must agree."""
NODE = {"repl-diskless-sync-delay": "0"}


class Sentinel(Valkey):
    """A sentinel that starts with the port of the primary and finds the other servers.

    `quorum` sentinels must agree that the primary is down. A restart discards everything that the sentinel has found.
    """

    name = "valkey-sentinel"

    def __init__(self, data_dir: Path, primary_port: int, quorum: int = 1) -> None:
        super().__init__(data_dir)
        self._primary_port = primary_port
        self._quorum = quorum

    def knows(self, replicas: int, sentinels: int) -> bool:
        """Returns whether the primary is up and this sentinel has found `replicas` and `sentinels` other sentinels."""
        seen = self.command("SENTINEL MASTER", SERVICE)
        found = (seen["flags"], seen["num-slaves"], seen["num-other-sentinels"])
        return bool(found == ("master", replicas, sentinels))

    def _argv(self, port: int, bus_port: int) -> tuple[str, ...]:  # noqa: ARG002 - sentinels have no bus
        file = self.data_dir / "sentinel.conf"  # the sentinel rewrites this file
        file.write_text(
            f"bind {HOST}\n"
            f"port {port}\n"
            f'dir "{self.data_dir}"\n'
            f"sentinel monitor {SERVICE} {HOST} {self._primary_port} {self._quorum}\n"
            f"sentinel down-after-milliseconds {SERVICE} {DOWN_MS}\n"
            f"sentinel failover-timeout {SERVICE} 10000\n"
        )
        return (str(valkey_server()), str(file), "--sentinel")


class ValkeySentinels:
    """A primary and a replica, which are `Valkey` servers (`nodes`), and `sentinels` that watch them.

    `start` returns when the replica is in sync and every sentinel has found all others.
    """

    name = "valkey-sentinels"

    def __init__(self, data_dir: Path, *, sentinels: int = 1) -> None:
        self.nodes = [Valkey(data_dir / f"node-{number}", settings=NODE) for number in (1, 2)]
        self.sentinels: list[Sentinel] = []
        self._folders = [data_dir / f"sentinel-{number}" for number in range(1, sentinels + 1)]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The URL with the addresses of the sentinels."""
        return "redis://" + ",".join(f"{HOST}:{sentinel.port}" for sentinel in self.sentinels)

    @property
    def primary(self) -> Valkey:
        """The server that the first sentinel reports as the primary."""
        port = int(self.sentinels[0].command("SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE)[1])
        return next(node for node in self.nodes if node.port == port)

    @property
    def replica(self) -> Valkey:
        """The server that is not the primary."""
        return next(node for node in self.nodes if node is not self.primary)

    def start(self) -> None:
        """Starts all servers, and waits until the sentinels have found each other. Raises RunnerError on timeout."""
        primary, replica = self.nodes
        try:
            primary.start()
            replica.start()
            replica.command("REPLICAOF", HOST, primary.port)
            self._await(lambda: replica.command("INFO", "replication")["master_link_status"] == "up")
            for folder in self._folders:
                self.sentinels.append(Sentinel(folder, primary.port, quorum=len(self._folders) // 2 + 1))
                self.sentinels[-1].start()
            self._await(lambda: all(one.knows(1, len(self.sentinels) - 1) for one in self.sentinels))
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stops every server; the sentinels first, so that they do not start a failover."""
        for server in (*self.sentinels, *self.nodes):
            server.stop()

    def await_replica(self) -> None:
        """Waits until the replica has everything that the primary has now. Raises RunnerError on timeout."""
        behind = self.primary.command("INFO", "replication")["master_repl_offset"]
        replica = self.replica
        self._await(lambda: replica.command("INFO", "replication").get("slave_repl_offset", -1) >= behind)

    def _await(self, condition: Callable[[], bool]) -> None:
        if not wait_until(condition, FORM_SECONDS):
            raise RunnerError(
                f"Valkey and its sentinels did not agree within {FORM_SECONDS} s; see {self.nodes[0].log}."
            )
