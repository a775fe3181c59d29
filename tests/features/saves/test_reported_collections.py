"""Users report public collections, and moderators make them private."""

from typing import Any

import pytest

from tests.support import collections
from tests.support.appeals import appeal
from tests.support.collections import created, delete, own, public, refusal, update
from tests.support.fallback_mode import begin, end
from tests.support.reports import notified, queue, queued, report, reported, resolve
from tests.support.statements import decide, statements
from tests.support.stores import standalone
from tests.support.system import Person, System

LOG = "SELECT action, role, before, after, reason FROM moderation_log WHERE business_id = 5 ORDER BY moment, log_id"
ROW = "SELECT is_public, held FROM collections"
NOTIFIED = "{ viewer { notifications { nodes { kind message subject { id } } } } }"
LOGGED = """query ($id: ID!) { moderationLog(targetId: $id) { nodes {
  action target { id ... on Collection { name isPublic } } user { handle } } } }"""
HELD = "{ moderationQueue(status: RESOLVED) { edges { case { isHeld } } } }"
PRIVATE, FREE = 3, 2


async def held(moderator: Person) -> list[bool]:
    """Returns whether the collections of resolved cases are on hold."""
    edges = (await moderator.ask(HELD))["moderationQueue"]["edges"]
    return [edge["case"]["isHeld"] for edge in edges]


