"""Reconciliation of the moderation queue with the posts and comments that wait, and with open reports."""

import pytest
from sqlalchemy import text

from tests.support import comments, reports
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


async def queued(system: System) -> tuple[Person, dict[str, int]]:
    """Lets a post and a comment wait for approval, and a post, a comment, a user and an entity be reported. Returns a
    moderator, and the numbers of reports in the queue.
    """
    alice, bob, moderator = system.person("alice"), system.person("bob"), system.person("mod", "moderate")
    (video,) = await system.videos("v1", owner="alice")
    post, _ = await published(alice, "hello", "get rich quick")
    comment = await comments.added(alice, video, "so true")
    await comments.added(alice, video, "get rich quick now")
    await system.drain()
    for target in (post, comment, video, await alice.id()):
        await reports.reported(bob, target)
    await system.drain()
    found = await reports.queued(moderator)
    assert sorted(found.values()) == [0, 0, 1, 1, 1, 1]
    return moderator, found


async def test_nothing_drifts_in_a_queue_that_was_never_damaged(system: System) -> None:
    await queued(system)
    assert await drift(system, "cases") == {}


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM cases",
        "UPDATE cases SET sources = 0",
        "UPDATE cases SET sources = 9",
        "UPDATE cases SET reports = 7",
        "UPDATE cases SET weight = 7",
        "DELETE FROM reports",
        "UPDATE reports SET status = 1",
        "UPDATE posts SET status = 1",
        "UPDATE posts SET status = 0",
        "UPDATE posts SET deleted = true",
        "UPDATE comment_contents SET status = 1",
        "UPDATE comment_contents SET status = 0",
    ],
)
async def test_cases_that_differ_are_repaired(system: System, damage: str) -> None:
    moderator, before = await queued(system)
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(damage))

    assert (await drift(system, "cases")).keys() == {"cases"}
    assert (await drift(system, "cases", repair=True)).keys() == {"cases"}

    assert await drift(system, "cases") == {}
    if "cases" in damage:
        assert await reports.queued(moderator) == before
