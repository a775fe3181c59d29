"""Viewer.statements: what a person is told about each kind of restriction, and about the outcome of a report."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from domain.ids import wall_clock_ms
from settings import PremoderationSettings, Settings
from tests.support import comments, reports
from tests.support.boundaries import block
from tests.support.posts import delete, edit, published
from tests.support.statements import STATEMENTS, statements, told
from tests.support.suspensions import FAR, reinstate, suspend
from tests.support.system import LENIENT, Person, System, running
from workers.hide_reported import hide_reported
from workers.holds import explain_holds

MODERATE = """mutation ($id: ID!, $decision: ModerationDecision!, $ground: String) {
  moderate(input: {targetId: $id, decision: $decision, reason: "against the rules", ground: $ground}) {
    userErrors { code field } } }"""
RESOLVE = """mutation ($id: ID!, $resolution: ReportResolution!, $ground: String) {
  resolveReports(input: {targetId: $id, resolution: $resolution, reason: "decided", ground: $ground}) {
    userErrors { code field } } }"""
WARN = """mutation ($id: ID!, $ground: String, $key: String) {
  warnUser(input: {userId: $id, reason: "be kind", ground: $ground, idempotencyKey: $key}) {
    userErrors { code field } } }"""
LOG = "{ moderationLog { nodes { action ground { name } } } }"
MESSAGES = "{ viewer { notifications { nodes { kind message } } } }"
GROUNDS = "{ grounds { name kind title url reasons } }"
NODE = "query ($id: ID!) { node(id: $id) { ... on Statement { restriction } } }"


def later(system: System, seconds: int) -> None:
    """Lets the clock of the processes be later by so many seconds."""
    now = wall_clock_ms()
    object.__setattr__(system.state, "now_ms", lambda: now + seconds * 1000)


async def moderate(mia: Person, target: str, decision: str = "REJECT", ground: str | None = None) -> Any:
    return (await mia.ask(MODERATE, id=target, decision=decision, ground=ground))["moderate"]["userErrors"]


async def messages(person: Person) -> list[str]:
    nodes = (await person.ask(MESSAGES))["viewer"]["notifications"]["nodes"]
    return [node["message"] for node in nodes if node["kind"] in ("MODERATION", "REPORT")]


async def test_the_author_of_a_rejected_post_gets_a_statement(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (post,) = await published(alice, "buy this")
    await system.drain()

    assert await moderate(mia, post, ground="copyright") == []
    await system.drain()

    (statement,) = await statements(alice)
    ground = {"name": "copyright", "kind": "LAW", "title": "Copyright and trademarks", "url": None}
    assert statement["target"] == {"__typename": "Post", "id": post}
    assert (statement["restriction"], statement["ground"]) == ("REJECTED", ground)
    assert (statement["facts"], statement["foundBy"]) == ("against the rules", "OWN_INITIATIVE")
    assert (statement["isAutomated"], statement["endedAt"], statement["appeal"]) == (False, None, None)
    assert statement["appealUntil"] > statement["since"]
    assert await messages(alice) == ["Your post was rejected: against the rules (Copyright and trademarks)"]
    log = (await mia.ask(LOG))["moderationLog"]["nodes"]
    assert log == [{"action": "REJECTED", "ground": {"name": "copyright"}}]
    assert await told(system.person("bob")) == await told(mia) == []


async def test_an_approval_ends_the_statement_about_a_rejection(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (post,) = await published(alice, "buy this")
    await system.drain()
    for decision in ("REJECT", "APPROVE", "REJECT"):
        assert await moderate(mia, post, decision) == []
        await system.drain()

    newest, oldest = await statements(alice)
    assert (newest["endedAt"], oldest["endedAt"] > oldest["since"]) == (None, True)


@pytest.mark.parametrize("change", ["edit", "delete", "reject"])
async def test_a_change_of_rejected_content_ends_the_statement(system: System, change: str) -> None:
    alice, mia, noa = system.person("alice"), system.person("mia", "moderate"), system.person("noa", "moderate")
    (post,) = await published(alice, "buy this")
    await system.drain()
    await moderate(mia, post)
    await system.drain()

    if change == "edit":
        await edit(alice, post, text="something else")
    elif change == "delete":
        await delete(alice, post)
    else:
        await moderate(noa, post, ground="hate")
    await system.drain()

    ended = [(one["ground"]["name"], one["endedAt"] is not None) for one in await statements(alice)]
    assert ended == ([("hate", False)] if change == "reject" else []) + [("rules", True)]


async def test_a_rejection_and_its_end_in_one_batch(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (post,) = await published(alice, "buy this")
    await system.drain()
    await moderate(mia, post)
    await moderate(mia, post, "APPROVE")
    await system.drain()

    (statement,) = await statements(alice)
    assert statement["endedAt"] is not None


async def test_the_author_and_the_reporters_get_statements_about_reported_content(system: System) -> None:
    alice, bob, cleo, mia = *map(system.person, ("alice", "bob", "cleo")), system.person("mia", "moderate")
    (video,) = await system.videos("v1")
    comment = await comments.added(alice, video, "rude")
    await system.drain()
    for reporter in (bob, cleo):
        await reports.reported(reporter, comment)
    await system.drain()

    asked = {"id": comment, "resolution": "REMOVE", "ground": "harassment"}
    assert (await mia.ask(RESOLVE, **asked))["resolveReports"]["userErrors"] == []
    await system.drain()

    (statement,) = await statements(alice)
    assert (statement["restriction"], statement["foundBy"]) == ("REJECTED", "REPORTS")
    for reporter in (bob, cleo):
        (outcome,) = await statements(reporter)
        assert (outcome["restriction"], outcome["ground"]["name"]) == ("REPORT_ACCEPTED", "harassment")
        assert (outcome["facts"], outcome["appealUntil"]) == ("decided", None)
        assert await messages(reporter) == ["Your report was accepted: decided (Harassment, insults and threats)"]


async def test_reporters_get_statements_about_dismissed_reports(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post,) = await published(alice, "harmless")
    await system.drain()
    await reports.reported(bob, post)
    await system.drain()
    await reports.resolve(mia, post, "DISMISS")
    await system.drain()

    (outcome,) = await statements(bob)
    assert (outcome["restriction"], outcome["foundBy"]) == ("REPORT_DISMISSED", "REPORTS")
    assert outcome["appealUntil"] is not None
    assert await told(alice) == []

    await block(alice, await bob.id())
    await system.drain()
    (outcome,) = await statements(bob)
    assert outcome["target"] is None


async def test_what_rules_reject_is_automated(system: System) -> None:
    alice = system.person("alice")
    await published(alice, "a casino bonus for everyone")
    await system.drain()

    (statement,) = await statements(alice)
    assert (statement["restriction"], statement["foundBy"]) == ("REJECTED", "AUTOMATED")
    assert (statement["isAutomated"], statement["ground"]["name"]) == (True, "rules")
    assert statement["facts"].startswith("has a word that is not allowed")


async def test_authors_get_statements_about_comments_that_others_delete(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post,) = await published(alice, "a post")
    await system.drain()
    one, two, three = [await comments.added(bob, post, text) for text in ("one", "two", "three")]
    await system.drain()
    for person, comment in ((alice, one), (mia, two), (bob, three)):
        await comments.delete(person, comment)
    await system.drain()

    found = [(one["restriction"], one["target"], one["facts"]) for one in await statements(bob)]
    by_owner = "The owner of the post or object that you commented on deleted your comment."
    by_moderator = "A moderator deleted your comment."
    assert sorted(found) == [("DELETED", None, by_moderator), ("DELETED", None, by_owner)]
    assert sorted(await messages(bob)) == [by_moderator, by_owner]


async def test_suspensions_and_warnings_are_explained(system: System) -> None:
    bob, mia = system.person("bob"), system.person("mia", "moderate")
    b = await bob.id()
    assert (await mia.ask(WARN, id=b, ground="hate"))["warnUser"]["userErrors"] == []
    await suspend(mia, b, "READ_ONLY", until=FAR, reason="insults", ground="harassment")
    await system.drain()

    suspended, warned = await statements(bob)
    assert (suspended["restriction"], suspended["facts"], suspended["until"]) == ("SUSPENDED", "insults", FAR)
    assert suspended["target"] == {"__typename": "User", "id": b}
    assert (warned["restriction"], warned["ground"]["name"], warned["until"]) == ("WARNED", "hate", None)
    assert set(await messages(bob)) == {
        "A moderator suspended your account: insults",
        "A moderator warned you: be kind (Hatred against a group of people)",
    }

    await suspend(mia, b, "HIDDEN", reason="more insults")
    await system.drain()
    newest, replaced, _ = await statements(bob)
    assert (newest["facts"], newest["endedAt"], replaced["endedAt"] is None) == ("more insults", None, False)

    await reinstate(mia, b)
    await system.drain()
    newest, *_, warned = await statements(bob)
    assert (newest["endedAt"] is None, warned["endedAt"]) == (False, None)


async def test_a_suspension_that_has_reached_its_end_has_ended(system: System) -> None:
    bob, mia = system.person("bob"), system.person("mia", "moderate")
    await suspend(mia, await bob.id(), "READ_ONLY", until=FAR)
    await system.drain()

    object.__setattr__(system.state, "now_ms", lambda: 4_102_444_800_000)

    (statement,) = await statements(bob)
    assert statement["endedAt"] == statement["until"] == FAR


async def test_a_shadow_suspension_needs_a_ground_for_deceptive_content_and_is_not_told(system: System) -> None:
    bob, mia = system.person("bob"), system.person("mia", "moderate")
    b = await bob.id()
    refused = {"user": None, "userErrors": [{"code": "INVALID", "field": ["ground"]}]}
    assert await suspend(mia, b, "SHADOW", ground="hate") == refused
    await system.drain()
    assert await system.rows("SELECT suspended FROM users WHERE handle = 'bob'") == [(None,)]

    await suspend(mia, b, "READ_ONLY")
    assert (await suspend(mia, b, "SHADOW", ground="spam"))["userErrors"] == []
    await system.drain()

    (before,) = await statements(bob)
    assert before["endedAt"] is not None
    assert await messages(bob) == ["A moderator suspended your account: spam"]


@pytest.mark.parametrize("ground", ["nothing", "", "x" * 200])
async def test_an_unknown_ground_is_refused(system: System, ground: str) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (post,) = await published(alice, "harmless")
    await system.drain()
    refused = [{"code": "INVALID", "field": ["ground"]}]

    assert await moderate(mia, post, ground=ground) == refused
    assert (await mia.ask(WARN, id=await alice.id(), ground=ground))["warnUser"]["userErrors"] == refused
    asked = {"id": post, "resolution": "REMOVE", "ground": ground}
    assert (await mia.ask(RESOLVE, **asked))["resolveReports"]["userErrors"] == refused
    assert (await suspend(mia, await alice.id(), ground=ground or "-"))["userErrors"] == refused
    await system.drain()
    assert await system.rows("SELECT count(*) FROM statements") == [(0,)]


async def test_a_repeated_warning_with_another_ground_is_a_mismatch(system: System) -> None:
    bob, mia = await system.person("bob").id(), system.person("mia", "moderate")
    mismatch = ["IDEMPOTENCY_MISMATCH"]
    for ground, code in (("hate", []), ("hate", []), ("spam", mismatch), (None, mismatch)):
        errors = (await mia.ask(WARN, id=bob, ground=ground, key="k"))["warnUser"]["userErrors"]
        assert [error["code"] for error in errors] == code
    await system.drain()
    assert await system.rows("SELECT ground FROM statements") == [("hate",)]


async def test_a_stored_batch_that_is_stored_again_makes_no_second_statement(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post,) = await published(alice, "buy this")
    await system.drain()
    await reports.reported(bob, post)
    await moderate(mia, post)
    await suspend(mia, await bob.id())
    await system.drain()
    before = await system.rows("SELECT * FROM statements ORDER BY user_id, statement_id")
    await system.rows("UPDATE partitions SET head = 0 RETURNING p")

    await system.drain()

    assert await system.rows("SELECT * FROM statements ORDER BY user_id, statement_id") == before


async def test_pages_of_statements(system: System) -> None:
    bob, mia = system.person("bob"), system.person("mia", "moderate")
    for i in range(3):
        await mia.ask(WARN, id=await bob.id(), key=f"k{i}")
    await system.drain()

    first = (await bob.ask(STATEMENTS, first=2))["viewer"]["statements"]
    last = (await bob.ask(STATEMENTS, first=2, after=first["pageInfo"]["endCursor"]))["viewer"]["statements"]

    ids = [one["id"] for one in first["nodes"] + last["nodes"]]
    assert ids == [one["id"] for one in await statements(bob)]
    assert (first["pageInfo"]["hasNextPage"], last["pageInfo"]["hasNextPage"]) == (True, False)
    assert (await bob.ask(NODE, id=ids[0]))["node"] == {"restriction": "WARNED"}
    assert (await mia.ask(NODE, id=ids[0]))["node"] is None


async def test_the_grounds_have_an_order(system: System) -> None:
    grounds = (await system.person(None).ask(GROUNDS))["grounds"]

    assert [one["name"] for one in grounds] == [*system.settings.grounds]
    assert {one["kind"] for one in grounds} == {"LAW", "RULES"}
    assert all(one["reasons"] == [] for one in grounds)


async def test_a_long_hold_is_explained_once_and_ends(make_settings: Callable[..., Settings]) -> None:
    waits = {"premoderate": PremoderationSettings(businesses=("post", "video")), "statement_of_hold_hours": 1}
    async with running(make_settings(moderation=LENIENT.model_copy(update=waits), local_cache_seconds=0)) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        (video,) = await system.videos("v1")
        (post,) = await published(alice, "is this allowed?")
        comment = await comments.added(alice, video, "and this?")
        await system.drain()
        assert await explain_holds(system.state, lambda: True) == 0

        later(system, 3_700)
        assert await explain_holds(system.state, lambda: False) == 0
        assert await explain_holds(system.state, lambda: True) == 2
        assert await explain_holds(system.state, lambda: True) == 0

        found = await statements(alice)
        assert {(one["restriction"], one["target"]["id"]) for one in found} == {("HELD", post), ("HELD", comment)}
        assert {(one["isAutomated"], one["endedAt"], one["appealUntil"]) for one in found} == {(True, None, None)}
        assert len(await messages(alice)) == 2

        await system.rows("UPDATE posts SET content_version = content_version - (3700000::bigint << 20) RETURNING 1")
        sql = "UPDATE comment_contents SET content_version = content_version - (3700000::bigint << 20) RETURNING 1"
        await system.rows(sql)
        await system.empty_redis()
        assert await moderate(mia, post, "APPROVE") == await moderate(mia, comment, "REJECT") == []
        await system.drain()
        rejected, *held = await statements(alice)
        assert (rejected["restriction"], rejected["foundBy"], rejected["endedAt"]) == ("REJECTED", "AUTOMATED", None)
        assert all(one["endedAt"] for one in held)
        assert await explain_holds(system.state, lambda: True) == 0


async def test_the_statement_about_a_hold_ends_soon_after_an_edit(make_settings: Callable[..., Settings]) -> None:
    waits = {"premoderate": PremoderationSettings(businesses=("post",)), "statement_of_hold_hours": 1}
    async with running(make_settings(moderation=LENIENT.model_copy(update=waits), local_cache_seconds=0)) as system:
        alice, mia = system.person("alice"), system.person("mia", "moderate")
        (post,) = await published(alice, "is this allowed?")
        await system.drain()
        later(system, 3_700)
        assert await explain_holds(system.state, lambda: True) == 1

        await edit(alice, post, text="and this?")
        await system.drain()
        (before,) = await statements(alice)
        assert await moderate(mia, post, "APPROVE") == []
        await system.drain()

        (after,) = await statements(alice)
        assert (before["restriction"], before["endedAt"]) == ("HELD", None)
        assert after["endedAt"] is not None


async def test_a_hold_that_was_decided_meanwhile_is_not_explained(make_settings: Callable[..., Settings]) -> None:
    waits = {"premoderate": PremoderationSettings(businesses=("post",)), "statement_of_hold_hours": 0}
    async with running(make_settings(moderation=LENIENT.model_copy(update=waits), local_cache_seconds=0)) as system:
        alice = system.person("alice")
        await published(alice, "is this allowed?")
        await system.drain()
        await system.rows("UPDATE posts SET status = 1 RETURNING post_id")
        later(system, 10)

        assert await explain_holds(system.state, lambda: True) == 0
        assert await statements(alice) == []


async def test_the_statement_about_a_hold_has_the_time_of_the_hold(make_settings: Callable[..., Settings]) -> None:
    moderation = LENIENT.model_copy(update={"hide_reported": {"post": 120}, "statement_of_hold_hours": 1})
    async with running(make_settings(moderation=moderation, local_cache_seconds=0)) as system:
        alice = system.person("alice")
        (post,) = await published(alice, "is this allowed?")
        await system.drain()
        await reports.report(system.person("bob"), post)
        await system.drain()
        await system.rows("UPDATE cases SET moment = moment - (7200000::bigint << 10) RETURNING 1")  # two hours
        await reports.report(system.person("carol"), post)
        await system.drain()
        await hide_reported(system.state, lambda: True)
        await system.drain()
        assert await explain_holds(system.state, lambda: True) == 0

        later(system, 3_700)
        assert await explain_holds(system.state, lambda: True) == 1
        (one,) = await statements(alice)
        since = datetime.fromisoformat(one["since"]).timestamp()
        assert (one["restriction"], abs(time.time() - since) < 60) == ("HELD", True)