class Scene:
    """Alice has a public collection, bob reports it, and mia moderates."""

    def __init__(self, system: System) -> None:
        self.alice, self.bob = system.person("alice"), system.person("bob")
        self.mia = system.person("mia", "moderate")
        self.system, self.id = system, ""

    async def made(self) -> "Scene":
        self.id = await created(self.alice, "my cats", public=True)
        await self.system.drain()
        await reported(self.bob, self.id, note="not cats")
        await self.system.drain()
        return self

    async def resolved(self, resolution: str = "REMOVE", key: str | None = None) -> Any:
        payload = await resolve(self.mia, self.id, resolution, key)
        await self.system.drain()
        return payload

    async def told(self, person: Person) -> list[Any]:
        """Returns the messages of a person about decisions of moderation, newest first."""
        nodes = (await person.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
        return [(one["message"], one["subject"]) for one in nodes if one["kind"] == "MODERATION"]


async def test_a_reported_collection_is_in_the_queue(system: System) -> None:
    scene = await Scene(system).made()

    assert await queued(scene.mia, kind="COLLECTION") == {scene.id: 1}
    assert await queued(scene.mia, kind="USER") == {}
    (edge,) = await queue(scene.mia)
    assert edge["case"]["author"] == {"handle": "alice"}
    assert edge["case"]["newestReports"] == [{"reason": "SPAM", "note": "not cats", "reporter": {"handle": "bob"}}]


async def test_a_moderator_makes_a_collection_private(system: System) -> None:
    scene = await Scene(system).made()
    payload = await scene.resolved()

    assert payload == {"target": {"id": scene.id}, "userErrors": []}
    assert await public(scene.bob, "alice") == await public(scene.mia, "alice") == []
    assert await own(scene.alice) == [(scene.id, "my cats", False)]
    assert await collections.items(scene.bob, scene.id) is None
    assert await system.rows(ROW) == [(False, True)]
    assert await queued(scene.mia) == {}
    assert await queued(scene.mia, status="RESOLVED") == {scene.id: 0}
    assert await held(scene.mia) == [True]
    assert await scene.told(scene.alice) == [("Your collection was made private: decided", {"id": scene.id})]
    assert await notified(scene.bob) == [("Your report was accepted: decided", None)]
    (line,) = await system.rows(LOG.replace("WHERE", "WHERE action = 3 AND"))
    assert line == (PRIVATE, 1, '{"public":true,"held":false}', '{"public":false,"held":true}', "decided")
    (entry, *_) = (await scene.mia.ask(LOGGED, id=scene.id))["moderationLog"]["nodes"]
    assert entry["target"] == {"id": scene.id, "name": "my cats", "isPublic": False}
    assert entry["user"] == {"handle": "alice"}


async def test_a_collection_that_a_moderator_made_private_stays_so(system: System) -> None:
    scene = await Scene(system).made()
    await scene.resolved()

    for changes in ({"public": True}, {"public": True, "name": "my dogs"}):
        assert refusal(await update(scene.alice, scene.id, **changes)) == ("NOT_ALLOWED", ["isPublic"])
    assert (await update(scene.alice, scene.id, name="my dogs"))["userErrors"] == []
    await system.drain()
    assert await own(scene.alice) == [(scene.id, "my dogs", False)]
    assert refusal(await report(scene.bob, scene.id)) == ("TARGET_NOT_FOUND", ["targetId"])


async def test_a_moderator_lifts_the_restriction(system: System) -> None:
    scene = await Scene(system).made()
    await scene.resolved()
    assert (await scene.resolved("DISMISS"))["userErrors"] == []

    assert await held(scene.mia) == [False]
    assert await public(scene.bob, "alice") == []
    assert (await update(scene.alice, scene.id, public=True))["userErrors"] == []
    await system.drain()
    assert await public(scene.bob, "alice") == ["my cats"]
    assert await scene.told(scene.alice) == [
        ("You may make your collection public again: decided", {"id": scene.id}),
        ("Your collection was made private: decided", {"id": scene.id}),
    ]
    assert [line[0] for line in await system.rows(LOG) if line[0] in (PRIVATE, FREE)] == [PRIVATE, FREE]


async def test_dismissed_reports_leave_a_collection_public(system: System) -> None:
    scene = await Scene(system).made()
    await scene.resolved("DISMISS")

    assert await public(scene.bob, "alice") == ["my cats"]
    assert await scene.told(scene.alice) == []
    assert await notified(scene.bob) == [("Your report was dismissed: decided", None)]


async def test_a_decision_that_is_sent_twice_has_an_effect_once(system: System) -> None:
    scene = await Scene(system).made()
    first = await scene.resolved(key="k")
    assert await scene.resolved(key="k") == first
    await scene.resolved()

    assert len(await scene.told(scene.alice)) == 1


async def test_a_change_that_comes_at_the_same_time_does_not_make_it_public_again(system: System) -> None:
    scene = await Scene(system).made()
    await update(scene.alice, scene.id, public=False)
    await system.drain()
    await resolve(scene.mia, scene.id, "REMOVE")
    assert (await update(scene.alice, scene.id, public=True))["userErrors"] == []
    assert await public(scene.bob, "alice") == ["my cats"]
    await system.drain()

    assert await public(scene.bob, "alice") == []
    assert await own(scene.alice) == [(scene.id, "my cats", False)]
    assert await system.rows(ROW) == [(False, True)]


async def test_private_and_missing_collections_cannot_be_reported(system: System) -> None:
    scene = await Scene(system).made()
    private = await created(scene.alice, "secret")
    await system.drain()

    for id_ in (private, f"{scene.id[:-1]}{(int(scene.id[-1]) + 1) % 10}", "Collection:1.2"):
        assert refusal(await report(scene.bob, id_)) == ("TARGET_NOT_FOUND", ["targetId"])
    assert refusal(await report(scene.alice, private)) == ("TARGET_NOT_FOUND", ["targetId"])
    assert refusal(await report(scene.alice, scene.id)) == ("CANNOT_REPORT_SELF", ["targetId"])


async def test_moderators_do_not_decide_about_their_own_collections(system: System) -> None:
    scene = await Scene(system).made()
    alice = system.person("alice", "moderate")

    assert refusal(await resolve(alice, scene.id, "DISMISS")) == ("NOT_ALLOWED", ["targetId"])
    assert await queued(alice) == {}


@pytest.mark.parametrize("first", ["report", "deletion"])
async def test_the_reports_of_a_deleted_collection_are_closed(system: System, first: str) -> None:
    scene = await Scene(system).made()
    if first == "report":
        await delete(scene.alice, scene.id)
    else:
        await reported(system.person("carol"), scene.id)
        await delete(scene.alice, scene.id)
    await system.drain()

    assert await queued(scene.mia) == {}
    assert await notified(scene.bob) == [("What you reported was deleted.", None)]


@standalone
async def test_a_decision_while_redis_is_down_makes_a_collection_private(system: System) -> None:
    scene = await Scene(system).made()
    await begin(system)
    assert (await resolve(scene.mia, scene.id, "REMOVE"))["userErrors"] == []
    await end(system)
    await system.drain()
    await system.drain()

    assert await public(scene.bob, "alice") == []
    assert await system.rows(ROW) == [(False, True)]


async def test_a_granted_appeal_lets_the_owner_make_the_collection_public_again(system: System) -> None:
    scene = await Scene(system).made()
    await scene.resolved()
    (statement,) = await statements(scene.alice)
    assert (statement["restriction"], statement["foundBy"]) == ("MADE_PRIVATE", "REPORTS")
    assert (await appeal(scene.alice, statement["id"]))["userErrors"] == []
    await system.drain()

    assert await decide(system.person("noa", "moderate"), statement["id"], "GRANT") == []
    await system.drain()

    (statement,) = await statements(scene.alice)
    assert statement["endedAt"]
    assert (await update(scene.alice, scene.id, public=True))["userErrors"] == []
