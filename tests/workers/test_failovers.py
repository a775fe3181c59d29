"""A failover of the database that loses commits: the entries are read, stored and published again."""

import time
from collections.abc import Callable

from models.counters import EntityRef
from models.likes import REACT
from settings import Settings
from tests.support.journal_entries import Someone, count_seen, head, neighbours, ref_of, someone, states
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import ready


@standalone
async def test_entries_that_a_failover_removed_from_the_database_are_read_again(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(journal_tail_seconds=60.0)) as system:
        (video,) = await system.videos("v1", owner="owen")
        alice, bob = await neighbours(system, 2)
        worker = await ready(system)
        await alice.person.like(video)
        await worker.step()
        before = await head(system, alice.partition)
        await bob.person.like(video)
        await worker.step()
        await forget_after(system, bob, before)

        # No client writes to this partition any more, so the worker must notice that without an entry.
        await worker.ownership.renew()
        await worker.step()

        assert await states(system) == {alice.user_id: 1, bob.user_id: 1}
        assert await system.rows("SELECT value FROM counters WHERE kind IN (1, 5)") == [(2,), (2,)]
        assert await count_seen(system.person(None), video) == 2


@standalone
async def test_changes_that_a_failover_removed_stay_pending_until_they_are_published_again(
    make_settings: Callable[..., Settings],
) -> None:
    """Without them, their author would see the state before the changes, and further changes would start from it."""
    async with running(make_settings(journal_tail_seconds=60.0)) as system:
        (video,) = await system.videos("v1", owner="owen")
        alice, ref = await someone(system, "alice"), await ref_of(system, video)
        worker = await ready(system)
        await alice.person.like(video)
        await worker.step()
        await forget_after(system, alice, 0)

        await worker.sweeper.sweep(time.monotonic() + system.settings.pending_seconds)
        assert await is_pending(system, alice, ref)
        await worker.ownership.renew()
        await worker.step()
        await worker.sweeper.sweep(time.monotonic())
        assert await is_pending(system, alice, ref)
        await worker.sweeper.sweep(time.monotonic() + system.settings.pending_seconds)
        assert not await is_pending(system, alice, ref)
        assert await count_seen(alice.person, video) == 1


async def is_pending(system: System, one: Someone, ref: EntityRef) -> bool:
    """Returns whether the reaction of a user to an entity is pending."""
    return (REACT, ref) in (await system.state.pending.get(one.user_id)).histories


async def forget_after(system: System, someone: Someone, version: int) -> None:
    """Changes rows to the state of a standby that never received a user's first change."""
    await system.rows("UPDATE partitions SET head = :v WHERE p = :p RETURNING p", p=someone.partition, v=version)
    await system.rows("DELETE FROM reactions WHERE user_id = :user RETURNING user_id", user=someone.user_id)
    await system.rows("DELETE FROM like_log WHERE user_id = :user RETURNING user_id", user=someone.user_id)
    await system.rows("UPDATE counters SET value = value - 1, version = version - (1000::bigint << 20) RETURNING kind")
