"""The external reviewer: posts that pass all rules wait for its verdict, which goes through the journal."""

from collections.abc import Callable

import pytest

from domain.errors import Unavailable
from settings import Settings
from tests.support.external_reviewer import ask_reviewer, json_response, listening, review_all, with_reviewer
from tests.support.fallback_mode import begin, end
from tests.support.posts import MODERATION_MESSAGES, decide, edit, publish, seen, waiting
from tests.support.system import running


@pytest.mark.parametrize(
    ("decision", "status", "messages"),
    [
        ("approve", "APPROVED", []),
        ("reject", "REJECTED", [("Your post was rejected: dull",)]),
        ("review", "PENDING", []),
    ],
)
async def test_the_external_reviewers_decision_is_applied(
    make_settings: Callable[..., Settings], decision: str, status: str, messages: list[tuple[str]]
) -> None:
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        server.answer = json_response({"decision": decision, "reason": "dull"})
        alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
        post_id = (await publish(alice, "hello", "cats"))["post"]["id"]
        await system.drain()
        assert await seen(bob, post_id) is None
        assert await waiting(mia) == [("hello", "waits for review")]

        assert await review_all(system) == 1

        assert (await seen(alice, post_id))["auditStatus"] == status
        assert (await seen(bob, post_id) is not None) == (status == "APPROVED")
        assert await waiting(mia) == ([("hello", "dull")] if status == "PENDING" else [])
        assert await system.rows(MODERATION_MESSAGES) == messages
        assert await review_all(system) == 0


async def test_a_post_that_was_edited_meanwhile_is_reviewed_in_its_newest_version(
    make_settings: Callable[..., Settings],
) -> None:
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        server.answer = json_response({"decision": "approve", "reason": "fine"})
        alice, bob = system.person("alice"), system.person("bob")
        post_id = (await publish(alice, "hello"))["post"]["id"]
        await system.drain()
        await edit(alice, post_id, text="hello again")

        assert await review_all(system) == 1

        assert (await seen(bob, post_id))["text"] == "hello again"
        assert len(server.requests) == 1


async def test_a_post_waits_for_a_moderator_if_the_reviewer_is_down(make_settings: Callable[..., Settings]) -> None:
    async with listening() as server:
        settings = with_reviewer(server)
    async with running(make_settings(moderation=settings)) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        await publish(alice, "hello")

        await review_all(system)

        assert await waiting(mia) == [("hello", "the reviewer gave no answer")]


@pytest.mark.parametrize("decided", ["before it was asked", "before it answered"])
async def test_a_later_verdict_of_the_reviewer_does_not_change_a_moderators_decision(
    make_settings: Callable[..., Settings], decided: str
) -> None:
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        server.answer = json_response({"decision": "approve", "reason": "fine"})
        alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
        post_id = (await publish(alice, "hello"))["post"]["id"]
        await system.drain()
        await decide(mia, post_id, "REJECT")
        if decided == "before it was asked":
            await system.drain()

        await review_all(system, drained=decided == "before it was asked")

        assert (await seen(alice, post_id))["auditStatus"] == "REJECTED"
        assert await seen(bob, post_id) is None


async def test_a_moderators_reason_does_not_start_a_review(make_settings: Callable[..., Settings]) -> None:
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        post_id = (await publish(alice, "hello"))["post"]["id"]
        await system.drain()
        await review_all(system)
        await decide(mia, post_id, "REJECT", "waits for review")

        assert await review_all(system) == 0


async def test_a_verdict_that_a_full_journal_refuses_is_requested_again(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        server.answer = json_response({"decision": "approve", "reason": "fine"})
        alice, bob = system.person("alice"), system.person("bob")
        post_id = (await publish(alice, "hello"))["post"]["id"]
        await system.drain()
        with monkeypatch.context() as full:
            full.setattr(system.state.patches, "_journal_bound", 0)
            with pytest.raises(Unavailable):
                await review_all(system)
        assert await seen(bob, post_id) is None

        await review_all(system)

        assert (await seen(bob, post_id))["auditStatus"] == "APPROVED"


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_reviewer_is_not_asked_while_writes_are_direct(make_settings: Callable[..., Settings]) -> None:
    """Without a journal, a verdict cannot be stored."""
    async with listening() as server, running(make_settings(moderation=with_reviewer(server))) as system:
        server.answer = json_response({"decision": "approve", "reason": "fine"})
        alice, bob = system.person("alice"), system.person("bob")
        await begin(system)
        post_id = (await publish(alice, "hello"))["post"]["id"]

        assert await ask_reviewer(system) == 0
        assert server.requests == []
        assert await seen(bob, post_id) is None

        await end(system)
        assert await review_all(system) == 1
        assert (await seen(bob, post_id))["auditStatus"] == "APPROVED"
