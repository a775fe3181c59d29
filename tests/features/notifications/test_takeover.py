"""What a worker has stored and not told, or told and not published, others tell and publish."""

from projections.events import parse
from store.notifications.delivery import deliver
from tests.support.journal_entries import Someone, someone
from tests.support.notifications import messages, unread
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import ready
from workers.publish import publish


async def apart(system: System) -> list[Someone]:
    """Two whose changes go through different partitions, the lower one first."""
    first = await someone(system, "fan0")
    for n in range(1, 100):
        other = await someone(system, f"fan{n}")
        if other.partition != first.partition:
            return sorted((first, other), key=lambda one: one.partition)
    raise AssertionError


@standalone
async def test_partitions_of_one_batch_that_go_to_two_workers_tell_everybody(system: System) -> None:
    """The batch's notices lie with the lower partition; whoever has the higher one publishes first."""
    low, high = await apart(system)
    (hers,), (his,) = await system.videos("v1", owner="alice"), await system.videos("v2", owner="bob")
    alice, bob = system.person("alice"), system.person("bob")
    assert await unread(alice) == await unread(bob) == 0
    await low.person.like(hers)
    await high.person.like(his)
    worker = await ready(system)
    owned = dict(worker.owned)
    entries = await worker.read(owned)
    await worker._persist(owned, entries)
    events = [parse(entry) for entry in entries]
    assert await system.rows("SELECT p FROM untold") == [(low.partition,)]

    await publish(system.state, [event for event in events if event.partition == high.partition], set())
    assert await unread(bob) == 0
    await publish(system.state, [event for event in events if event.partition == low.partition], set())

    assert await messages(alice) == [f"{low.person.handle} liked your video."]
    assert await messages(bob) == [f"{high.person.handle} liked your video."]


@standalone
async def test_what_was_told_and_not_published_is_published_by_the_next(system: System) -> None:
    (video,) = await system.videos("v1", owner="alice")
    alice = system.person("alice")
    assert await unread(alice) == 0
    await system.person("bob").like(video)
    worker = await ready(system)
    owned = dict(worker.owned)
    entries = await worker.read(owned)
    await worker._persist(owned, entries)
    events = [parse(entry) for entry in entries]
    await deliver(system.state.postgres, {event.partition for event in events}, kept=1000)
    assert await unread(alice) == 0

    await worker.step()

    assert await unread(alice) == 1
    assert await messages(alice) == ["bob liked your video."]
