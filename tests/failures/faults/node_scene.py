"""The system that faults of a distributed Postgres happen to: a coordinator, two worker nodes, two APIs and workers."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from runner.binaries import postgres_bin
from runner.pgdata import environment
from runner.ports import HOST
from runner.postgres import Postgres
from runner.process import Command, run
from runner.valkey import Valkey
from tests.support.citus import NODE, RECOMMENDED, Cluster, archive, distributed_cluster
from tests.support.deployment import Deployment
from tests.support.fault_proxy import Proxy

PARTITIONS = 8
PATIENCE = 90
"""The most seconds that a recovery may take."""
_UNDECIDED = "SELECT count(*) FROM pg_prepared_xacts"
_STREAMS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


@dataclass
class NodeScene:
    """The servers and processes."""

    folder: Path
    cluster: Cluster
    deployment: Deployment
    _standbys: list[tuple[Postgres, Proxy]] = field(default_factory=list)

    async def start(self) -> None:
        """Starts the processes, and returns when they serve."""
        for number in range(2):
            self.deployment.start_api(number)
        workers = [self.deployment.start_worker() for _ in range(2)]
        await self.deployment.ready()
        await self.deployment.workers_started(*workers)

    async def value(self, node: Postgres, query: str, *arguments: Any) -> Any:
        """Returns the value that a query has on a node, for the superuser."""
        connection = await asyncpg.connect(self.cluster.url(node))
        try:
            return await connection.fetchval(query, *arguments)
        finally:
            await connection.close()

    async def undecided(self) -> int:
        """Returns the number of transactions that worker nodes have prepared and not finished."""
        return sum([await self.value(node, _UNDECIDED) for node in self.cluster.workers])

    async def kill_prepared(self, victim: Postgres) -> None:
        """Kills all processes of a server as soon as the first worker node has prepared a transaction."""
        assert victim.pid
        doomed = [victim.pid, *(child.pid for child in psutil.Process(victim.pid).children(recursive=True))]
        watch = await asyncpg.connect(self.cluster.url(self.cluster.workers[0]))
        try:
            async with asyncio.timeout(PATIENCE):
                while not await watch.fetchval(_UNDECIDED):
                    pass
            _kill(doomed)
        finally:
            watch.terminate()
        victim.kill()

    async def standby(self, primary: Postgres) -> tuple[Postgres, Proxy]:
        """Starts a standby of a node. Returns it and the network between the two."""
        network = Proxy(primary.port)
        await network.open()
        folder = self.folder / "standby"
        await asyncio.to_thread(self._copy, primary, folder / "data")
        _, _, source = self.cluster.url(primary).partition("://")
        login, _, _ = source.partition("@")
        user, _, secret = login.partition(":")
        conninfo = f"host={HOST} port={network.port} user={user} password={secret} sslmode=disable"
        standby = Postgres(folder, settings={**NODE, **RECOMMENDED, "primary_conninfo": conninfo})
        self._standbys.append((standby, network))
        await asyncio.to_thread(standby.start)
        async with asyncio.timeout(PATIENCE):
            while not await self.value(primary, _STREAMS):
                await asyncio.sleep(0.05)
        return standby, network

    async def stop(self) -> None:
        """Stops the deployment and the standbys."""
        await asyncio.to_thread(self.deployment.stop)
        for standby, network in self._standbys:
            await asyncio.to_thread(standby.stop)
            await network.cut()

    def _copy(self, primary: Postgres, data: Path) -> None:
        data.mkdir(mode=0o700, parents=True)
        argv = (f"{postgres_bin()}/pg_basebackup", "--pgdata", str(data), "--checkpoint=fast", "--write-recovery-conf")
        command = Command(
            argv=(*argv, "--dbname", self.cluster.url(primary)),
            log=data.with_name("copy.log"),
            env=environment(),
            unprivileged=data,
        )
        run(command, PATIENCE)

    async def promote(self, primary: Postgres, standby: Postgres) -> None:
        """Makes the standby of a killed node take its place in the cluster."""
        coordinator = self.cluster.coordinator
        assert await self.value(standby, "SELECT pg_promote()")
        of_port = "SELECT nodeid FROM pg_dist_node WHERE nodeport = $1"
        node = await self.value(coordinator, of_port, primary.port)
        await self.value(coordinator, "SELECT citus_update_node($1, $2, $3, force => true)", node, HOST, standby.port)


def _kill(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@asynccontextmanager
async def node_scene(folder: Path) -> AsyncIterator[NodeScene]:
    """Starts all servers and processes of a scene."""
    with ExitStack() as stack:
        servers = distributed_cluster(archive(), partitions=PARTITIONS, durable=True)
        cluster = await asyncio.to_thread(stack.enter_context, servers)
        valkey = await asyncio.to_thread(stack.enter_context, Valkey(folder / "redis"))
        second = {"REDIS_URL": valkey.url}
        settings = {"partitions": PARTITIONS, "database_timeout": 10.0, "request_timeout": 5.0, "pending_seconds": 8.0}
        scene = NodeScene(folder, cluster, Deployment(folder, cluster.coordinator.url, valkey.url, second, **settings))
        try:
            await scene.start()
            yield scene
        finally:
            await scene.stop()
