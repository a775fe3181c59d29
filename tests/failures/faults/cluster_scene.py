"""The system that faults of a Redis Cluster happen to: three masters, each with a replica, two APIs and two workers."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from runner.errors import RunnerError
from runner.ports import HOST
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from runner.waiting import wait_until
from tests.failures.faults.scene import RECOVERY_SECONDS, is_direct
from tests.support import resharding
from tests.support.deployment import Deployment
from tests.support.tls_terminator import Terminator, certify, terminated
from tests.support.valkey_cluster import ValkeyCluster

NODE = {"cluster-require-full-coverage": "no", "repl-diskless-sync-delay": "0"}


@dataclass
class ClusterScene:
    """The servers and processes. `nodes` are the running nodes of the cluster, whatever their roles are."""

    folder: Path
    postgres: Postgres
    nodes: list[Valkey]
    url: str
    deployment: Deployment = field(init=False)

    def __post_init__(self) -> None:
        second = {"REDIS_URL": self.url}
        self.deployment = Deployment(self.folder, self.postgres.url, self.url, second, redis_mode="cluster")

    def start(self) -> list[Process]:
        """Migrates the database, and starts the processes. Returns the workers."""
        self.deployment.migrate()
        for number in range(2):
            self.deployment.start_api(number)
        return [self.deployment.start_worker() for _ in range(2)]

    @property
    def masters(self) -> list[Valkey]:
        """The nodes that have slots."""
        return [node for node in self.nodes if resharding.slots_of(node)]

    def owner(self, slot: int) -> Valkey:
        """Returns the master of a slot."""
        return next(node for node in self.masters if slot in resharding.slots_of(node))

    def replica_of(self, master: Valkey) -> Valkey:
        """Returns the first replica of a master."""
        role, _, replicas = master.command("ROLE")
        assert role == "master"
        ports = {int(port) for _, port, _ in replicas}
        return next(node for node in self.nodes if node.port in ports)

    def await_replicas(self) -> None:
        """Waits until each master has a replica that follows. Raises RunnerError if that takes too long."""

        def followed() -> bool:
            roles = [master.command("ROLE") for master in self.masters]  # another node may have taken over meanwhile
            return all(role[0] == "master" and role[2] for role in roles) and all(
                about["connected"] for node in self.nodes for about in node.command("CLUSTER NODES").values()
            )

        if not wait_until(followed, RECOVERY_SECONDS):
            raise RunnerError("A master has no replica.")

    async def ready(self) -> None:
        """Returns when all processes serve and write in journals."""
        await self.deployment.ready()
        async with asyncio.timeout(RECOVERY_SECONDS), httpx.AsyncClient(trust_env=False) as http:
            for url in self.deployment.urls:
                while await is_direct(http, url):
                    await asyncio.sleep(0.05)


@asynccontextmanager
async def cluster_scene(folder: Path, *, tls: bool = False) -> AsyncIterator[ClusterScene]:
    """Starts all servers and processes of a scene. With `tls`, processes reach the cluster over TLS only."""
    with ExitStack() as stack:
        scene = await asyncio.to_thread(_servers, stack, folder, tls)
        try:
            workers = await asyncio.to_thread(scene.start)
            await scene.deployment.workers_started(*workers)
            await scene.ready()
            yield scene
        finally:
            await asyncio.to_thread(scene.deployment.stop)


def _servers(stack: ExitStack, folder: Path, tls: bool) -> ClusterScene:
    postgres = stack.enter_context(Postgres(folder / "postgres"))
    cluster = stack.enter_context(ValkeyCluster(folder / "masters", settings=NODE))
    nodes = [*cluster.nodes]
    for number, master in enumerate(cluster.nodes):
        replica = stack.enter_context(Valkey(folder / f"replica-{number}", cluster=True, settings=NODE))
        resharding.follow(nodes, master, replica)
        nodes.append(replica)
    if not tls:
        return ClusterScene(folder, postgres, nodes, _url("redis", [node.port for node in cluster.nodes]))
    ports = stack.enter_context(_behind_tls(nodes, folder / "server.pem"))
    return ClusterScene(folder, postgres, nodes, _url("rediss", ports, f"?ssl_ca_certs={folder / 'server.pem'}"))


def _url(scheme: str, ports: Sequence[int], options: str = "") -> str:
    return f"{scheme}://{','.join(f'{HOST}:{port}' for port in ports)}/0{options}"


@contextmanager
def _behind_tls(nodes: Sequence[Valkey], certificate: Path) -> Iterator[list[int]]:
    """Puts a TLS proxy in front of each node, which then announces the port of the proxy. Yields these ports."""
    certify(certificate)
    with ExitStack() as stack:
        proxies: list[Terminator] = [stack.enter_context(terminated(node.port, certificate)) for node in nodes]
        for node, proxy in zip(nodes, proxies, strict=True):
            node.command("CONFIG SET", "cluster-announce-port", proxy.port)
        announced = {f"{HOST}:{proxy.port}" for proxy in proxies}
        if not wait_until(lambda: all(node.command("CLUSTER NODES").keys() == announced for node in nodes), 30):
            raise RunnerError("The nodes do not announce the ports of their proxies.")
        yield [proxy.port for proxy in proxies]
