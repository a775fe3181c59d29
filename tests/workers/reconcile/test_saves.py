"""Tests break saves that are derived from rows: reconciliation finds and repairs each."""

import pytest

from tests.support.reconciliation import drift, execute
from tests.support.saves import save, saved, seen, unsave
from tests.support.system import System

WRONG = {
    "a save that has no row": ("ZADD", "set", 1 << 50, "100:7"),
    "a save with another time": ("ZADD", "set", 5000, "first"),
    "a save in another collection": ("HSET", "states", "first", 77),
    "a save that is missing": ("ZREM", "set", "first"),
}


async def saves_of_alice(system: System) -> tuple[list[str], str]:
    """Lets alice save two videos. Returns their ids, and the key of her cached saves."""
    alice, videos = system.person("alice"), await system.videos("v1", "v2")
    await save(alice, *videos)
    await system.drain()
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    assert await saved(alice) == videos[::-1]
    return videos, system.state.keys.own_set("save", user)


@pytest.mark.parametrize("what", WRONG)
async def test_cached_saves_that_differ_from_rows_are_dropped(system: System, what: str) -> None:
    videos, key = await saves_of_alice(system)
    assert await drift(system, "sets") == {}
    ((entity,),) = await system.rows("SELECT entity_id FROM entities WHERE key = 'v1'")
    names = {"first": f"100:{entity}", "set": key, "states": key.replace(":own:", ":states:")}
    await system.state.redis(*[names.get(str(word), word) for word in WRONG[what]], write=True)

    for repair in (False, True):
        assert await drift(system, "sets", repair=repair) == {"cached_save": 1}
    assert await drift(system, "sets") == {}
    assert await saved(system.person("alice")) == videos[::-1]
    assert await drift(system, "sets") == {}


async def test_cached_saves_with_pending_changes_are_not_dropped(system: System) -> None:
    videos, key = await saves_of_alice(system)
    alice = system.person("alice")
    await unsave(alice, videos[0])
    await system.state.redis("ZADD", key, 5000, "100:7", write=True)

    assert await drift(system, "sets", repair=True) == {"cached_save": 1}
    assert await system.state.redis("EXISTS", key) == 1
    await system.drain()
    assert await drift(system, "sets", repair=True) == {"cached_save": 1}
    assert await drift(system, "sets") == {}
    assert await saved(alice) == videos[1:]


async def test_wrong_counters_of_saves_are_corrected(system: System) -> None:
    videos, _ = await saves_of_alice(system)
    await execute(system, "UPDATE counters SET value = 5, version = version + 1 WHERE kind = 13")

    assert await drift(system, "counters", repair=True) == {"saves": 2}
    assert await drift(system) == {}
    assert [await seen(system.person("alice"), id_) for id_ in videos] == [(1, True)] * 2
