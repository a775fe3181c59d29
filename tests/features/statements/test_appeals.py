"""appeal and decideAppeal: a person appeals against the decision in a statement of reasons, and another moderator
decides.
"""

from typing import Any

import pytest

from domain.ids import wall_clock_ms
from identity import auth
from tests.support import comments, exports, reports
from tests.support.appeals import appeal
from tests.support.appeals import decide as moderate
from tests.support.deletions import delete as delete_account
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.statements import APPEALED, appealed, decide, statements
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import suspend, suspension
from tests.support.system import Person, System

WARN = 'mutation ($id: ID!) { warnUser(input: {userId: $id, reason: "be kind"}) { userErrors { code field } } }'
MESSAGES = "{ viewer { notifications { nodes { kind message } } } }"
LOG = "{ moderationLog { nodes { action actor { handle } user { handle } } } }"
GRANT = """mutation ($id: ID!) {
  decideAppeal(input: {statementId: $id, decision: GRANT, reason: "x"}) { statement { id } } }"""


class Scene:
    """mia has suspended and warned bob; noa is another moderator."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.bob, self.alice = system.person("bob"), system.person("alice")
        self.mia, self.noa = system.person("mia", "moderate"), system.person("noa", "moderate")
        self.b = ""

    async def suspended(self, mode: str = "READ_ONLY") -> str:
        """Suspends bob. Returns the id of the statement."""
        self.b = await self.bob.id()
        await suspend(self.mia, self.b, mode)
        await self.system.drain()
        return str((await statements(self.bob))[0]["id"])

    async def warned(self) -> str:
        """Warns bob. Returns the id of the statement."""
        self.b = await self.bob.id()
        await self.mia.ask(WARN, id=self.b)
        await self.system.drain()
        return str((await statements(self.bob))[0]["id"])


async def messages(person: Person) -> list[str]:
    nodes = (await person.ask(MESSAGES))["viewer"]["notifications"]["nodes"]
    return [node["message"] for node in nodes if node["kind"] == "MODERATION"]


def refused(code: str, field: str = "targetId") -> list[Any]:
    return [{"code": code, "field": [field]}]


@pytest.mark.parametrize("decisions", [("DENY", "GRANT"), ("GRANT", "DENY")])
async def test_two_moderators_decide_at_once_and_the_suspension_follows_the_outcome(
    system: System, decisions: tuple[str, str]
) -> None:
    scene = Scene(system)
    statement = await scene.suspended()
    await appeal(scene.bob, statement)
    await system.drain()

    for name, decision in zip(("noa", "oli"), decisions, strict=True):
        await decide(system.person(name, "moderate"), statement, decision)
    await system.drain()

    (one, *_) = await statements(scene.bob)
    granted = one["appeal"]["status"] == "GRANTED"
    assert (await suspension(scene.mia, scene.b) is None) == granted == bool(one["endedAt"])


@standalone
async def test_a_token_that_is_restricted_to_businesses_reads_no_statement(system: System) -> None:
    scene = Scene(system)
    (post,) = await published(scene.bob, "buy this")
    await system.drain()
    await moderate(scene.mia, post, "REJECT")
    await system.drain()
    (statement,) = await statements(scene.bob)
    await appeal(scene.bob, statement["id"])
    await system.drain()

    def restricted(handle: str, *scopes: Any) -> Person:
        token = auth.mint(system.settings, handle, scopes=scopes, businesses=["post"])
        return Person(system.http, handle, {"authorization": f"Bearer {token}"})

    (edge,) = (await restricted("noa", "moderate").ask(APPEALED))["moderationQueue"]["edges"]
    assert edge["case"]["appealedStatements"] is None
    node = "query ($id: ID!) { node(id: $id) { id ... on Statement { facts restriction } } }"
    assert (await scene.bob.ask(node, id=statement["id"]))["node"]["id"] == statement["id"]
    for person in (restricted("bob"), restricted("noa", "moderate"), scene.noa):
        assert (await person.ask(node, id=statement["id"]))["node"] is None


async def test_an_appeal_lifts_no_newer_suspension(system: System) -> None:
    scene = Scene(system)
    statement = await scene.suspended()
    await appeal(scene.bob, statement)
    await system.drain()

    await suspend(scene.mia, scene.b, "HIDDEN")
    await decide(scene.noa, statement, "GRANT")
    await system.drain()

    assert (await suspension(scene.mia, scene.b))["mode"] == "HIDDEN"


@pytest.mark.parametrize("mode", ["READ_ONLY", "HIDDEN"])
async def test_a_suspended_user_appeals_and_is_reinstated(system: System, mode: str) -> None:
    scene = Scene(system)
    statement = await scene.suspended(mode)

    assert await appeal(scene.bob, statement) == {"target": {"id": statement}, "userErrors": []}
    await system.drain()
    assert await appealed(scene.noa) == [(scene.b, ["SUSPENDED"])]
    assert await appealed(scene.mia) == []
    (edge,) = (await scene.noa.ask(APPEALED))["moderationQueue"]["edges"]
    assert edge["case"]["appealedStatements"][0]["appeal"] == {"text": "please look again", "status": "OPEN"}
    assert edge["case"]["appealDeadline"] is not None
    assert (await appeal(scene.bob, statement))["userErrors"] == refused("ALREADY_APPEALED")
    assert await decide(scene.mia, statement, "GRANT") == refused("NOT_ALLOWED", "statementId")

    assert await decide(scene.noa, statement, "GRANT") == []
    assert await suspension(scene.noa, scene.b) is None  # at once
    await system.drain()

    (after,) = await statements(scene.bob)
    assert (after["appeal"]["status"], after["endedAt"] is None) == ("GRANTED", False)
    assert await appealed(scene.noa) == []
    assert (await messages(scene.bob))[0] == "Your appeal was granted: looked again"
    actions = [(one["action"], one["actor"]["handle"]) for one in (await scene.mia.ask(LOG))["moderationLog"]["nodes"]]
    assert sorted(actions) == [("APPEAL_GRANTED", "noa"), ("REINSTATED", "noa"), ("SUSPENDED", "mia")]
    assert (await appeal(scene.bob, statement))["userErrors"] == refused("ALREADY_APPEALED")
    assert await decide(scene.noa, statement, "DENY") == refused("NOT_ALLOWED", "statementId")


async def test_repeated_requests_get_the_first_outcome(system: System) -> None:
    scene = Scene(system)
    statement = await scene.warned()
    for _ in range(2):
        assert await appeal(scene.bob, statement, key="k1") == {"target": {"id": statement}, "userErrors": []}
        await system.drain()
    for _ in range(2):
        assert await decide(scene.noa, statement, "DENY", key="k2") == []
        await system.drain()

    assert (await messages(scene.bob)).count("Your appeal was denied: looked again") == 1
    assert await decide(scene.noa, statement, "GRANT", key="k3") == refused("NOT_ALLOWED", "statementId")


async def test_a_denied_appeal_leaves_the_suspension(system: System) -> None:
    scene = Scene(system)
    statement = await scene.suspended()
    await appeal(scene.bob, statement)
    await system.drain()

    assert await decide(scene.noa, statement, "DENY") == []
    await system.drain()

    assert (await suspension(scene.noa, scene.b))["mode"] == "READ_ONLY"
    (after,) = await statements(scene.bob)
    assert (after["appeal"]["status"], after["endedAt"]) == ("DENIED", None)
    assert await appealed(scene.noa) == []


async def test_an_appeal_against_a_replaced_suspension_does_not_end_the_new_one(system: System) -> None:
    scene = Scene(system)
    statement = await scene.suspended()
    await appeal(scene.bob, statement)
    await system.drain()
    await suspend(scene.mia, scene.b, "HIDDEN")
    await system.drain()

    assert await decide(scene.noa, statement, "GRANT") == []
    await system.drain()

    assert (await suspension(scene.noa, scene.b))["mode"] == "HIDDEN"


async def test_two_appeals_of_a_user_are_one_case(system: System) -> None:
    scene = Scene(system)
    warned = await scene.warned()
    suspended = await scene.suspended()
    for statement in (warned, suspended):
        await appeal(scene.bob, statement)
    await system.drain()
    assert await appealed(scene.noa) == [(scene.b, ["WARNED", "SUSPENDED"])]

    assert await decide(scene.noa, warned, "GRANT") == []
    await system.drain()
    assert await appealed(scene.noa) == [(scene.b, ["SUSPENDED"])]

    assert await decide(scene.noa, suspended, "DENY") == []
    await system.drain()
    assert await appealed(scene.noa) == []


async def test_a_deleted_comment_can_be_appealed(system: System) -> None:
    scene = Scene(system)
    (post,) = await published(scene.alice, "a post")
    await system.drain()
    comment = await comments.added(scene.bob, post, "rude")
    await system.drain()
    await comments.delete(scene.mia, comment)
    await system.drain()
    (statement,) = await statements(scene.bob)

    assert (await appeal(scene.bob, statement["id"]))["userErrors"] == []
    await system.drain()
    assert await appealed(scene.noa) == [(comment, ["DELETED"])]
    assert await decide(scene.noa, statement["id"], "GRANT") == []
    await system.drain()

    (after,) = await statements(scene.bob)
    assert (after["appeal"]["status"], after["endedAt"] is None) == ("GRANTED", False)
    assert await appealed(scene.noa) == []


@pytest.mark.parametrize(
    ("how", "outcome", "status"),
    [
        ("ACCEPT", "GRANTED", 1),
        ("REMOVE", "GRANTED", 1),
        ("DISMISS", "DENIED", 2),
        ("GRANT", "GRANTED", 1),
        ("DENY", "DENIED", 2),
    ],
)
async def test_a_reporter_complains_about_a_dismissal(system: System, how: str, outcome: str, status: int) -> None:
    scene = Scene(system)
    (post,) = await published(scene.alice, "a post")
    await system.drain()
    await reports.reported(scene.bob, post)
    await system.drain()
    await reports.resolve(scene.mia, post, "DISMISS")
    await system.drain()
    (statement,) = await statements(scene.bob)
    assert (await appeal(scene.bob, statement["id"]))["userErrors"] == []
    await system.drain()
    assert await appealed(scene.noa) == [(post, ["REPORT_DISMISSED"])]

    await reports.resolve(scene.mia, post, "ACCEPT")  # mia made the decision, so this decides nothing
    await system.drain()
    assert await appealed(scene.noa) == [(post, ["REPORT_DISMISSED"])]

    if how in ("GRANT", "DENY"):
        assert await decide(scene.noa, statement["id"], how) == []
    else:
        assert (await reports.resolve(scene.noa, post, how))["userErrors"] == []
    await system.drain()

    (after,) = await statements(scene.bob)
    assert after["appeal"]["status"] == outcome
    assert await appealed(scene.noa) == []
    assert await system.rows("SELECT status FROM reports") == [(status,)]


async def test_a_rejection_can_be_appealed_by_its_statement(system: System) -> None:
    scene = Scene(system)
    (post,) = await published(scene.bob, "buy this")
    await system.drain()
    assert await moderate(scene.mia, post, "REJECT") == []
    await system.drain()
    (statement,) = await statements(scene.bob)

    assert await appeal(scene.bob, statement["id"]) == {"target": {"id": statement["id"]}, "userErrors": []}
    await system.drain()
    assert await appealed(scene.noa) == [(post, ["REJECTED"])]
    for target in (post, statement["id"]):
        assert (await appeal(scene.bob, target))["userErrors"] == refused("ALREADY_APPEALED")
    assert await decide(scene.noa, statement["id"], "GRANT") == refused("NOT_ALLOWED", "statementId")
    assert await moderate(scene.noa, post, "APPROVE") == []
    await system.drain()

    (after,) = await statements(scene.bob)
    assert (after["appeal"]["status"], after["endedAt"] is None) == ("GRANTED", False)


async def test_an_appeal_in_the_batch_of_the_rejection_is_in_the_statement(system: System) -> None:
    scene = Scene(system)
    (post,) = await published(scene.bob, "buy this")
    await system.drain()
    assert await moderate(scene.mia, post, "REJECT") == []
    await system.drain()
    await appeal(scene.bob, post)
    assert await moderate(scene.noa, post, "REJECT") == []
    await system.drain()

    *_, first = await statements(scene.bob)
    assert first["appeal"] == {"text": "please look again", "status": "DENIED"}


async def test_a_complaint_stays_open_when_a_content_appeal_is_decided(system: System) -> None:
    scene = Scene(system)
    (post,) = await published(scene.alice, "a post")
    await system.drain()
    await reports.reported(scene.bob, post)
    await system.drain()
    await reports.resolve(scene.mia, post, "DISMISS")
    await system.drain()
    (statement,) = await statements(scene.bob)
    await appeal(scene.bob, statement["id"])
    await system.drain()
    assert await moderate(scene.mia, post, "REJECT") == []
    await system.drain()
    await appeal(scene.alice, post)
    await system.drain()
    assert await appealed(scene.noa) == [(post, ["REPORT_DISMISSED", "REJECTED"])]

    assert await moderate(scene.noa, post, "APPROVE") == []
    await system.drain()

    assert await appealed(scene.noa) == []
    (after,) = await statements(scene.bob)
    assert after["appeal"]["status"] == "DENIED"


async def test_appeals_that_are_not_possible(system: System) -> None:
    scene = Scene(system)
    statement = await scene.suspended()
    (post,) = await published(scene.alice, "a post")
    await system.drain()
    await reports.reported(scene.noa, post)
    await system.drain()
    await reports.resolve(scene.mia, post, "ACCEPT")
    await system.drain()
    (accepted,) = await statements(scene.noa)

    async with unchanged(system):
        assert (await appeal(scene.alice, statement))["userErrors"] == refused("TARGET_NOT_FOUND")
        assert (await appeal(scene.bob, "Statement:1.2"))["userErrors"] == refused("TARGET_NOT_FOUND")
        assert (await appeal(scene.noa, accepted["id"]))["userErrors"] == refused("NOT_ALLOWED")
        assert await decide(scene.noa, statement, "GRANT") == refused("NOT_ALLOWED", "statementId")
        assert await decide(scene.noa, post, "GRANT") == refused("TARGET_NOT_FOUND", "statementId")
        now = wall_clock_ms()
        object.__setattr__(system.state, "now_ms", lambda: now + 181 * 86_400_000)
        assert (await appeal(scene.bob, statement))["userErrors"] == refused("NOT_ALLOWED")
    object.__setattr__(system.state, "now_ms", wall_clock_ms)

    await appeal(scene.bob, statement)
    await system.drain()
    errors = await scene.alice.errors(GRANT, id=statement)
    assert [code for code, _ in errors] == ["FORBIDDEN"]


async def test_the_time_to_appeal_also_ends_for_posts(system: System) -> None:
    scene = Scene(system)
    (post,) = await published(scene.bob, "buy this")
    await system.drain()
    await moderate(scene.mia, post, "REJECT")
    await system.drain()
    now = wall_clock_ms()
    object.__setattr__(system.state, "now_ms", lambda: now + 181 * 86_400_000)

    assert (await appeal(scene.bob, post))["userErrors"] == refused("NOT_ALLOWED")


@standalone
@pytest.mark.parametrize("mode", ["READ_ONLY", "HIDDEN"])
async def test_a_suspended_user_can_read_report_appeal_export_and_delete(system: System, mode: str) -> None:
    scene = Scene(system)
    (post,) = await published(scene.alice, "a post")
    statement = await scene.suspended(mode)

    shown = await scene.bob.ask("query ($id: ID!) { node(id: $id) { ... on Post { text } } }", id=post)
    assert shown["node"] == {"text": "a post"}
    assert (await reports.report(scene.bob, post))["userErrors"] == []
    assert (await appeal(scene.bob, statement))["userErrors"] == []
    assert await exports.requested(scene.bob)
    assert (await delete_account(scene.bob))["userErrors"] == []


@standalone
@pytest.mark.parametrize("lost", ["UPDATE cases SET sources = 0 RETURNING 1", "DELETE FROM cases RETURNING 1"])
async def test_reconciliation_opens_the_case_of_an_appeal_again(system: System, lost: str) -> None:
    scene = Scene(system)
    statement = await scene.suspended()
    await appeal(scene.bob, statement)
    await system.drain()
    assert await drift(system, "cases") == {}
    await system.rows(lost)
    assert await appealed(scene.noa) == []

    assert await drift(system, "cases") == {"cases": 1}
    await drift(system, "cases", repair=True)

    assert await appealed(scene.noa) == [(scene.b, ["SUSPENDED"])]
    assert await drift(system, "cases") == {}
