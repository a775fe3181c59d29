"""How many bytes of outgoing events are kept."""

import pytest

from tests.support.outgoing import EVERY, to_stream
from tests.support.stores import standalone
from tests.support.system import System
from workers.outgoing import upkeep

pytestmark = standalone

_KEPT = "SELECT p, count(*), sum(octet_length(data) + 100) FROM outgoing_events GROUP BY p ORDER BY count(*)"


async def limit(system: System, keep_bytes: int) -> None:
    """Removes what this setting does not allow."""
    events = system.settings.events.model_copy(update={"keep_bytes": keep_bytes})
    object.__setattr__(system.state, "settings", system.settings.model_copy(update={"events": events}))
    await upkeep.sweep(system.state, EVERY)


@pytest.mark.parametrize("busy", [1, 3])
async def test_the_limit_holds_for_all_partitions_together(system: System, busy: int) -> None:
    """The partition of a user who causes more events than another may keep more of them."""
    await to_stream(system, "reaction.changed")
    for handle, count in (("alice", 10), ("bob", 10 * busy)):
        for video in await system.videos(*(f"{handle}-{n}" for n in range(count))):
            await system.person(handle).like(video)
    await system.drain()
    before = await system.rows(_KEPT)
    total = sum(int(size) for _, _, size in before)
    assert [count for _, count, _ in before] == [10, 10 * busy]

    await limit(system, total)
    assert await system.rows(_KEPT) == before

    await limit(system, total // 2)
    after = await system.rows(_KEPT)
    one = total // (10 + 10 * busy)
    assert sum(int(size) for _, _, size in after) <= total // 2 + 2 * one  # an event of each partition may exceed it
    assert [count >= 5 * share for (_, count, _), share in zip(after, (1, busy), strict=True)] == [True, True]
