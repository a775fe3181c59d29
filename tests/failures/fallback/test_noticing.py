"""Which processes notice that Redis is down or has lost data, which verify a server, and when writes become direct."""

import pytest

from domain.errors import Unavailable
from runner.valkey import Valkey
from store.redis.client import RedisDown
from store.write_log import write_mode
from tests.support.fallback_mode import end, reaction, worker_apart
from tests.support.fault_proxy import proxied
from tests.support.outages import known_to_be_back
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import System


@standalone
async def test_the_api_uses_a_server_after_a_worker_has_verified_its_run(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video)
    await system.drain()
    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
    await system.state.write_mode.refresh()
    assert await reaction(system, "alice", video) == "LIKE"

    redis.stop()
    redis.start()
    with pytest.raises(RedisDown):
        await system.state.redis("GET", "a")
    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
    await system.state.write_mode.refresh()

    assert await system.state.redis("GET", "a") is None
    assert not system.state.write_mode.current.direct
    assert await reaction(system, "alice", video) == "LIKE"


async def test_writes_become_direct_when_journals_lack_stored_entries(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    await system.empty_redis()

    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
        assert worker.state.write_mode.current.direct
    await system.state.write_mode.refresh()
    with pytest.raises(Unavailable) as refusal:
        await system.state.write_mode.writes_directly()
    assert refusal.value.extensions["retryAfter"] == 3

    await system.rows("UPDATE modes SET since = since - interval '3 s' RETURNING 1")
    await end(system)
    assert await system.person("alice").like(video)
    await system.drain()
    assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]


async def test_writes_become_direct_when_a_journal_lacks_a_suspension_that_holds(system: System) -> None:
    bob = await system.person("bob").id()
    await suspend(moderator(system), bob)
    await system.empty_redis()

    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
        assert worker.state.write_mode.current.direct


@standalone
async def test_writes_stay_in_journals_while_any_worker_reaches_redis(system: System) -> None:
    postgres = system.state.postgres
    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
        assert not await write_mode.begin(postgres)
        await system.rows("UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1")
        assert await write_mode.begin(postgres)
        assert not await write_mode.begin(postgres), "direct writes have begun"


@standalone
async def test_broken_connections_alone_do_not_make_writes_direct(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    async with proxied(redis.port) as proxy, worker_apart(system, redis_url=proxy.through(redis.url)) as worker:
        await worker.direct_writes.check()
        await proxy.forget()
        await system.rows("UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1")
        await worker.direct_writes.check()
        assert not worker.state.write_mode.current.direct


@standalone
async def test_a_worker_without_partitions_notices_whether_redis_is_up(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    async with worker_apart(system) as worker:
        worker.ownership.partitions.clear()
        await worker.direct_writes.check()
        redis.stop()
        await system.rows("UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1")
        await worker.direct_writes.check()
        assert worker.state.write_mode.current.direct
        redis.start()


@standalone
async def test_only_the_primary_that_any_worker_reaches_is_used(
    apart: tuple[System, Valkey], two_redis: tuple[Valkey, Valkey]
) -> None:
    system, _ = apart
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    async with worker_apart(system) as other, worker_apart(system, "lost", redis_url=two_redis[1].url) as lost:
        await other.ownership.renew()
        await other.direct_writes.check()
        await system.rows("UPDATE workers SET redis_seen = redis_seen + interval '1 h' RETURNING 1")
        await system.state.write_mode.refresh()
        before = system.state.write_mode.current[:3]

        await lost.direct_writes.check()
        with pytest.raises(RedisDown):
            lost.direct_writes.redis_check.require_shared_primary()
        other.direct_writes.redis_check.require_shared_primary()
        await system.state.write_mode.refresh()
        assert system.state.write_mode.current[:3] == before

        await system.rows("UPDATE workers SET redis_seen = redis_seen - interval '2 h' RETURNING 1")
        await lost.direct_writes.check()
        lost.direct_writes.redis_check.require_shared_primary()
        await system.state.write_mode.refresh()
        assert system.state.write_mode.current.verified != other.state.write_mode.current.verified


@standalone
async def test_every_worker_publishes_again_after_one_has_verified_a_server(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    async with worker_apart(system) as idle, worker_apart(system) as verifying:
        await verifying.direct_writes.check()
        await idle.ownership.renew()
        await idle.state.write_mode.refresh()
        await idle.direct_writes.check()
        await idle.step()

        redis.stop()
        redis.start()
        await known_to_be_back(verifying.state.redis)
        await system.rows("UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1")
        await verifying.direct_writes.check()
        await idle.state.write_mode.refresh()
        await idle.direct_writes.check()
        assert all(partition.publish_again for partition in idle.ownership.partitions.values())
