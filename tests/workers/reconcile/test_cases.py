"""Reconciliation of the moderation queue with the posts and comments that wait, and with open reports."""

import pytest
from sqlalchemy import text

from tests.support import comments, reports
from tests.support.posts import published
from tests.support.reconciliation import drift, execute
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


@pytest.mark.parametrize(
    ("kind", "deletion"),
    [
        ("Post", "UPDATE posts SET deleted = true WHERE status = 1"),
        ("Comment", "UPDATE comment_contents SET deleted = true WHERE status = 1"),
    ],
)
async def test_open_reports_of_what_an_older_worker_deleted_are_closed(
    system: System, kind: str, deletion: str
) -> None:
    moderator, before = await queued(system)
    await execute(system, deletion)
    (target,) = [id_ for id_, count in before.items() if id_.startswith(kind) and count]

    assert await drift(system, "cases") == {"cases": 1}
    assert await drift(system, "cases", repair=True) == {"cases": 1}

    assert await drift(system, "cases") == {}
    del before[target]
    assert await reports.queued(moderator) == before
    ((told, _),) = await reports.notified(system.person("bob"))
    assert told == "What you reported was deleted."


async def test_cases_of_what_an_older_worker_decided_are_closed(system: System) -> None:
    moderator, before = await queued(system)
    await execute(
        system,
        "UPDATE posts SET status = 1 WHERE status = 0",
        "UPDATE comment_contents SET status = 2 WHERE status = 0",
    )

    assert await drift(system, "cases", repair=True) == {"cases": 2}

    assert await drift(system, "cases") == {}
    assert await reports.queued(moderator) == {target: count for target, count in before.items() if count}


async def test_missing_cases_get_the_moment_of_the_oldest_open_report(system: System) -> None:
    await queued(system)
    await reports.reported(system.person("carol"), await system.person("alice").id())
    await system.drain()
    before = await system.rows("SELECT * FROM cases ORDER BY business_id, entity_id")
    await execute(system, "DELETE FROM cases")

    await drift(system, "cases", repair=True)

    after = await system.rows("SELECT * FROM cases ORDER BY business_id, entity_id")
    assert [row[4] for row in after] == [row[4] for row in before]
