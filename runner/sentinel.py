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
"""A server that is silent for so long is down, to a sentinel; for the others it takes a majority of them."""
NODE = {"repl-diskless-sync-delay": "0"}


class Sentinel(Valkey):
    """A server that watches the others, of which it is told where the primary is; `quorum` must agree that it is down.

    Started again it begins anew.
    """

    name = "valkey-sentinel"

    def __init__(self, data_dir: Path, primary_port: int, quorum: int = 1) -> None:
        super().__init__(data_dir)
        self._primary_port = primary_port
        self._quorum = quorum

    def knows(self, replicas: int, sentinels: int) -> bool:
        """Whether it has found so many replicas of a primary that is up, and so many sentinels besides itself."""
        seen = self.command("SENTINEL MASTER", SERVICE)
        found = (seen["flags"], seen["num-slaves"], seen["num-other-sentinels"])
        return bool(found == ("master", replicas, sentinels))

    def _argv(self, port: int, bus_port: int) -> tuple[str, ...]:  # noqa: ARG002 - sentinels have no bus
        file = self.data_dir / "sentinel.conf"  # which it rewrites
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
    """A primary and a replica, ordinary `Valkey` servers (`nodes`), and one or another number of `sentinels`.

    `start` returns when the replica has what the primary has, and every sentinel knows all others.
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
        """Where the sentinels are."""
        return "redis://" + ",".join(f"{HOST}:{sentinel.port}" for sentinel in self.sentinels)

    @property
    def primary(self) -> Valkey:
        """Who is it now, as the first sentinel says."""
        port = int(self.sentinels[0].command("SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE)[1])
        return next(node for node in self.nodes if node.port == port)

    @property
    def replica(self) -> Valkey:
        """The other one."""
        return next(node for node in self.nodes if node is not self.primary)

    def start(self) -> None:
        """Return when it is whole; raise RunnerError if it does not become so."""
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
        """End every server, and first those that would do something about it."""
        for server in (*self.sentinels, *self.nodes):
            server.stop()

    def await_replica(self) -> None:
        """Return when the replica has everything that the primary has now; raise RunnerError if it stays behind."""
        behind = self.primary.command("INFO", "replication")["master_repl_offset"]
        replica = self.replica
        self._await(lambda: replica.command("INFO", "replication").get("slave_repl_offset", -1) >= behind)

    def _await(self, condition: Callable[[], bool]) -> None:
        if not wait_until(condition, FORM_SECONDS):
            raise RunnerError(
                f"Valkey and its sentinels did not agree within {FORM_SECONDS} s; see {self.nodes[0].log}."
            )
