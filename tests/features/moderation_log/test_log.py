"""moderationLog: a line for each decision, in the transaction of what it records."""

import json
from typing import Any

from tests.support import comments, posts, reports
from tests.support.boundaries import block
from tests.support.posts import published
from tests.support.removing import remove
from tests.support.suspensions import REINSTATE, SUSPEND
from tests.support.system import Person, System

LOG = """query ($target: ID, $user: ID, $actor: ID, $first: Int!, $after: String) {
  moderationLog(targetId: $target, userId: $user, actorId: $actor, first: $first, after: $after) {
    nodes { action role actor { handle } target { id } user { handle } before after reason createdAt }
    pageInfo { hasNextPage endCursor } } }"""
Line = tuple[str, str, str | None, str | None, str | None]


async def page(moderator: Person, first: int = 50, after: str | None = None, **wanted: str | None) -> Any:
    variables = {"target": None, "user": None, "actor": None} | wanted
    return (await moderator.ask(LOG, first=first, after=after, **variables))["moderationLog"]


async def lines(moderator: Person, **wanted: Any) -> list[Line]:
    """Returns action, role, actor, target and reason of all lines, oldest first."""
    return [
        (
            *(node["action"], node["role"], node["actor"] and node["actor"]["handle"]),
            *(node["target"] and node["target"]["id"], node["reason"]),
        )
        for node in reversed((await page(moderator, **wanted))["nodes"])
    ]


