"""The log of cache changes loses no change, and a relay never empties the state Redis."""

import pytest
from redis.exceptions import ResponseError

from store.cache.log import CacheLog, LogEntry, newest
from store.cache.repeated import begin
from store.keys import cache_log
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone


async def test_changes_stay_noted_when_the_server_refuses_an_entry(system: System) -> None:
    redis = system.state.redis
    log = CacheLog(redis, system.state.postgres, system.state.cache.redis)
    await redis("SET", cache_log(), "no stream", write=True)
    log.note([("DEL", "{one}")])
    with pytest.raises(ResponseError):
        await log.flush()

    await redis("DEL", cache_log(), write=True)
    await log.flush()

    entry = await newest(redis)
    assert entry
    assert entry.changes == [(b"DEL", b"{one}")]


async def test_the_state_redis_is_not_emptied(system: System) -> None:
    redis = system.state.redis
    await redis("SET", "{kept}", "1", write=True)

    with pytest.raises(ValueError, match="PLAUDIT_CACHE_URL"):
        await begin(redis, redis, LogEntry("1-1", 0, []), "")

    assert await redis("GET", "{kept}") == b"1"
