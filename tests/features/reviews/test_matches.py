"""The external reviewer recognizes known illegal content: it is rejected, kept under a legal hold, and blurred."""

from typing import Any

import pytest

from store.people import deletions as stored
from tests.features.reviews.later_decisions import approval, asked, status
from tests.support import comments, deletions, reports
from tests.support.aging import later, sweep
from tests.support.appeals import appeal
from tests.support.external_reviewer import Server, json_response, review_all
from tests.support.posts import MODERATION_MESSAGES, decide, delete, edit, publish, seen
from tests.support.reconciliation import execute
from tests.support.statements import decide as decide_appeal
from tests.support.statements import statements
from tests.support.stores import standalone
from tests.support.system import System

MATCH = {"decision": "match", "reason": "hash 12 of list 7"}
HOLDS = "SELECT reason FROM legal_holds"
LOG = "SELECT role, after, reason FROM moderation_log WHERE action = 3"
BLURRED = "{ moderationQueue { edges { node { id } case { isBlurred } } } }"
IMAGES = [{"url": "https://images.example.com/cat.png", "alt": "a cat"}]


async def matched(system: System, server: Server, **content: Any) -> str:
    """Lets the reviewer recognize a post of alice. Returns its id."""
    server.answer = json_response(MATCH)
    post_id = (await publish(system.person("alice"), "hello", **content))["post"]["id"]
    await review_all(system)
    return str(post_id)


async def blurred(system: System) -> dict[str, bool]:
    """Returns whether the cases of the queue are blurred, by target."""
    edges = (await system.person("mia", "moderate").ask(BLURRED))["moderationQueue"]["edges"]
    return {edge["node"]["id"]: edge["case"]["isBlurred"] for edge in edges}


async def test_matched_content_is_rejected_and_its_author_is_not_told_why(reviewed: System, server: Server) -> None:
    post_id = await matched(reviewed, server, images=IMAGES)

    alice = reviewed.person("alice")
    assert await seen(reviewed.person("bob"), post_id) is None
    assert (await seen(alice, post_id))["auditStatus"] == "REJECTED"
    assert await reviewed.rows(MODERATION_MESSAGES) == [("Your post was rejected: rejected by the reviewer",)]
    assert await reviewed.rows(LOG) == [(4, '{"status":"REJECTED","match":true}', "rejected by the reviewer")]
    assert await reviewed.rows(HOLDS) == [(f"{post_id}: hash 12 of list 7",)]
    (attachment,) = server.requests[-1].json["attachments"]
    assert (attachment["url"], attachment["alt"]) == (IMAGES[0]["url"], "a cat")


async def test_matched_content_is_kept_while_the_hold_stands(reviewed: System, server: Server) -> None:
    post_id = await matched(reviewed, server)
    alice = reviewed.person("alice")
    user_id = int((await alice.id()).removeprefix("User:"))
    await delete(alice, post_id)
    await reviewed.drain()
    await deletions.delete(alice)
    kept = later(reviewed.state, 1000, client_days=0, idempotency_days=0, notification_days=0)

    assert await deletions.step(reviewed) == 0
    await sweep(kept)
    assert await reviewed.rows("SELECT text FROM posts") == [("hello",)]

    await deletions.hold(reviewed, user_id, lifts=True)
    await sweep(kept)
    assert await reviewed.rows("SELECT text FROM posts") == [("",)]


async def test_a_second_match_adds_its_reason_to_the_hold(reviewed: System, server: Server) -> None:
    first = await matched(reviewed, server)
    (video,) = await reviewed.videos("v1")
    comment = await comments.added(reviewed.person("alice"), video, "hello there")
    await review_all(reviewed)

    assert await reviewed.rows(HOLDS) == [(f"{first}: hash 12 of list 7; {comment}: hash 12 of list 7",)]


async def test_a_case_about_matched_content_is_blurred_until_a_moderator_approves_it(
    reviewed: System, server: Server
) -> None:
    post_id = await matched(reviewed, server)
    await appeal(reviewed.person("alice"), post_id, "it is a cat")
    server.answer = json_response({"decision": "review"})
    other = (await publish(reviewed.person("bob"), "another"))["post"]["id"]
    await review_all(reviewed)
    assert await blurred(reviewed) == {post_id: True, other: False}

    await decide(reviewed.person("mia", "moderate"), post_id, "APPROVE")
    await reviewed.drain()
    await execute(reviewed, "UPDATE cases SET sources = 8 WHERE entity_id = :id", id=int(post_id.removeprefix("Post:")))
    assert (await blurred(reviewed))[post_id] is False


async def test_a_granted_complaint_of_a_reporter_does_not_unblur_a_case(reviewed: System, server: Server) -> None:
    server.answer = json_response({"decision": "approve"})
    post_id = (await publish(reviewed.person("alice"), "hello"))["post"]["id"]
    await review_all(reviewed)
    bob, mia, noa = reviewed.person("bob"), reviewed.person("mia", "moderate"), reviewed.person("noa", "moderate")
    await reports.report(bob, post_id)
    await reviewed.drain()
    await reports.resolve(mia, post_id, "DISMISS")
    await reviewed.drain()
    (statement,) = await statements(bob)
    assert (await appeal(bob, statement["id"]))["userErrors"] == []
    await reviewed.drain()
    server.answer = json_response(MATCH)
    await edit(reviewed.person("alice"), post_id, text="hello again")
    await review_all(reviewed)
    assert await blurred(reviewed) == {post_id: True}

    assert await decide_appeal(noa, statement["id"], "GRANT") == []
    await reviewed.drain()
    await execute(reviewed, "UPDATE cases SET sources = 8 WHERE entity_id = :id", id=int(post_id.removeprefix("Post:")))
    assert (await blurred(reviewed))[post_id] is True


async def test_a_match_can_come_later(reviewed: System, server: Server) -> None:
    post_id, decision = await asked(reviewed, server, reviewed.person("alice"))
    match = approval(server) | MATCH

    assert [await status(reviewed, match) for _ in range(2)] == [200, 200]
    await reviewed.drain()
    assert await status(reviewed, match) == 200
    assert await status(reviewed, decision) == 409

    assert await reviewed.rows(HOLDS) == [(f"{post_id}: hash 12 of list 7",)]


@pytest.mark.parametrize("decision", ["reject", "review", "approve"])
async def test_other_decisions_hold_nothing(reviewed: System, server: Server, decision: str) -> None:
    server.answer = json_response({"decision": decision})
    await publish(reviewed.person("alice"), "hello")
    await review_all(reviewed)

    assert await reviewed.rows(HOLDS) == []


@standalone
async def test_the_reasons_of_a_hold_have_a_bounded_length(reviewed: System) -> None:
    user_id = int((await reviewed.person("alice").id()).removeprefix("User:"))
    for number in range(60):
        async with reviewed.state.postgres.transaction() as transaction:
            await stored.hold_also(transaction, user_id, f"{number:04}" * 75, 1)
    ((reason,),) = await reviewed.rows(HOLDS)
    assert 9_000 < len(reason) <= stored.LONGEST_HOLD
    assert reason.startswith("0000" * 75 + "; 0001")
