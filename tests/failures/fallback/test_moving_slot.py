"""The slot of a journal is left open with a part of its keys moved: the users of this journal wait until it is closed,
and nobody else does.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dependencies.redis import key_slot
from domain.errors import Unavailable
from settings import Settings
from tests.support.cluster_nodes import node_of, people_on
from tests.support.fallback_mode import begin, worker_apart
from tests.support.resharding import finish_slot, move_keys, open_slot
from tests.support.stores import standalone
from tests.support.system import REACT, Person, System, running
from tests.support.valkey_cluster import ValkeyCluster

LONG_AGO = "UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1"
"""Makes writes direct if Redis does not answer the next check of a worker."""
LOGGED = "SELECT count(*) FROM like_log"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ValkeyCluster]:
    with ValkeyCluster(tmp_path / "moving") as servers:
        yield servers


@pytest.fixture
def of_cluster(make_settings: Callable[..., Settings], cluster: ValkeyCluster) -> Settings:
    return make_settings(redis_url=cluster.url, redis_mode="cluster")


class HalfMoved:
    """The journal of a person is moved to another master, and the other keys of its slot are not."""

    def __init__(self, system: System, cluster: ValkeyCluster, partition: int) -> None:
        journal = system.state.keys.journal(partition)
        self._nodes, self._slot = cluster.nodes, key_slot(journal.encode())
        self._source = node_of(cluster, journal)
        self._target = next(node for node in cluster.nodes if node is not self._source)
        open_slot(self._source, self._target, self._slot)
        move_keys(self._source, self._target, [journal])

    def finish(self) -> None:
        """Moves the other keys and closes the slot."""
        finish_slot(self._nodes, self._source, self._target, self._slot)


async def liked(system: System, cluster: ValkeyCluster) -> tuple[str, Person, int, Person]:
    """Returns a video, a person with the partition of their journal, and a person with a journal on another master.
    Both have liked the video, and their likes are stored.
    """
    (video,) = await system.videos("v1")
    of_node = await people_on(system, cluster)
    (moved, partition), (other, _) = [of_node[node] for node in cluster.nodes if node in of_node][:2]
    for person in (moved, other):
        await person.like(video)
    await system.drain()
    return video, moved, partition, other


@standalone
async def test_only_users_of_an_open_slot_wait_until_it_is_closed(of_cluster: Settings, cluster: ValkeyCluster) -> None:
    async with running(of_cluster) as system, worker_apart(system) as worker:
        video, moved, partition, other = await liked(system, cluster)
        half = HalfMoved(system, cluster, partition)

        await worker.direct_writes.check()
        await system.rows(LONG_AGO)
        await worker.direct_writes.check()
        assert not worker.state.write_mode.current.direct

        await other.unlike(video)
        with suppress(Unavailable):  # what is cached in the open slot cannot be published
            await worker.step()
        assert await system.rows(LOGGED) == [(3,)], "workers store journals while a slot is open"
        assert await moved.errors(REACT % "unlike", id=video, key="moved") == [("UNAVAILABLE", ["unlike"])]
        assert await moved.ask("query ($id: ID!) { node(id: $id) { id } }", id=video)

        half.finish()
        await moved.unlike(video, "moved")
        async with asyncio.timeout(20):
            while await system.rows(LOGGED) != [(4,)]:
                await system.drain()  # a worker leaves out a journal whose master it has not verified yet


@standalone
async def test_direct_writes_end_while_a_slot_is_open(of_cluster: Settings, cluster: ValkeyCluster) -> None:
    async with running(of_cluster) as system:
        video, moved, partition, other = await liked(system, cluster)
        half = HalfMoved(system, cluster, partition)
        await begin(system)
        await moved.unlike(video)
        async with worker_apart(system) as worker, asyncio.timeout(20):
            while worker.state.write_mode.current.direct:
                await worker.direct_writes.step()
        await system.state.write_mode.refresh()
        assert not system.state.write_mode.current.direct

        await other.unlike(video)
        half.finish()
        await moved.like(video)
        async with asyncio.timeout(20):
            while await system.rows(LOGGED) != [(5,)]:
                await system.drain()
