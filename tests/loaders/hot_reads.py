"""Reads that make keys hot, and the number of Redis commands that a read costs."""

from typing import Any

from store.cache.local import PANE_S
from tests.support.clocks import ManualClock
from tests.support.follows import follow
from tests.support.journal_entries import Someone, someone
from tests.support.system import Person, System

SECONDS, READS = 0.5, 10
"""The lifetime of a local copy, and the number of reads that makes a key hot."""
VIDEO = '{ entity(business: "video", key: "v1") { id title likeCount viewerReaction } }'
CARD = "query ($id: ID!) { node(id: $id) { ... on User { handle bio followerCount followingCount friendCount } } }"


async def heat(clock: ManualClock, reader: Person, query: str, **variables: Any) -> Any:
    """Sends the query until its keys are hot and in the local cache. Returns the last answer."""
    for _ in range(READS):
        await reader.ask(query, **variables)
    clock.now += PANE_S
    return await reader.ask(query, **variables)


async def card(reader: Person, user: Someone) -> Any:
    return (await reader.ask(CARD, id=f"User:{user.user_id}"))["node"]


async def star(system: System, followers: int = 3) -> Someone:
    """Returns a user with this many followers. The journal is drained."""
    star = await someone(system, "star")
    for i in range(followers):
        await follow(system.person(f"fan{i}"), f"User:{star.user_id}")
    await system.drain()
    return star


async def calls(system: System, command: str, reader: Person, query: str) -> int:
    """Returns how many times one request sends this command to Redis."""
    before = await _calls(system, command)
    await reader.ask(query)
    return await _calls(system, command) - before


async def _calls(system: System, command: str) -> int:
    stats: dict[str, Any] = await system.state.redis.client.info("commandstats")
    return int(stats.get(f"cmdstat_{command}", {"calls": 0})["calls"])
