"""report and resolveReports: who may report what, what decisions do, and what reporters are told."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from domain.moderation.verdicts import AuditStatus
from models.moderation_steps import JUDGE, judgement
from store.content.posts import by_id
from store.write_log.operations import Operation
from tests.support import appeals, comments, posts, reports
from tests.support.boundaries import block
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.report_scene import Scene
from tests.support.system import System

REFUSALS = """mutation ($id: ID!) {
  report(input: {targetId: $id, reason: SPAM}) { userErrors { message } }
  resolveReports(input: {targetId: $id, resolution: DISMISS, reason: "none"}) { userErrors { message } } }"""


async def rejection_of(scene: Scene) -> Callable[[], Awaitable[Any]]:
    """Returns a function that appends a moderator's rejection of the present text of the post to the journal."""
    state, post_id = scene.system.state, int(scene.post.removeprefix("Post:"))
    row = (await by_id(state.postgres, [post_id]))[post_id]
    moderator = int((await scene.moderator.id()).removeprefix("User:"))
    entry = judgement(moderator, row, AuditStatus.REJECTED, "because")
    operation = Operation(secrets.token_hex(16), "", 60_000)
    return lambda: state.patches.append(moderator, JUDGE, operation, entry)


async def test_a_report_opens_a_case_until_a_moderator_decides(system: System) -> None:
    scene = await Scene(system).made()
    for target in scene.targets:
        await reports.reported(scene.bob, target)
    await system.drain()
    assert list(await reports.queued(scene.moderator)) == scene.targets

    for target, resolution in zip(scene.targets, ("REMOVE", "DISMISS", "ACCEPT", "DISMISS"), strict=True):
        payload = await reports.resolve(scene.moderator, target, resolution)
        assert payload == {"target": {"id": target}, "userErrors": []}
    await system.drain()

    assert await reports.queue(scene.moderator) == []
    assert set(await reports.notified(scene.bob)) == {
        ("Your report was accepted: decided", None),  # the post, which bob cannot see now
        ("Your report was dismissed: decided", scene.comment),
        ("Your report was accepted: decided", scene.user),
        ("Your report was dismissed: decided", scene.video),
    }
    assert (await scene.bob.ask("query ($id: ID!) { node(id: $id) { id } }", id=scene.post))["node"] is None


async def test_a_second_report_of_a_reporter_replaces_the_first(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post, "SPAM", "first")
    await system.drain()
    await reports.reported(scene.bob, scene.post, "HATE", "second")
    await reports.reported(scene.bob, scene.post, "VIOLENCE", "third")
    await system.drain()

    (edge,) = await reports.queue(scene.moderator)
    assert edge["case"]["reportCount"] == 1
    assert edge["case"]["reportReasons"] == [{"reason": "VIOLENCE", "count": 1}]
    assert edge["case"]["newestReports"] == [{"reason": "VIOLENCE", "note": "third", "reporter": {"handle": "bob"}}]
    assert await drift(system, "cases") == {}


