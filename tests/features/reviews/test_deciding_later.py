"""The external reviewer answers `later`, and sends its decision to `/reviews`."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from tests.features.reviews.later_decisions import approval, asked, send, status
from tests.support import comments
from tests.support.external_reviewer import Server, json_response, review_all, with_reviewer
from tests.support.fallback_mode import begin, end
from tests.support.posts import MODERATION_MESSAGES, decide, delete, edit, seen, waiting
from tests.support.stores import standalone
from tests.support.system import System, running

LOG = "SELECT action, role FROM moderation_log ORDER BY moment"
APPROVED, REJECTED, REVIEWER = 2, 3, 4


@pytest.mark.parametrize(
    ("decision", "becomes", "messages", "log"),
    [
        ("approve", "APPROVED", [], [(APPROVED, REVIEWER)]),
        ("reject", "REJECTED", [("Your post was rejected: dull",)], [(REJECTED, REVIEWER)]),
        ("review", "PENDING", [], [(1, REVIEWER)]),
    ],
)
async def test_a_later_decision_is_applied(
    reviewed: System, server: Server, decision: str, becomes: str, messages: list[Any], log: list[Any]
) -> None:
    alice, bob, mia = reviewed.person("alice"), reviewed.person("bob"), reviewed.person("mia", "moderate")
    post_id, approved = await asked(reviewed, server, alice)
    assert await seen(bob, post_id) is None
    assert await waiting(mia) == [("hello", "waits for review")]

    response = await send(reviewed, approved | {"decision": decision, "reason": "dull"})
    await reviewed.drain()

    assert (response.status_code, response.json()) == (200, {"status": "accepted"})
    assert (await seen(alice, post_id))["auditStatus"] == becomes
    assert await waiting(mia) == ([("hello", "dull")] if becomes == "PENDING" else [])
    assert await reviewed.rows(MODERATION_MESSAGES) == messages
    assert await reviewed.rows(LOG) == log


async def test_a_comment_gets_a_later_decision(reviewed: System, server: Server) -> None:
    alice, bob = reviewed.person("alice"), reviewed.person("bob")
    (video,) = await reviewed.videos("v1")
    comment_id = await comments.added(alice, video, "hello")
    await review_all(reviewed)

    assert approval(server)["kind"] == "comment"
    assert await status(reviewed, approval(server)) == 200
    await reviewed.drain()

    assert (await comments.seen(bob, comment_id))["text"] == "hello"


@standalone
async def test_a_reviewer_that_decides_later_is_not_asked_again(
    make_settings: Callable[..., Settings], server: Server
) -> None:
    settings = make_settings(moderation=with_reviewer(server), local_cache_seconds=0)
    async with running(settings) as system:
        _, approved = await asked(system, server, system.person("alice"))
        assert await review_all(system) == 0
    async with running(settings) as restarted:
        assert await review_all(restarted) == 0
        assert len(server.requests) == 1
        assert await status(restarted, approved) == 200


async def test_a_decision_that_is_sent_twice_has_an_effect_once(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    post_id, approved = await asked(reviewed, server, alice)
    rejected = approved | {"decision": "reject"}

    assert [await status(reviewed, approved) for _ in range(2)] == [200, 200]
    assert await status(reviewed, rejected) == 409  # the approval is not stored yet
    await reviewed.drain()
    assert [await status(reviewed, decision) for decision in (approved, rejected)] == [200, 409]
    await reviewed.drain()

    assert (await seen(alice, post_id))["auditStatus"] == "APPROVED"
    assert await reviewed.rows(LOG) == [(APPROVED, REVIEWER)]


async def test_of_contradicting_decisions_at_the_same_time_one_is_accepted(reviewed: System, server: Server) -> None:
    post_id, approved = await asked(reviewed, server, reviewed.person("alice"))
    decisions = [approved | {"decision": decision} for decision in ("approve", "reject") * 4]

    answers = await asyncio.gather(*[status(reviewed, decision) for decision in decisions])
    await reviewed.drain()

    winner = {decision["decision"] for decision, answer in zip(decisions, answers, strict=True) if answer == 200}
    assert sorted(answers) == [200] * 4 + [409] * 4
    assert (
        winner
        == {"APPROVED": {"approve"}, "REJECTED": {"reject"}}[
            (await seen(reviewed.person("alice"), post_id))["auditStatus"]
        ]
    )


async def test_an_edited_text_needs_a_new_decision(reviewed: System, server: Server) -> None:
    alice, bob = reviewed.person("alice"), reviewed.person("bob")
    post_id, approved = await asked(reviewed, server, alice)
    await edit(alice, post_id, text="hello again")
    assert await review_all(reviewed) == 1

    assert await status(reviewed, approved) == 409
    assert await status(reviewed, approval(server)) == 200
    await reviewed.drain()

    assert (await seen(bob, post_id))["text"] == "hello again"


@standalone
async def test_an_edit_that_is_not_stored_yet_wins(reviewed: System, server: Server) -> None:
    alice, bob = reviewed.person("alice"), reviewed.person("bob")
    post_id, approved = await asked(reviewed, server, alice)
    await edit(alice, post_id, text="hello again")

    assert await status(reviewed, approved) == 200  # the API does not know the edit
    await reviewed.drain()

    assert await seen(bob, post_id) is None


@pytest.mark.parametrize("stored", [True, False])
async def test_a_moderators_decision_wins(reviewed: System, server: Server, stored: bool) -> None:
    alice, mia = reviewed.person("alice"), reviewed.person("mia", "moderate")
    post_id, approved = await asked(reviewed, server, alice)
    await decide(mia, post_id, "REJECT")
    if stored:
        await reviewed.drain()

    assert await status(reviewed, approved) == (409 if stored else 200)
    await reviewed.drain()

    assert (await seen(alice, post_id))["auditStatus"] == "REJECTED"


@standalone
async def test_a_decision_about_nothing_is_not_found(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    post_id, approved = await asked(reviewed, server, alice)
    unknown = ({"id": "1"}, {"id": "9" * 19}, {"kind": "comment"})
    assert [await status(reviewed, approved | other) for other in unknown] == [404, 404, 404]
    assert await status(reviewed, approved | {"contentVersion": "9" * 19}) == 409

    await delete(alice, post_id)
    await reviewed.drain()
    assert await status(reviewed, approved) == 404


@standalone
async def test_what_does_not_wait_for_the_reviewer_is_not_decided(reviewed: System, server: Server) -> None:
    server.answer = json_response({"decision": "review"})
    alice = reviewed.person("alice")
    post_id, approved = await asked(reviewed, server, alice)

    refused = await send(reviewed, approved)

    assert refused.status_code == 409
    assert "a moderator must decide" in refused.json()["error"]
    await reviewed.drain()
    assert (await seen(alice, post_id))["auditStatus"] == "PENDING"


@standalone
async def test_decisions_are_refused_while_writes_are_direct(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    post_id, approved = await asked(reviewed, server, alice)
    await begin(reviewed)
    await reviewed.state.write_mode.refresh()

    refused = await send(reviewed, approved)

    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    await end(reviewed)
    assert await status(reviewed, approved) == 200
    await reviewed.drain()
    assert (await seen(alice, post_id))["auditStatus"] == "APPROVED"


@standalone
async def test_a_decision_that_a_full_journal_refuses_can_be_sent_again(
    reviewed: System, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    post_id, approved = await asked(reviewed, server, reviewed.person("alice"))
    with monkeypatch.context() as full:
        full.setattr(reviewed.state.patches, "_journal_bound", 0)
        assert await status(reviewed, approved) == 503

    assert await status(reviewed, approved) == 200
    await reviewed.drain()
    assert (await seen(reviewed.person("bob"), post_id))["auditStatus"] == "APPROVED"


@standalone
async def test_a_decision_before_the_answer_later_counts(reviewed: System, server: Server) -> None:
    async def decide_first(writer: asyncio.StreamWriter) -> None:
        assert await status(reviewed, approval(server)) == 200
        await json_response({"decision": "later"})(writer)

    server.answer = decide_first
    post_id, _ = await asked(reviewed, server, reviewed.person("alice"))

    assert (await seen(reviewed.person("bob"), post_id))["auditStatus"] == "APPROVED"
    assert await review_all(reviewed) == 0
