"""Earlier decisions about an author: texts of authors who were rejected often wait for a moderator."""

from collections.abc import Callable

from settings import Settings
from tests.features.moderation_rules.judging import judged, unread_events
from tests.support import reports
from tests.support.external_reviewer import json_response, listening, review_all
from tests.support.posts import decide, publish, published, waiting
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import LENIENT, from_address, running

REASON = "2 posts of the author were rejected within 30 days"
OFTEN = LENIENT.model_copy(update={"rejections": 2})


@standalone
async def test_submissions_of_an_often_rejected_author_wait(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=OFTEN)) as system:
        alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
        first, second, third = await published(alice, "1", "2", "3")
        await system.drain()
        for post in (first, second, first):
            await decide(mia, post, "REJECT")
            await system.drain()
        await published(alice, "4")
        await published(bob, "5")
        await system.drain()
        assert await waiting(mia) == [("4", REASON)]

        await decide(mia, first, "APPROVE")
        await system.drain()
        await published(alice, "6")
        await system.drain()
        assert await waiting(mia) == [("4", REASON)]

        await decide(mia, third, "REJECT")
        await system.drain()
        await execute(system, "UPDATE moderation_log SET moment = moment - (31::bigint * 86400000 << 10)")
        await published(alice, "7")
        await system.drain()
        assert await waiting(mia) == [("4", REASON)]


@standalone
async def test_rejections_in_the_same_batch_count(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=OFTEN)) as system:
        alice = system.person("alice")
        await published(alice, "buy followers", "casino bonus 1", "casino bonus 2", "hello")
        await system.drain()

        found = await system.rows("SELECT text, status, reason FROM posts WHERE text = 'hello'")
        rejected = await system.rows("SELECT count(*) FROM posts WHERE status = 2")
        assert (found, rejected) == ([("hello", 0, REASON)], [(2,)])


@standalone
async def test_decisions_after_a_submission_do_not_change_its_verdict(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=OFTEN)) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        first, second = await published(alice, "1", "2")
        await system.drain()
        await decide(mia, first, "REJECT")
        await system.drain()
        await published(alice, "3", "4")
        events = await unread_events(system)
        before = await judged(system, events)

        await system.drain()
        await decide(mia, second, "REJECT")
        await system.drain()

        assert await judged(system, events) == before == [("APPROVED", None)] * 2


@standalone
async def test_the_reviewer_gets_all_facts(make_settings: Callable[..., Settings]) -> None:
    async with listening() as server:
        rules = LENIENT.model_copy(update={"reviewer": server.settings()})
        async with running(make_settings(moderation=rules)) as system:
            server.answer = json_response({"decision": "approve"})
            alice = from_address(system, "alice", "2001:db8::7", device_id="a-phone")
            bob, mia = system.person("bob"), system.person("mia", "moderate")
            (first,) = await published(alice, "1")
            await review_all(system)
            await reports.reported(bob, first)
            await reports.reported(bob, await alice.id())
            await system.drain()
            await reports.resolve(mia, first, "REMOVE")
            await reports.resolve(mia, await alice.id(), "ACCEPT")
            await system.drain()
            await publish(alice, "2", "cats")
            await review_all(system)

            before, after = (request.json for request in server.requests)
            assert before["client"] == after["client"] == {"network": "2001:db8::/64", "device": "a-phone"}
            assert (before["business"], after["topics"]) == ("post", ["cats"])
            counts = [(one["author"]["rejections"], one["author"]["acceptedReports"]) for one in (before, after)]
            assert counts == [(0, 0), (1, 2)]
            assert 0 <= after["author"]["accountAgeSeconds"] < 600
