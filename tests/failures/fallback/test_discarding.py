"""Operators discard what Redis has cached, after Postgres was restored (docs/operate/backup.md)."""

from store.write_log import write_mode
from tests.support.fallback_mode import begin, end
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import SEEN, System

pytestmark = standalone

EARLIER = "UPDATE modes SET since = since - interval '10 s'"
"""Lets the mode be as old as it must be before it can end."""


async def shown(system: System, video: str) -> tuple[str | None, int, int]:
    """Returns alice's reaction, and the number of likes as alice and as an anonymous client see it."""
    seen = (await system.person("alice").ask(SEEN, id=video))["node"]
    others = (await system.person(None).ask(SEEN, id=video))["node"]
    return seen["viewerReaction"], seen["likeCount"], others["likeCount"]


async def discard(system: System) -> None:
    """Discards caches, as `plaudit discard-caches` does, and lets a worker end direct writes."""
    await write_mode.discard_caches(system.state.postgres)
    await execute(system, EARLIER)
    await system.state.write_mode.refresh()
    assert system.state.write_mode.current.direct
    await end(system)


async def test_answers_agree_with_rows_that_were_replaced(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    assert await shown(system, video) == ("LIKE", 1, 1)
    await execute(system, "DELETE FROM reactions", "DELETE FROM counters")
    assert await shown(system, video) == ("LIKE", 1, 1), "cached"

    await discard(system)

    assert await shown(system, video) == (None, 0, 0)
    await system.person("alice").like(video)
    await system.drain()
    assert await shown(system, video) == ("LIKE", 1, 1)


async def test_journals_are_stored_although_the_restored_rows_say_that_they_are_drained(system: System) -> None:
    """The backup was made while writes were direct."""
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await begin(system)
    await execute(system, "UPDATE partitions SET drained = (SELECT generation FROM modes)")

    await discard(system)

    assert await shown(system, video) == ("LIKE", 1, 1)
    assert await system.rows("SELECT count(*) FROM reactions WHERE state = 1") == [(1,)]


async def test_caches_can_be_discarded_again(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await write_mode.discard_caches(system.state.postgres)
    ((first,),) = await system.rows("SELECT generation FROM modes")

    await discard(system)

    ((second,),) = await system.rows("SELECT generation FROM modes")
    assert second > first + 1, "one generation for the command, one for the end of direct writes"
    assert await shown(system, video) == ("LIKE", 1, 1)
