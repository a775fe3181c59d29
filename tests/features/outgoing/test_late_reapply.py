"""Events of direct writes that are applied again after an older change has arrived from a journal."""

from itertools import permutations

from tests.support.fallback_mode import directly
from tests.support.guide import example
from tests.support.outgoing import received, short, to_stream
from tests.support.stores import standalone
from tests.support.system import System

CHANGED = "reaction.changed"


@standalone
async def test_a_reaction_that_is_applied_again_has_a_higher_version_than_the_direct_write(system: System) -> None:
    """While Redis is down, the direct write sees a dislike. Applied again, it sees the like from the journal."""
    await to_stream(system, CHANGED)
    alice, (video,) = system.person("alice"), await system.videos("v1")
    await alice.react("dislike", video)
    await system.drain()
    await alice.like(video)  # no worker stores this before Redis dies

    async with directly(system):
        await alice.react("undislike", video)
        ((stored,),) = await system.rows("SELECT state FROM reactions")
    events = await received(system)

    changes = [("NONE", "DISLIKE"), ("DISLIKE", "NONE"), ("NONE", "LIKE")]
    assert [short(event, "before", "after") for event in events] == [(CHANGED, *change) for change in changes]
    assert stored == 0
    versions = [int(event["version"]) for event in events]
    assert versions == sorted(set(versions))
    assert await system.rows("SELECT state, version FROM reactions") == [(1, versions[-1])]
    for order in permutations(events):
        copy = example("like_counts").LikeCounts()
        for event in order:
            copy.apply(event)
        assert copy.counts[video] == 1


@standalone
async def test_an_older_change_may_arrive_after_a_newer_one_of_the_same_user(system: System) -> None:
    await to_stream(system, CHANGED)
    alice, (first, second) = system.person("alice"), await system.videos("v1", "v2")
    await alice.like(first)  # no worker stores this before Redis dies

    async with directly(system):
        await alice.like(second)
    events = await received(system)

    assert [event["data"]["targetId"] for event in events] == [second, first]
    assert int(events[0]["version"]) > int(events[1]["version"])
    assert int(events[0]["position"]) < int(events[1]["position"])
