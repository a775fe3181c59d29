"""Reconciliation of appeals with the posts and comments that they are about, and with the moderation queue."""

import pytest

from tests.support import appeals, comments, reports
from tests.support.posts import published
from tests.support.reconciliation import drift, execute
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


async def appealed(system: System) -> tuple[Person, list[str]]:
    """Rejects a post and a comment, whose author appeals. Returns another moderator, and the two."""
    alice, mia, noa = system.person("alice"), system.person("mia", "moderate"), system.person("noa", "moderate")
    (video,) = await system.videos("v1")
    (post,) = await published(alice, "hello")
    targets = [post, await comments.added(alice, video, "so true")]
    await system.drain()
    for target in targets:
        assert await appeals.decide(mia, target, "REJECT") == []
    await system.drain()
    for target in targets:
        assert (await appeals.appeal(alice, target))["userErrors"] == []
    await system.drain()
    assert await shown(noa) == targets
    return noa, targets


async def shown(moderator: Person) -> list[str]:
    """Returns the targets with open appeals in the moderation queue."""
    return [edge["node"]["id"] for edge in await reports.queue(moderator, source="APPEALS")]


async def test_nothing_drifts_in_appeals_that_were_never_damaged(system: System) -> None:
    await appealed(system)
    assert await drift(system, "cases") == {}


@pytest.mark.parametrize(
    "damage", ["DELETE FROM cases", "UPDATE cases SET sources = 0", "UPDATE cases SET sources = 24"]
)
async def test_cases_of_appeals_are_repaired(system: System, damage: str) -> None:
    noa, targets = await appealed(system)
    await execute(system, damage)
    assert (await drift(system, "cases")).keys() == {"cases"}
    await drift(system, "cases", repair=True)
    assert await drift(system, "cases") == {}
    assert await shown(noa) == targets


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE {table} SET status = 1",
        "UPDATE {table} SET deleted = true",
        "UPDATE {table} SET content_version = content_version + 1",
        "UPDATE appeals SET status = 2",
    ],
)
async def test_appeals_about_other_content_are_closed(system: System, damage: str) -> None:
    noa, _ = await appealed(system)
    for table in ("posts", "comment_contents"):
        await execute(system, damage.format(table=table))
    assert (await drift(system, "cases")).keys() == {"cases"}
    await drift(system, "cases", repair=True)
    assert await drift(system, "cases") == {}
    assert await shown(noa) == []
    assert await system.rows("SELECT count(*) FROM appeals WHERE status = 0") == [(0,)]