async def test_each_decision_has_a_line(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    a = await alice.id()
    fine, waiting = await published(alice, "fine", "get rich quick")
    (video,) = await system.videos("v1", owner="alice")
    comment = await comments.added(bob, video, "hello")
    await system.drain()
    words = "has a word that a moderator must review: get rich quick"
    expected: list[Line] = [("HELD", "RULES", None, waiting, words)]
    assert await lines(mia) == expected

    await posts.decide(mia, waiting, "APPROVE")
    await reports.reported(bob, fine)
    await reports.reported(bob, a)
    await system.drain()
    await reports.resolve(mia, fine, "REMOVE")
    await system.drain()
    await reports.resolve(mia, a, "DISMISS")
    await comments.delete(alice, comment)
    await system.drain()
    await mia.ask(SUSPEND, id=a, mode="HIDDEN", until=None, reason="spam")
    await mia.ask(REINSTATE, id=a)
    expected += [
        ("APPROVED", "MODERATOR", "mia", waiting, "because"),
        ("REJECTED", "MODERATOR", "mia", fine, "decided"),
        ("REPORTS_ACCEPTED", "MODERATOR", "mia", fine, "decided"),
        ("REPORTS_DISMISSED", "MODERATOR", "mia", a, "decided"),
        ("DELETED", "OWNER", "alice", comment, None),
        ("SUSPENDED", "MODERATOR", "mia", a, "spam"),
        ("REINSTATED", "MODERATOR", "mia", a, None),
    ]
    assert sorted(map(str, await lines(mia))) == sorted(map(str, expected))
    assert await lines(mia, target=waiting) == expected[:2]
    assert {target for _, _, _, target, _ in await lines(mia, user=a)} == {waiting, fine, a}
    assert {actor for _, _, actor, _, _ in await lines(mia, actor=a)} == {"alice"}
    assert await lines(mia, actor=a, target=fine) == []
    assert await lines(mia, target="Entity:video:none") == []


async def test_the_lines_of_a_removed_entity_are_found(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (video,) = await system.videos("v1", owner="bob")
    await reports.reported(alice, video)
    await system.drain()
    await reports.resolve(mia, video, "DISMISS")
    await system.drain()
    assert not (await remove(system.person("registrar", "entities:write"), video))["userErrors"]
    await system.drain()

    assert [action for action, *_ in await lines(mia, target=video)] == ["REPORTS_DISMISSED"]


async def test_a_line_has_the_state_before_and_after(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (waiting,) = await published(alice, "get rich quick")
    await system.drain()
    await posts.decide(mia, waiting, "REJECT")
    await system.drain()
    await mia.ask(SUSPEND, id=await alice.id(), mode="READ_ONLY", until="2099-01-01T00:00:00Z", reason="spam")

    held, rejected, suspended = (
        (json.loads(node["before"] or "null"), json.loads(node["after"]))
        for node in reversed((await page(mia))["nodes"])
    )
    assert held == (None, {"status": "PENDING"})
    assert rejected == ({"status": "PENDING"}, {"status": "REJECTED"})
    assert suspended == ({"mode": None, "until": None}, {"mode": "READ_ONLY", "until": "2099-01-01T00:00:00Z"})


async def test_the_line_of_a_deletion_names_the_service_that_acted_for_the_owner(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    backend = system.person("backend", "act")
    await alice.id()
    number = (await backend.id()).removeprefix("User:")
    (post,) = await published(alice, "fine")
    await system.drain()
    said = [await comments.added(bob, post, text) for text in ("one", "two")]
    await system.drain()

    await comments.delete(system.person("backend", "act", plaudit_user="alice", client_kind="ios"), said[0])
    await comments.delete(alice, said[1])
    await system.drain()

    by_service, by_alice = [(await page(mia, target=id_))["nodes"][0] for id_ in said]
    assert by_service["actor"] == by_alice["actor"] == {"handle": "alice"}
    assert json.loads(by_service["after"]) == {"deleted": True, "client": f"act:{number} ios"}
    assert json.loads(by_alice["after"]) == {"deleted": True}


async def test_both_of_two_moderators_see_both_decisions(system: System) -> None:
    alice, mia, max_ = system.person("alice"), system.person("mia", "moderate"), system.person("max", "moderate")
    (waiting,) = await published(alice, "get rich quick")
    await system.drain()
    await posts.decide(mia, waiting, "REJECT")
    await posts.decide(max_, waiting, "APPROVE")
    await system.drain()

    status = (await posts.seen(mia, waiting))["auditStatus"]
    for moderator in (mia, max_):
        decided = (await page(moderator, target=waiting))["nodes"][:2]
        assert {node["actor"]["handle"] for node in decided} == {"mia", "max"}
        effective = [json.loads(node["after"])["status"] for node in decided if node["after"]]
        assert effective[0] == status


async def test_the_log_is_for_moderators_and_has_pages(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    await block(mia, await alice.id())
    for n in range(3):
        await published(alice, f"get rich quick {n}")
    await system.drain()

    whole, paged, after = (await page(mia))["nodes"], [], None
    for more in (True, True, False):
        one = await page(mia, 1, after)
        assert one["pageInfo"]["hasNextPage"] == more
        paged += one["nodes"]
        after = one["pageInfo"]["endCursor"]
    assert paged == whole
    assert await alice.errors(LOG, first=1) == [("FORBIDDEN", ["moderationLog"])]
    assert await system.person(None).errors(LOG, first=1) == [("UNAUTHENTICATED", ["moderationLog"])]
    assert await mia.errors(LOG, first=1, user="nonsense") == [("BAD_INPUT", ["moderationLog"])]
    assert await mia.errors(LOG, first=0) == [("BAD_INPUT", ["moderationLog"])]
    assert [code for code, _ in await mia.errors(LOG, first=1, after=after, user=await alice.id())] == ["BAD_CURSOR"]


async def test_an_erased_author_leaves_the_lines(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    (post,) = await published(alice, "get rich quick")
    await system.drain()
    await posts.delete(alice, post)
    await system.drain()

    ((action, role, actor, target, _),) = await lines(mia, user=await alice.id())
    assert (action, role, actor, target) == ("HELD", "RULES", None, None)


SECRET = """mutation ($id: ID!, $image: ImageInput!) { addComment(input: {
  subjectId: $id, text: "a secret", images: [$image], custom: {secret: 1}, idempotencyKey: "k"}) {
  comment { id } userErrors { code } } }"""
CONTENT = """query ($id: ID!) { moderationLog(targetId: $id) { nodes { target {
  ... on Comment { text custom author { handle } images { url } deleted } } } } }"""


async def test_the_target_of_a_line_shows_nothing_of_a_deleted_comment(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post,) = await published(alice, "fine")
    await system.drain()
    image = {"url": "https://images.example.com/cat.jpg", "alt": "a cat"}
    said = (await bob.ask(SECRET, id=post, image=image))["addComment"]
    comment = said["comment"]["id"]
    await system.drain()
    await comments.delete(alice, comment)
    await system.drain()

    (line,) = (await mia.ask(CONTENT, id=comment))["moderationLog"]["nodes"]
    assert line["target"] == {"text": None, "custom": None, "author": None, "images": [], "deleted": True}
