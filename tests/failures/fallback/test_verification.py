"""Verification of cluster masters that come back with their data, without it, or without any journal."""

import shutil
from collections.abc import Iterator

import pytest

from runner.valkey import Valkey
from store.redis.client import RedisDown
from store.redis.connection import UnverifiedServer
from tests.support.cluster_nodes import key_of, node_of
from tests.support.fallback_mode import worker_apart
from tests.support.outages import known_to_be_back
from tests.support.system import SEEN, System
from tests.support.valkey_cluster import ValkeyCluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """Starts five masters. One of them has none of the four journals."""
    with ValkeyCluster(tmp_path_factory.mktemp("masters"), size=5) as servers:
        yield servers


@pytest.fixture
def redis_mode() -> str:
    return "cluster"


@pytest.fixture
def redis_url(cluster: ValkeyCluster) -> str:
    for node in cluster.nodes:
        node.command("FLUSHALL")
    return cluster.url


async def look(system: System) -> None:
    """Lets a worker verify Redis, and the API read the result."""
    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
    await system.state.write_mode.refresh()


async def restart(system: System, cluster: ValkeyCluster, node: Valkey, *, empty: bool = False) -> None:
    node.stop()
    if empty:
        shutil.rmtree(node.data_dir / "appendonlydir")
    cluster.start()
    await known_to_be_back(system.state.redis)


def away(system: System) -> bool:
    return system.state.redis.is_unavailable


async def refused_as_strangers(system: System, cluster: ValkeyCluster) -> list[Valkey]:
    """Returns the masters that an API does not use because no worker has verified them."""
    found = []
    for node in cluster.nodes:
        try:
            await system.state.redis("GET", key_of(cluster, node))
        except RedisDown as refused:
            if not isinstance(refused.__cause__, UnverifiedServer):
                raise
            found.append(node)
    return found


async def liked(system: System) -> str:
    """Returns a video that alice has liked. The like is in Postgres, and a worker has verified every master."""
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    await look(system)
    assert len(system.state.write_mode.current.verified) == 5
    return video


def journals(system: System, cluster: ValkeyCluster) -> list[Valkey]:
    return [node_of(cluster, system.state.keys.journal(p)) for p in range(system.settings.partitions)]


async def test_the_api_uses_a_master_after_a_worker_has_verified_its_run(
    system: System, cluster: ValkeyCluster
) -> None:
    video = await liked(system)
    assert await refused_as_strangers(system, cluster) == []
    restarted = journals(system, cluster)[0]

    await restart(system, cluster, restarted)
    assert await refused_as_strangers(system, cluster) == [restarted]

    await look(system)
    assert await refused_as_strangers(system, cluster) == []
    assert not system.state.write_mode.current.direct
    seen = await system.person("alice").ask(SEEN, id=video)
    assert seen["node"]["viewerReaction"] == "LIKE"


async def test_a_master_without_journals_is_verified_with_the_others(system: System, cluster: ValkeyCluster) -> None:
    await liked(system)
    (bare,) = set(cluster.nodes) - set(journals(system, cluster))

    await restart(system, cluster, bare)
    assert await refused_as_strangers(system, cluster) == [bare]
    assert away(system)

    await look(system)
    assert await refused_as_strangers(system, cluster) == []
    assert not away(system)
    assert not system.state.write_mode.current.direct


async def test_a_master_that_lacks_stored_entries_is_never_verified(system: System, cluster: ValkeyCluster) -> None:
    await liked(system)
    ((partition,),) = await system.rows("SELECT p FROM partitions WHERE head > 0")
    lacking = journals(system, cluster)[partition]

    await restart(system, cluster, lacking, empty=True)
    assert await refused_as_strangers(system, cluster) == [lacking]

    await look(system)
    assert system.state.write_mode.current.direct


async def test_a_run_that_began_during_a_verification_is_not_verified(
    system: System, cluster: ValkeyCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    await liked(system)
    before = system.state.write_mode.current.verified
    first = journals(system, cluster)[0]
    (bare,) = set(cluster.nodes) - set(journals(system, cluster))
    await restart(system, cluster, bare)
    async with worker_apart(system) as worker:
        asked = worker.state.redis.run_ids

        async def runs() -> set[str]:
            answer = await asked()
            await restart(system, cluster, first)
            return answer

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(worker.state.redis, "run_ids", runs)
            await worker.direct_writes.check()
        await system.state.write_mode.refresh()
        assert system.state.write_mode.current.verified == before

        await worker.direct_writes.check()
    await system.state.write_mode.refresh()
    assert await refused_as_strangers(system, cluster) == []