async def test_a_report_after_a_decision_opens_the_case_again(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await reports.resolve(scene.moderator, scene.post, "DISMISS")
    await system.drain()
    assert await reports.queued(scene.moderator) == {}
    await reports.reported(scene.bob, scene.post)
    await system.drain()

    assert await reports.queued(scene.moderator) == {scene.post: 1}
    assert await drift(system, "cases") == {}


async def test_repeated_requests_report_and_decide_once(system: System) -> None:
    scene = await Scene(system).made()
    for _ in range(2):
        assert (await reports.report(scene.bob, scene.post, key="k"))["userErrors"] == []
    await reports.resolve(scene.moderator, scene.post, "ACCEPT", key="d")
    await system.drain()
    await reports.reported(scene.carol, scene.post)
    await system.drain()
    assert (await reports.report(scene.bob, scene.post, key="k"))["userErrors"] == []
    assert (await reports.resolve(scene.moderator, scene.post, "ACCEPT", key="d"))["userErrors"] == []
    await system.drain()

    assert await reports.queued(scene.moderator) == {scene.post: 1}
    mismatch = [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]
    assert (await reports.report(scene.bob, scene.post, "HATE", key="k"))["userErrors"] == mismatch
    assert (await reports.resolve(scene.moderator, scene.post, "DISMISS", key="d"))["userErrors"] == mismatch


async def test_moderate_decides_the_reports_too(system: System) -> None:
    scene = await Scene(system).made()
    for target in (scene.post, scene.comment):
        await reports.reported(scene.bob, target)
    await posts.decide(scene.moderator, scene.post, "APPROVE")
    await comments.decide(scene.moderator, scene.comment, "REJECT")
    await system.drain()

    assert await reports.queued(scene.moderator) == {}
    assert {message for message, _ in await reports.notified(scene.bob)} == {
        "Your report was dismissed: because",
        "Your report was accepted: because",
    }


async def test_the_deletion_of_the_target_closes_its_reports(system: System) -> None:
    scene = await Scene(system).made()
    for target in (scene.post, scene.comment):
        await reports.reported(scene.bob, target)
    await system.drain()
    await posts.delete(scene.alice, scene.post)
    await comments.delete(scene.alice, scene.comment)
    await system.drain()

    assert await reports.queued(scene.moderator) == {}
    assert await reports.notified(scene.bob) == [("What you reported was deleted.", None)] * 2
    assert await drift(system, "cases") == {}


async def test_a_report_that_is_stored_after_the_deletion_is_closed(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await posts.delete(scene.alice, scene.post)
    await system.drain()

    assert await reports.queued(scene.moderator) == {}
    assert await reports.notified(scene.bob) == [("What you reported was deleted.", None)]
    assert await drift(system, "cases") == {}


async def test_a_user_reports_whom_they_block(system: System) -> None:
    scene = await Scene(system).made()
    await block(scene.bob, scene.user)
    for target in scene.targets:
        shown = {"id": target} if target == scene.video else None
        assert await reports.report(scene.bob, target) == {"target": shown, "userErrors": []}
    await system.drain()

    assert list(await reports.queued(scene.moderator)) == scene.targets


async def test_nobody_reports_what_they_may_not_report(system: System) -> None:
    scene = await Scene(system).made()
    await posts.delete(scene.alice, (await published(scene.alice, "gone"))[0])
    own = [{"code": "CANNOT_REPORT_SELF", "field": ["targetId"]}]
    for target in scene.targets:
        assert (await reports.report(scene.alice, target))["userErrors"] == own
    missing = [{"code": "TARGET_NOT_FOUND", "field": ["targetId"]}]
    for target in ("Post:1", "User:1", "Comment:2.1", "Entity:video:none", "Topic:cats", "Viewer:7"):
        may_be_hidden = target.startswith(("Post", "User", "Comment"))
        assert (await reports.report(scene.bob, target))["userErrors"] == ([] if may_be_hidden else missing)
        assert (await reports.resolve(scene.moderator, target, "DISMISS"))["userErrors"] == missing
    of_topic = [{"message": "There is no post, comment, entity, user or collection with this id."}]
    messages = await scene.moderator.ask(REFUSALS, id="Topic:cats")
    assert [one["userErrors"] for one in messages.values()] == [of_topic] * 2
    long = await reports.report(scene.bob, scene.post, note="x" * 1001)
    assert long["userErrors"] == [{"code": "TEXT_TOO_LONG", "field": ["note"]}]
    for target in (scene.user, scene.video):
        refused = await reports.resolve(scene.moderator, target, "REMOVE")
        assert refused["userErrors"] == [{"code": "INVALID", "field": ["resolution"]}]
    await system.drain()

    assert await system.rows("SELECT * FROM reports") == []
    assert await system.rows("SELECT * FROM cases") == []
    anonymous = (await system.person(None).send(reports.REPORT, id=scene.post, reason="SPAM")).json()
    assert [error["extensions"]["code"] for error in anonymous["errors"]] == ["UNAUTHENTICATED"]
    bob = (await scene.bob.send(reports.RESOLVE, id=scene.post, resolution="DISMISS")).json()
    assert [error["extensions"]["code"] for error in bob["errors"]] == ["FORBIDDEN"]


async def test_reporters_are_not_visible_to_the_reported_user(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post, "HATE", "a secret note")
    await reports.resolve(scene.moderator, scene.post, "REMOVE")
    await system.drain()

    shown = await scene.alice.ask(
        """query ($id: ID!) { node(id: $id) { id ... on Post { auditStatus } }
        viewer { notifications { nodes { kind message actors { handle } } } } }""",
        id=scene.post,
    )
    assert shown["node"]["auditStatus"] == "REJECTED"
    assert "secret" not in str(shown)
    assert "bob" not in str(shown)


async def test_a_moderator_neither_sees_nor_decides_reports_of_their_own_content(system: System) -> None:
    scene = await Scene(system).made()
    alice = system.person("alice", "moderate")
    for target in scene.targets:
        await reports.reported(scene.bob, target)
    await system.drain()

    assert await reports.queued(alice) == {}
    refused = [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
    for target in scene.targets:
        assert (await reports.resolve(alice, target, "DISMISS"))["userErrors"] == refused
    for target in (scene.post, scene.comment):
        assert await appeals.decide(alice, target, "APPROVE") == refused
    await system.drain()
    assert list(await reports.queued(scene.moderator)) == scene.targets


async def test_a_decision_about_an_older_text_closes_no_reports(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    decide = await rejection_of(scene)
    await posts.edit(scene.alice, scene.post, text="harmless")
    await system.drain()
    await decide()
    await system.drain()

    assert await reports.queued(scene.moderator) == {scene.post: 1}
    assert await reports.notified(scene.bob) == []
    assert await drift(system, "cases") == {}
