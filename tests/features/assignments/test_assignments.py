"""assign, release and warnUser: moderators share the queue, and warn users."""

from typing import Any

from store.notifications import delivery
from tests.support import reports
from tests.support.posts import decide, published
from tests.support.system import Person, System
from workers.persist import persist

ASSIGN = """mutation ($id: ID!) { assign(input: {targetId: $id}) {
  case { status assignee { handle } assignedUntil } userErrors { code field } } }"""
RELEASE = """mutation ($id: ID!) { release(input: {targetId: $id}) {
  case { assignee { handle } assignedUntil } userErrors { code field } } }"""
WARN = """mutation ($id: ID!, $reason: String!, $key: String) {
  warnUser(input: {userId: $id, reason: $reason, idempotencyKey: $key}) {
    user { handle } userErrors { code field } } }"""
NOTIFIED = "{ viewer { notifications { nodes { kind message subject { id } } } } }"
LOG = "query ($id: ID!) { moderationLog(userId: $id) { nodes { action role actor { handle } reason after } } }"


async def assign(moderator: Person, target_id: str) -> Any:
    return (await moderator.ask(ASSIGN, id=target_id))["assign"]


async def waiting(system: System) -> tuple[Person, Person, Person, str]:
    """Returns an author, two moderators, and a post that waits for approval."""
    alice, mia, noa = system.person("alice"), system.person("mia", "moderate"), system.person("noa", "moderate")
    (post,) = await published(alice, "get rich quick")
    await system.drain()
    return alice, mia, noa, post


async def shown(moderator: Person, **wanted: Any) -> list[str]:
    return [edge["node"]["id"] for edge in await reports.queue(moderator, **wanted)]


async def test_an_assigned_case_is_for_one_moderator(system: System) -> None:
    _, mia, noa, post = await waiting(system)
    payload = await assign(mia, post)
    assert payload["userErrors"] == []
    assert (payload["case"]["status"], payload["case"]["assignee"]) == ("OPEN", {"handle": "mia"})
    assert await assign(noa, post) == {"case": None, "userErrors": [{"code": "CASE_ASSIGNED", "field": ["targetId"]}]}
    assert (await assign(mia, post))["userErrors"] == []
    (edge,) = await reports.queue(noa)
    assert edge["case"]["assignee"] == {"handle": "mia"}
    assert await shown(noa, assignment="UNASSIGNED") == []
    assert await shown(mia, assignment="UNASSIGNED") == [post]
    assert await shown(mia, assignment="MINE") == [post]
    assert await shown(noa, assignment="MINE") == []

    assert (await noa.ask(RELEASE, id=post))["release"]["case"]["assignee"] == {"handle": "mia"}
    released = {"case": {"assignee": None, "assignedUntil": None}, "userErrors": []}
    assert (await mia.ask(RELEASE, id=post))["release"] == released
    assert (await assign(noa, post))["userErrors"] == []


async def test_an_assignment_ends_after_an_hour_and_with_the_case(system: System) -> None:
    _, mia, noa, post = await waiting(system)
    await assign(mia, post)
    await system.rows("UPDATE cases SET assigned_until_ms = assigned_until_ms - 3600001 RETURNING 1")
    (edge,) = await reports.queue(mia)
    assert (edge["case"]["assignee"], edge["case"]["assignedUntil"]) == (None, None)
    assert await shown(noa, assignment="UNASSIGNED") == [post]
    assert (await assign(noa, post))["userErrors"] == []

    await decide(mia, post, "APPROVE")
    await system.drain()
    (edge,) = await reports.queue(mia, status="RESOLVED")
    assert (edge["case"]["status"], edge["case"]["sources"], edge["case"]["assignee"]) == ("RESOLVED", [], None)
    assert edge["case"]["openedAt"] is None
    assert edge["case"]["resolvedAt"] is not None
    assert await assign(mia, post) == {"case": None, "userErrors": [{"code": "CASE_NOT_FOUND", "field": ["targetId"]}]}
    for wanted in ({"source": "WORDS"}, {"assignment": "MINE"}, {"sort": "MOST_REPORTED"}):
        variables = {"sort": "OLDEST", "kind": None, "business": None, "source": None, "assignment": None} | wanted
        errors = await mia.errors(reports.QUEUE, status="RESOLVED", after=None, **variables)
        assert errors == [("BAD_INPUT", ["moderationQueue"])]


async def test_moderators_are_not_assigned_to_themselves_or_to_nothing(system: System) -> None:
    _, mia, noa, post = await waiting(system)
    await reports.reported(noa, await mia.id())
    await system.drain()
    for target, code in (
        (await mia.id(), "NOT_ALLOWED"),
        (await noa.id(), "CASE_NOT_FOUND"),
        ("Post:1", "TARGET_NOT_FOUND"),
    ):
        assert (await assign(mia, target))["userErrors"] == [{"code": code, "field": ["targetId"]}]
    assert await system.person("carol").errors(ASSIGN, id=post) == [("FORBIDDEN", ["assign"])]


async def test_a_warning_is_told_once_and_logged_once(system: System) -> None:
    alice, mia, _, _ = await waiting(system)
    user = await alice.id()
    for _ in range(2):
        payload = (await mia.ask(WARN, id=user, reason="be kind", key="once"))["warnUser"]
        assert payload == {"user": {"handle": "alice"}, "userErrors": []}
    await system.drain()
    nodes = (await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    warning = {"kind": "MODERATION", "message": "A moderator warned you: be kind", "subject": {"id": user}}
    assert nodes == [warning]
    lines = (await mia.ask(LOG, id=user))["moderationLog"]["nodes"]
    assert [line for line in lines if line["action"] == "WARNED"] == [
        {
            "action": "WARNED",
            "role": "MODERATOR",
            "actor": {"handle": "mia"},
            "reason": "be kind",
            "after": '{"warned":true}',
        }
    ]
    (edge,) = await reports.queue(mia)
    assert edge["case"]["authorRecord"]["warnedCount"] == 1


async def test_a_warning_is_shown_if_its_publication_is_repeated(system: System) -> None:
    alice, mia, _, _ = await waiting(system)
    assert (await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"] == []  # cached
    await mia.ask(WARN, id=await alice.id(), reason="be kind", key=None)
    first = await system.owner()
    owned = dict(first.owned)
    entries = [entry for entry in await first.read(owned) if entry.version > owned[entry.partition].head]
    assert len((await persist(system.state, owned, entries)).events) == 1
    await delivery.deliver(
        system.state.postgres, list(owned), system.state.keys.partition_of, kept=system.settings.retention.notifications
    )
    await system.drain()
    assert len((await alice.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]) == 1


async def test_warnings_are_refused_without_a_reason_a_user_or_the_scope(system: System) -> None:
    alice, mia, _, _ = await waiting(system)
    user = await alice.id()
    for id_, reason, error in (
        (user, "", ("INVALID", ["reason"])),
        (user, "x" * 501, ("TEXT_TOO_LONG", ["reason"])),
        ("User:1", "rude", ("TARGET_NOT_FOUND", ["userId"])),
        (await mia.id(), "rude", ("NOT_ALLOWED", ["userId"])),
    ):
        payload = (await mia.ask(WARN, id=id_, reason=reason, key=None))["warnUser"]
        assert payload["userErrors"] == [{"code": error[0], "field": error[1]}]
    assert await alice.errors(WARN, id=user, reason="rude", key=None) == [("FORBIDDEN", ["warnUser"])]
