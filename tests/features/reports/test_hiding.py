"""hide_reported: posts and comments with many reports are hidden until a moderator decides."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from settings import ModerationSettings, Settings
from tests.support import appeals, comments, notices, reports
from tests.support.posts import edit, published
from tests.support.reconciliation import drift
from tests.support.system import LENIENT, LIMITLESS, System, running
from workers.hide_reported import hide_reported

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
STATUS = "query ($id: ID!) { node(id: $id) { ... on Post { auditStatus } ... on Comment { auditStatus } } }"
LOG = "query ($id: ID!) { moderationLog(targetId: $id) { nodes { action role actor { handle } reason } } }"
REPORTERS = "bob", "carol", "dave"


@pytest_asyncio.fixture
async def hiding(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Runs a system in which a weight of 160 hides posts and comments on posts. Three users of one network have 175."""
    moderation = LENIENT.model_copy(update={"hide_reported": {"post": 160}})
    async with running(make_settings(limits=LIMITLESS, moderation=moderation)) as system:
        yield system


async def step(system: System) -> None:
    """Stores everything, hides what is reported, and stores that."""
    await system.drain()
    await hide_reported(system.state, lambda: True)
    await system.drain()


async def seen(system: System, target: str, handle: str | None = None) -> Any:
    """Returns the status of a post or comment as a user or an anonymous client sees it, None if it is hidden."""
    node = (await system.person(handle).ask(STATUS, id=target))["node"]
    return node and node["auditStatus"]


async def all_report(system: System, target: str, count: int = 3) -> None:
    for handle in REPORTERS[:count]:
        await reports.reported(system.person(handle), target)


async def test_notices_hide_nothing_also_those_of_trusted_flaggers(hiding: System) -> None:
    (post,) = await published(hiding.person("alice"), "hello")
    await hiding.drain()
    for flagger in ("eve", "mallory"):
        await notices.sent(hiding.person(flagger, "notices:trusted"), post)
    await all_report(hiding, post, 2)
    await step(hiding)
    assert await seen(hiding, post) == "APPROVED"
    await all_report(hiding, post)
    await step(hiding)
    assert await seen(hiding, post) is None
    assert await drift(hiding) == {}


async def test_enough_reports_hide_a_post_and_a_comment_until_a_moderator_decides(hiding: System) -> None:
    alice, mia = hiding.person("alice"), hiding.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await hiding.drain()
    comment = await comments.added(alice, post, "so true")
    await hiding.drain()
    for target in (comment, post):
        await all_report(hiding, target, 2)
        await step(hiding)
        assert await seen(hiding, target) == "APPROVED"
        await all_report(hiding, target)
        await step(hiding)
        assert await seen(hiding, target) is None
        assert await seen(hiding, target, "alice") == "PENDING"
    assert await hide_reported(hiding.state, lambda: True) == 0
    edges = await reports.queue(mia)
    assert {(edge["node"]["id"], *edge["case"]["sources"]) for edge in edges} == {
        (target, "RULES", "REPORTS") for target in (post, comment)
    }
    (line,) = (await mia.ask(LOG, id=post))["moderationLog"]["nodes"]
    assert line == {"action": "HELD", "role": "RULES", "actor": None, "reason": "reported by several users"}
    assert await drift(hiding) == {}

    for target in (post, comment):
        assert await appeals.decide(mia, target, "APPROVE") == []
    await hiding.drain()
    for target in (post, comment):
        await all_report(hiding, target)
        await step(hiding)
        assert await seen(hiding, target) == "APPROVED"
    await edit(alice, post, text="hello again")
    await step(hiding)
    assert await seen(hiding, post) is None


async def test_reports_of_new_accounts_and_of_other_businesses_hide_nothing(
    make_settings: Callable[..., Settings],
) -> None:
    moderation = ModerationSettings(hide_reported={"post": 160})
    async with running(make_settings(limits=LIMITLESS, moderation=moderation)) as system:
        alice = system.person("alice")
        (post,) = await published(alice, "hello")
        await system.drain()
        await all_report(system, post)
        await step(system)
        assert await seen(system, post) == "APPROVED"
    lenient = LENIENT.model_copy(update={"hide_reported": {"article": 160}})
    async with running(make_settings(limits=LIMITLESS, moderation=lenient)) as system:
        await all_report(system, post)
        await step(system)
        assert await seen(system, post) == "APPROVED"


async def test_a_decision_to_hide_that_crosses_an_approval_has_no_effect(hiding: System) -> None:
    alice, mia = hiding.person("alice"), hiding.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await hiding.drain()
    await all_report(hiding, post)
    await hiding.drain()
    assert await hide_reported(hiding.state, lambda: True) == 1
    assert await hide_reported(hiding.state, lambda: True) == 0  # it is in the journal
    assert await hide_reported(hiding.state, lambda: False) == 0
    assert await appeals.decide(mia, post, "APPROVE") == []
    await hiding.drain()
    assert await seen(hiding, post) == "APPROVED"
    assert await reports.queue(mia) == []
    assert await drift(hiding) == {}


async def test_a_decision_to_hide_that_crosses_a_dismissal_has_no_effect(hiding: System) -> None:
    alice, mia = hiding.person("alice"), hiding.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await hiding.drain()
    await all_report(hiding, post)
    await hiding.drain()
    assert await hide_reported(hiding.state, lambda: True) == 1
    assert (await reports.resolve(mia, post, "DISMISS"))["userErrors"] == []
    await hiding.drain()
    assert await seen(hiding, post) == "APPROVED"
    assert await reports.queue(mia) == []


async def test_what_reports_hide_stays_hidden_after_an_edit(hiding: System) -> None:
    alice, mia = hiding.person("alice"), hiding.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await hiding.drain()
    await all_report(hiding, post)
    await step(hiding)
    await edit(alice, post, text="hello again")
    await hiding.drain()
    assert await seen(hiding, post) is None
    (edge,) = await reports.queue(mia)
    assert edge["case"]["sources"] == ["RULES", "REPORTS"]
    assert await drift(hiding) == {}
