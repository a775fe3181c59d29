"""A master of a cluster is down and has a replica: until the replica takes over, users of other masters notice nothing.

The nodes of these tests wait a minute before a replica takes over, so that everything is tested before that.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from api.health import unready
from domain.errors import Unavailable
from runner.valkey import Valkey
from settings import Settings
from tests.support.cluster_nodes import people_on
from tests.support.fallback_mode import worker_apart
from tests.support.resharding import follow
from tests.support.stores import standalone
from tests.support.system import Person, System, running
from tests.support.valkey_cluster import ValkeyCluster

pytestmark = pytest.mark.prove

PATIENT = {
    "cluster-require-full-coverage": "no",
    "cluster-node-timeout": "60000",
    "repl-ping-replica-period": "1",
}
LONG_AGO = "UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1"
"""Makes writes direct if Redis does not answer the next check of a worker."""
LOGGED = "SELECT count(*) FROM like_log"
WRITES = 30


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ValkeyCluster]:
    with ValkeyCluster(tmp_path / "masters", settings=PATIENT) as servers:
        yield servers


@pytest.fixture
def dying(cluster: ValkeyCluster, tmp_path: Path) -> Iterator[Valkey]:
    """Returns a master that has a replica."""
    with Valkey(tmp_path / "replica", cluster=True, settings=PATIENT) as replica:
        follow(cluster.nodes, cluster.nodes[1], replica)
        yield cluster.nodes[1]


@pytest.fixture
def of_cluster(make_settings: Callable[..., Settings], cluster: ValkeyCluster) -> Settings:
    return make_settings(redis_url=cluster.url, redis_mode="cluster")


async def liked(system: System, cluster: ValkeyCluster, dying: Valkey) -> tuple[str, Person]:
    """Returns a video and a person whose journal is not on the dying master. The person has liked the video."""
    people = await people_on(system, cluster)
    person = next(person for node, (person, _) in people.items() if node is not dying)
    (video,) = await system.videos("v1")
    await person.like(video)
    await system.drain()
    return video, person


@standalone
async def test_users_of_other_masters_write_through_redis_before_a_replica_takes_over(
    of_cluster: Settings, cluster: ValkeyCluster, dying: Valkey
) -> None:
    async with running(of_cluster) as system, worker_apart(system) as worker:
        video, person = await liked(system, cluster, dying)
        await worker.direct_writes.check()
        dying.kill()
        await system.rows(LONG_AGO)
        await worker.direct_writes.check()
        assert not worker.state.write_mode.current.direct

        for number in range(WRITES):  # none of them is refused or direct
            await (person.like if number % 2 else person.unlike)(video)
        for _ in range(3):
            with suppress(Unavailable):  # what the dead master has cached cannot be published
                await worker.step()
        assert await system.rows(LOGGED) == [(1 + WRITES,)], "workers store the journals of the other masters"
        assert await system.rows("SELECT count(*) FROM operations") == [(0,)]
        assert await unready(system.state) == []


@standalone
async def test_writes_become_direct_if_no_replica_takes_over_in_time(
    of_cluster: Settings, cluster: ValkeyCluster, dying: Valkey
) -> None:
    async with running(of_cluster) as system, worker_apart(system, redis_failover_seconds=0.0) as worker:
        await liked(system, cluster, dying)
        await worker.direct_writes.check()
        dying.kill()
        await system.rows(LONG_AGO)
        await worker.direct_writes.check()
        assert worker.state.write_mode.current.direct


@standalone
async def test_writes_become_direct_at_once_if_the_dead_master_has_no_replica(
    of_cluster: Settings, cluster: ValkeyCluster, dying: Valkey
) -> None:
    async with running(of_cluster) as system, worker_apart(system) as worker:
        await liked(system, cluster, dying)
        await worker.direct_writes.check()
        next(node for node in cluster.nodes if node is not dying).kill()
        await system.rows(LONG_AGO)
        await worker.direct_writes.check()
        assert worker.state.write_mode.current.direct
