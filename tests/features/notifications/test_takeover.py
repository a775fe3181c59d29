"""The next worker delivers and publishes notifications that another worker left undelivered or unpublished."""

from store.notifications.delivery import deliver
from tests.support.journal_entries import Someone, someone
from tests.support.notifications import messages, unread
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import ready
from workers.persist import parsed
from workers.publish import publish


async def fans_of_two_partitions(system: System) -> list[Someone]:
    """Returns two users of different partitions. The user of the lower partition comes first."""
    first = await someone(system, "fan0")
    for n in range(1, 100):
        other = await someone(system, f"fan{n}")
        if other.partition != first.partition:
            return sorted((first, other), key=lambda fan: fan.partition)
    raise AssertionError


@standalone
async def test_all_recipients_are_notified_if_two_workers_publish_the_partitions_of_one_batch(system: System) -> None:
    """The untold events belong to the lower partition. The worker of the higher partition publishes first."""
    low, high = await fans_of_two_partitions(system)
    (hers,), (his,) = await system.videos("v1", owner="alice"), await system.videos("v2", owner="bob")
    alice, bob = system.person("alice"), system.person("bob")
    assert await unread(alice) == await unread(bob) == 0
    await low.person.like(hers)
    await high.person.like(his)
    worker = await ready(system)
    owned = dict(worker.owned)
    entries = await worker.read(owned)
    await worker._persist(owned, entries)
    events, _ = parsed(entries)
    assert await system.rows("SELECT p FROM untold") == [(low.partition,)]

    await publish(system.state, [event for event in events if event.partition == high.partition], set())
    assert await unread(bob) == 0
    await publish(system.state, [event for event in events if event.partition == low.partition], set())

    assert await messages(alice) == [f"{low.person.handle} liked your video."]
    assert await messages(bob) == [f"{high.person.handle} liked your video."]


@standalone
async def test_delivered_notifications_that_were_not_published_are_published_by_the_next_worker(system: System) -> None:
    (video,) = await system.videos("v1", owner="alice")
    alice = system.person("alice")
    assert await unread(alice) == 0
    await system.person("bob").like(video)
    worker = await ready(system)
    owned = dict(worker.owned)
    entries = await worker.read(owned)
    await worker._persist(owned, entries)
    events, _ = parsed(entries)
    await deliver(
        system.state.postgres, {event.partition for event in events}, system.state.keys.partition_of, kept=1000
    )
    assert await unread(alice) == 0

    await worker.step()

    assert await unread(alice) == 1
    assert await messages(alice) == ["bob liked your video."]
