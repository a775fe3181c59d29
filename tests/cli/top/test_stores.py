"""What `plaudit top` reads from the stores."""

from collections.abc import Callable

from cli.top.stores import Stores, connected
from models.outgoing import DestinationState
from runner.valkey import Valkey
from settings import Settings
from store.outgoing import destinations
from tests.support.follows import follow
from tests.support.outgoing import send_all, to_stream
from tests.support.stores import PARTITIONS, standalone
from tests.support.system import System


async def test_stores_say_what_waits_and_who_owns_it(system: System) -> None:
    await to_stream(system, "follow.changed")
    await destinations.set_state(system.state.postgres, "stream", DestinationState.PAUSED, "paused by an operator")
    bob = await system.person("bob").id()
    await system.owner()
    ((owner,),) = await system.rows("SELECT DISTINCT owner FROM partitions")
    await follow(system.person("alice"), bob)

    async with connected(system.settings) as stores:
        assert stores
        found = await stores.read()
        await system.drain()
        later = await stores.read()

    assert found.partitions is not None
    assert [one.owner for one in found.partitions] == [owner] * PARTITIONS
    waiting = [size for size in found.journals.values() if size.oldest]
    assert [size.entries for size in waiting] == [1]
    assert 0 <= waiting[0].lag_s(found.read_ms) < 60
    assert found.writes_directly is False
    assert all(size.oldest is None for size in later.journals.values())
    assert later.destinations is not None
    (stream,) = later.destinations
    assert (stream.name, stream.state, stream.reason) == ("stream", DestinationState.PAUSED, "paused by an operator")
    assert stream.lag_s > 0


async def test_stores_say_how_busy_they_are(system: System) -> None:
    async with connected(system.settings) as stores:
        assert stores
        before, now = await stores.read(), await stores.read()

    assert before.postgres
    assert now.postgres
    assert now.postgres.connections > 1
    assert now.postgres.bytes > 1_000_000
    assert before.redis
    assert len(before.redis) == (3 if system.settings.redis_mode == "cluster" else 1)
    for name, load in before.redis.items():
        later = (now.redis or {})[name]
        assert load
        assert later
        assert later.commands > load.commands
        assert load.memory > 100_000


async def test_a_destination_that_fails_says_why(system: System) -> None:
    state, bob = system.state, await system.person("bob").id()
    await destinations.add(state.postgres, "shop", "https://127.0.0.1:1/hooks", [], [], ["whsec_" + "c2VjcmV0" * 4])
    await follow(system.person("alice"), bob)
    await system.drain()
    await send_all(system)

    async with connected(system.settings) as stores:
        assert stores
        found = (await stores.read()).destinations

    assert found
    assert [(one.name, one.state) for one in found] == [("shop", DestinationState.ACTIVE)]
    assert found[0].reason
    assert found[0].reason.startswith("private address")


@standalone
async def test_a_store_that_does_not_answer_is_none_and_the_others_answer(
    make_settings: Callable[..., Settings], two_redis: tuple[Valkey, Valkey]
) -> None:
    state, cache = two_redis
    stores = Stores(make_settings(redis_url=state.url, cache_url=cache.url, database_url="postgresql://127.0.0.1:1/x"))
    try:
        first = await stores.read()
        cache.stop()
        second = await stores.read()
    finally:
        await stores.close()
        cache.start()

    assert (first.postgres, first.partitions, first.destinations, first.writes_directly) == (None,) * 4
    assert first.redis
    assert all(first.redis.values())
    assert first.cache
    assert all(first.cache.values())
    assert second.cache is not None
    assert list(second.cache.values()) == [None]


async def test_without_settings_no_store_is_asked() -> None:
    async with connected(None) as stores:
        assert stores is None
