"""report and resolveReports: who may report what, what moderators see, and what reporters are told."""

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.moderation.verdicts import AuditStatus
from identity import auth
from store.content.patches import JUDGE, judgement
from store.content.posts import by_id
from store.moderation import cases
from store.postgres.client import Transaction
from store.write_log.operations import Operation
from tests.features.reports.scene import Scene
from tests.support import appeals, comments, posts, reports
from tests.support.boundaries import block
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.system import Person, System

PAGE = """query ($sort: CaseOrder!, $after: String) { moderationQueue(sort: $sort, after: $after, first: 1) {
  nodes { id } pageInfo { hasNextPage endCursor } } }"""


async def rejection_of(scene: Scene) -> Callable[[], Awaitable[Any]]:
    """Returns a function that appends a moderator's rejection of the present text of the post to the journal."""
    state, post_id = scene.system.state, int(scene.post.removeprefix("Post:"))
    row = (await by_id(state.postgres, [post_id]))[post_id]
    moderator = int((await scene.moderator.id()).removeprefix("User:"))
    entry = judgement(moderator, row, AuditStatus.REJECTED, "because")
    operation = Operation(("", secrets.token_hex(16)), "", 60_000)
    return lambda: state.patches.append(moderator, JUDGE, operation, entry)


async def test_a_report_opens_a_case_until_a_moderator_decides(system: System) -> None:
    scene = await Scene(system).made()
    for target in scene.targets:
        await reports.reported(scene.bob, target, "HATE", "look at this")
        await reports.reported(scene.carol, target)
    await system.drain()

    edges = await reports.queue(scene.moderator)
    assert [edge["node"]["id"] for edge in edges] == scene.targets
    for edge in edges:
        assert edge["reason"] is None
        assert edge["case"].pop("openedAt")
        assert edge["case"] == {
            "status": "OPEN",
            "sources": ["REPORTS"],
            "resolvedAt": None,
            "assignee": None,
            "assignedUntil": None,
            "appeal": None,
            "reportCount": 2,
            "reportReasons": [{"reason": "SPAM", "count": 1}, {"reason": "HATE", "count": 1}],
            "newestReports": [
                {"reason": "SPAM", "note": None, "reporter": {"handle": "carol"}},
                {"reason": "HATE", "note": "look at this", "reporter": {"handle": "bob"}},
            ],
            "author": {"handle": "alice"},
            "authorRecord": {
                "reportsReceivedCount": 8,
                "acceptedReportsReceivedCount": 0,
                "rejectedCount": 0,
                "warnedCount": 0,
                "suspendedCount": 0,
            },
        }

    for target, resolution in zip(scene.targets, ("REMOVE", "DISMISS", "ACCEPT", "DISMISS"), strict=True):
        payload = await reports.resolve(scene.moderator, target, resolution)
        assert payload == {"target": {"id": target}, "userErrors": []}
    await system.drain()

    assert await reports.queue(scene.moderator) == []
    outcomes = {
        target: f"Your report was {word}: decided"
        for target, word in zip(scene.targets, ("accepted", "dismissed", "accepted", "dismissed"), strict=True)
    }
    outcomes_for_bob = {(message, target) for target, message in outcomes.items()}
    hidden = {(outcomes[scene.post], None)}
    assert set(await reports.notified(scene.bob)) == outcomes_for_bob - {(outcomes[scene.post], scene.post)} | hidden
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
        assert (await reports.report(scene.bob, target))["userErrors"] == missing
        assert (await reports.resolve(scene.moderator, target, "DISMISS"))["userErrors"] == missing
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


async def test_the_queue_has_filters_orders_and_pages(system: System) -> None:
    scene = await Scene(system).made()
    (waiting,) = await published(scene.carol, "get rich quick")
    for target in scene.targets:
        await reports.reported(scene.bob, target)
    await reports.reported(scene.carol, scene.comment)
    await system.drain()
    everything = [waiting, *scene.targets]
    expected: list[tuple[dict[str, str], list[str]]] = [
        ({}, everything),
        ({"sort": "NEWEST"}, everything[::-1]),
        ({"source": "REPORTS"}, scene.targets),
        ({"source": "WORDS"}, [waiting]),
        ({"source": "RULES"}, []),
        ({"kind": "POST"}, [waiting, scene.post]),
        ({"kind": "COMMENT"}, [scene.comment]),
        ({"kind": "USER"}, [scene.user]),
        ({"kind": "ENTITY"}, [scene.video]),
        ({"business": "video"}, [scene.comment, scene.video]),
        ({"business": "post"}, [waiting, scene.post]),
        ({"business": "video", "kind": "ENTITY"}, [scene.video]),
    ]
    for wanted, found in expected:
        assert list(await reports.queued(scene.moderator, **wanted)) == found
    most = list(await reports.queued(scene.moderator, sort="MOST_REPORTED"))
    assert (most[0], most[-1], set(most)) == (scene.comment, waiting, set(everything))

    for sort in ("OLDEST", "NEWEST", "MOST_REPORTED"):
        whole = list(await reports.queued(scene.moderator, sort=sort))
        paged: list[str] = []
        after, page = None, {"pageInfo": {"hasNextPage": True}}
        while page["pageInfo"]["hasNextPage"]:
            page = (await scene.moderator.ask(PAGE, sort=sort, after=after))["moderationQueue"]
            paged += [node["id"] for node in page["nodes"]]
            after = page["pageInfo"]["endCursor"]
        assert paged == whole
    cursor = (await scene.moderator.ask(PAGE, sort="NEWEST", after=None))["moderationQueue"]["pageInfo"]["endCursor"]
    wrong = (await scene.moderator.send(PAGE, sort="OLDEST", after=cursor)).json()
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_CURSOR"
    wrong = (await scene.moderator.send(reports.QUEUE, sort="OLDEST", business="nothing")).json()
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_INPUT"


async def test_a_restricted_token_does_not_see_the_record_of_an_author(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    token = auth.mint(system.settings, "mia", scopes=["moderate"], businesses=["post"])
    restricted = Person(system.http, "mia", {"authorization": f"Bearer {token}"})

    for moderator, sees in ((scene.moderator, True), (restricted, False)):
        (edge,) = await reports.queue(moderator)
        assert edge["case"]["author"] == {"handle": "alice"}
        assert (edge["case"]["authorRecord"] is not None) == sees


async def test_an_edit_that_waits_again_keeps_one_case(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    await posts.edit(scene.alice, scene.post, text="get rich quick")
    await system.drain()
    (edge,) = await reports.queue(scene.moderator)
    assert (edge["case"]["sources"], edge["reason"] is None) == (["WORDS", "REPORTS"], False)
    await posts.edit(scene.alice, scene.post, text="harmless")
    await system.drain()
    (edge,) = await reports.queue(scene.moderator)
    assert edge["case"]["sources"] == ["REPORTS"]
    assert await drift(system, "cases") == {}


@standalone
async def test_a_flood_of_reports_is_one_case_with_one_update_per_batch(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = await Scene(system).made()
    executed = Counter[object]()
    execute = Transaction.execute

    async def counted(transaction: Transaction, statement: Any, **parameters: Any) -> Any:
        executed[statement] += 1
        return await execute(transaction, statement, **parameters)

    monkeypatch.setattr(Transaction, "execute", counted)
    for n in range(40):
        await reports.reported(system.person(f"r{n}"), scene.post)
    await system.drain()

    assert await reports.queued(scene.moderator) == {scene.post: 40}
    assert executed[cases._UPDATE] == 1
