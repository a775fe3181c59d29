"""A cluster master dies without a replica: workers store the other masters' journals, and publish to watchers."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from domain.errors import Unavailable
from models.counters import EntityRef
from runner.ports import HOST
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store import keys
from store.redis import servers
from tests.support.cluster_nodes import node_of, people_on
from tests.support.fallback_mode import begin, worker_apart
from tests.support.outages import stopped
from tests.support.stores import standalone
from tests.support.subscriptions import Live, serving
from tests.support.system import running
from tests.support.valkey_cluster import ValkeyCluster

LIVING = {"cluster-require-full-coverage": "no"}
STORED = "SELECT count(*) FROM reactions"
NOT_DRAINED = "SELECT p FROM partitions WHERE drained <> (SELECT generation FROM modes) ORDER BY p"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    with ValkeyCluster(tmp_path_factory.mktemp("masters"), settings=LIVING) as servers:
        yield servers


@standalone
async def test_workers_store_journals_of_living_masters_while_one_master_is_dead(
    make_settings: Callable[..., Settings], cluster: ValkeyCluster
) -> None:
    async with running(make_settings(redis_url=cluster.url, redis_mode="cluster")) as system:
        (video,) = await system.videos("v1")
        dead = cluster.nodes[1]
        people = await people_on(system, cluster)
        (lost, _), (kept, _) = people[dead], next(people[node] for node in people if node is not dead)
        journals = {p: system.state.keys.journal(p) for p in range(system.settings.partitions)}
        unreadable = [(p,) for p, journal in journals.items() if node_of(cluster, journal) is dead]
        for person in (lost, kept):
            await person.like(video)
        dead.kill()
        try:
            await begin(system)
            async with worker_apart(system) as worker:
                for _ in range(3):
                    await worker.direct_writes.step()
                assert await system.rows(STORED) == [(1,)]
                assert await system.rows(NOT_DRAINED) == unreadable
                assert await system.rows("SELECT direct FROM modes") == [(True,)]

                cluster.start()
                async with asyncio.timeout(30):
                    while worker.state.write_mode.current.direct:
                        await worker.direct_writes.step()
                        await asyncio.sleep(0.02)
            assert await system.rows(STORED) == [(2,)]
        finally:
            cluster.start()


@standalone
async def test_the_memory_of_living_masters_is_measured_while_one_master_is_dead(
    make_settings: Callable[..., Settings], cluster: ValkeyCluster
) -> None:
    settings = make_settings(redis_url=cluster.url, redis_mode="cluster")
    dead, *living = cluster.nodes[::-1]
    expected = {f"{HOST}:{node.port}" for node in living}
    async with running(settings) as system:
        assert set(await servers.memory(system.state.redis)) == {*expected, f"{HOST}:{dead.port}"}
        dead.kill()
        try:
            async with asyncio.timeout(20):
                ratios = await servers.memory(system.state.redis)
            assert set(ratios) == expected
            assert all(0 < ratio < 1 for ratio in ratios.values())
        finally:
            cluster.start()


@standalone
async def test_watchers_of_objects_on_living_cache_masters_receive_changes_while_one_master_is_dead(
    make_settings: Callable[..., Settings], cluster: ValkeyCluster
) -> None:
    settings = make_settings(port=0, cache_url=cluster.url, cache_mode="cluster", batches={"entries": 1})
    async with serving(settings) as live:
        dead = cluster.nodes[1]
        *lost, kept = await things(live, cluster, dead)
        worker = live.worker()
        await worker.ownership.renew()
        async with live.socket() as watcher:
            await watcher.subscribe([kept])
            await watcher.until(lambda value: value["likeCount"] == 0)
            dead.kill()
            try:
                for likes, handle in enumerate(("alice", "bob"), 1):
                    for video in (*lost, kept):
                        await live.person(handle).like(video)
                    for _ in range(4):
                        with suppress(Unavailable):
                            await worker.step()
                    while (await watcher.value())["likeCount"] < likes:
                        pass
            finally:
                cluster.start()
        await live.drain()


async def things(live: Live, cluster: ValkeyCluster, dead: Valkey) -> list[str]:
    """Returns videos with counters on the dead master, more than one batch, and one video on other masters."""
    ids = await live.videos(*map("video-{}".format, range(60)))
    rows = await live.rows("SELECT key, business_id, entity_id FROM entity_keys")
    refs = {f"Entity:video:{key}": EntityRef(business, entity) for key, business, entity in rows}
    lost = [one for one in ids if node_of(cluster, keys.counts(refs[one])) is dead]
    kept = [one for one in ids if one not in lost and node_of(cluster, keys.changes(refs[one])) is not dead]
    return [*lost[:12], kept[0]]


NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { id title } } }"


@standalone
async def test_readers_get_what_living_cache_masters_hold_while_one_is_dead_and_postgres_is_away(
    make_settings: Callable[..., Settings], cluster: ValkeyCluster, postgres: Postgres
) -> None:
    settings = make_settings(cache_url=cluster.url, cache_mode="cluster", local_cache_seconds=0)
    async with running(settings) as system:
        ids = await system.videos(*map("video-{}".format, range(30)))
        reader = system.person(None)
        await reader.ask(NODES, ids=ids)
        dead, video = cluster.nodes[1], system.state.businesses["video"].id
        held = {id_ for id_ in ids if node_of(cluster, keys.entity(video, id_.rpartition(":")[2])) is not dead}
        assert 0 < len(held) < len(ids)
        evicted = keys.entity(video, min(held).rpartition(":")[2])
        assert await system.state.cache.redis("DEL", evicted, write=True) == 1
        dead.kill()
        try:
            await reader.ask(NODES, ids=ids)  # caches the evicted value again
            async with stopped(postgres, system.state.postgres):
                body = (await reader.send(NODES, ids=ids)).json()
                nodes = body["data"]["nodes"]
            assert {node["id"] for node in nodes if node} == held
        finally:
            cluster.start()
