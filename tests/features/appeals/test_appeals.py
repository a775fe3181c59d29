"""appeal: an author appeals against the rejection of a post or comment, and another moderator decides."""

import asyncio
from datetime import datetime

import pytest

from models.base import at
from tests.support import comments, reports
from tests.support.appeals import APPEAL, appeal
from tests.support.appeals import decide as refusal
from tests.support.boundaries import block
from tests.support.posts import edit, published
from tests.support.system import Person, System

ASSIGN = "mutation ($id: ID!) { assign(input: {targetId: $id}) { userErrors { code field } } }"
STATUS = "query ($id: ID!) { node(id: $id) { ... on Post { auditStatus } ... on Comment { auditStatus } } }"
NOTIFIED = "{ viewer { notifications { nodes { kind message } } } }"
LOG = "query ($id: ID!) { moderationLog(targetId: $id) { nodes { action actor { handle } before after } } }"


class Scene:
    """alice, whose post and comment the moderator mia rejected; noa is another moderator."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob = system.person("alice"), system.person("bob")
        self.mia, self.noa = system.person("mia", "moderate"), system.person("noa", "moderate")
        self.post = self.comment = ""

    async def made(self) -> "Scene":
        (self.post,) = await published(self.alice, "buy this")
        (video,) = await self.system.videos("v1")
        self.comment = await comments.added(self.alice, video, "and that")
        await self.system.drain()
        for target in (self.post, self.comment):
            assert await refusal(self.mia, target, "REJECT") == []
        await self.system.drain()
        return self


async def messages(person: Person) -> list[str]:
    """Returns the messages of moderation to a user, oldest first."""
    nodes = (await person.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    return [node["message"] for node in reversed(nodes) if node["kind"] == "MODERATION"]


@pytest.mark.parametrize(("decision", "word"), [("APPROVE", "granted"), ("REJECT", "denied")])
async def test_another_moderator_decides_an_appeal(system: System, decision: str, word: str) -> None:
    scene = await Scene(system).made()
    assert await reports.queue(scene.noa) == []
    for target in (scene.post, scene.comment):
        assert await appeal(scene.alice, target) == {"target": {"id": target}, "userErrors": []}
    await system.drain()

    edges = await reports.queue(scene.noa)
    assert [edge["node"]["id"] for edge in edges] == [scene.post, scene.comment]
    for edge in edges:
        case = edge["case"]
        assert (case["status"], case["sources"]) == ("OPEN", ["APPEALS"])
        assert case["appeal"] == {"text": "please look again"}
        assert case["authorRecord"]["rejectedCount"] == 2
    assert await reports.queue(scene.mia) == []
    refused = [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
    for target in (scene.post, scene.comment):
        assert await refusal(scene.mia, target, decision) == refused
        assert await refusal(scene.noa, target, decision) == []
    await system.drain()

    assert await reports.queue(scene.noa) == []
    assert (await messages(scene.alice))[2:] == [f"Your appeal was {word}: because"] * 2
    for target in (scene.post, scene.comment):
        status = "APPROVED" if decision == "APPROVE" else "REJECTED"
        assert (await scene.alice.ask(STATUS, id=target))["node"] == {"auditStatus": status}
        (line,) = [
            line
            for line in (await scene.noa.ask(LOG, id=target))["moderationLog"]["nodes"]
            if line["action"] == f"APPEAL_{word.upper()}"
        ]
        assert (line["actor"], line["after"]) == ({"handle": "noa"}, f'{{"appeal":"{word.upper()}"}}')
    resolved = await reports.queue(scene.noa, status="RESOLVED")
    assert {edge["node"]["id"] for edge in resolved} == {scene.post, scene.comment}


async def test_an_author_appeals_once_against_each_rejection(system: System) -> None:
    scene = await Scene(system).made()
    for _ in range(2):
        assert (await appeal(scene.alice, scene.post, key="once"))["userErrors"] == []
    await system.drain()
    refused = [{"code": "ALREADY_APPEALED", "field": ["targetId"]}]
    assert (await appeal(scene.alice, scene.post, "again"))["userErrors"] == refused
    assert await refusal(scene.noa, scene.post, "REJECT") == []
    await system.drain()
    assert (await appeal(scene.alice, scene.post, "again"))["userErrors"] == refused
    assert await system.rows("SELECT text, status FROM appeals") == [("please look again", 2)]

    await edit(scene.alice, scene.post, text="better words")
    await system.drain()
    assert await refusal(scene.noa, scene.post, "REJECT") == []
    await system.drain()
    assert (await appeal(scene.alice, scene.post, "it is better"))["userErrors"] == []
    await system.drain()
    assert [edge["node"]["id"] for edge in await reports.queue(scene.mia)] == [scene.post]
    assert await reports.queue(scene.noa) == []


async def test_only_authors_appeal_against_rejections(system: System) -> None:
    scene = await Scene(system).made()
    (fine,) = await published(scene.alice, "fine words")
    await system.drain()
    not_allowed = [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
    assert (await appeal(scene.alice, fine))["userErrors"] == not_allowed
    for person, target in (
        *((scene.bob, one) for one in (scene.post, scene.comment, "Post:1")),
        (scene.noa, scene.post),
    ):
        assert (await appeal(person, target))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["targetId"]}]
    assert (await appeal(scene.alice, scene.post, ""))["userErrors"] == [{"code": "INVALID", "field": ["text"]}]
    too_long = [{"code": "TEXT_TOO_LONG", "field": ["text"]}]
    assert (await appeal(scene.alice, scene.post, "x" * 1001))["userErrors"] == too_long
    assert await scene.alice.errors(APPEAL, id="Post:x", text="x", key=None) == [("BAD_INPUT", ["appeal"])]
    assert await system.rows("SELECT 1 FROM appeals") == []


async def test_an_appeal_ends_when_its_content_changes(system: System) -> None:
    scene = await Scene(system).made()
    for target in (scene.post, scene.comment):
        await appeal(scene.alice, target)
    await system.drain()
    await edit(scene.alice, scene.post, text="better words")
    await comments.delete(scene.alice, scene.comment)
    await system.drain()
    assert await reports.queue(scene.noa) == []
    assert await system.rows("SELECT status FROM appeals") == [(3,), (3,)]
    assert len(await messages(scene.alice)) == 2


async def test_a_rejection_by_the_rules_can_be_appealed_to_every_moderator(system: System) -> None:
    scene = await Scene(system).made()
    (post,) = await published(scene.alice, "casino bonus")
    await system.drain()
    assert (await scene.alice.ask(STATUS, id=post))["node"] == {"auditStatus": "REJECTED"}
    await appeal(scene.alice, post)
    await system.drain()
    for moderator in (scene.mia, scene.noa):
        assert [edge["node"]["id"] for edge in await reports.queue(moderator, source="APPEALS")] == [post]
    assert await refusal(scene.mia, post, "APPROVE") == []


@pytest.mark.parametrize("order", ["appeal first", "decision first"])
async def test_appeals_and_decisions_in_one_batch(system: System, order: str) -> None:
    scene = await Scene(system).made()
    if order == "appeal first":
        await appeal(scene.alice, scene.post)
        await refusal(scene.noa, scene.post, "REJECT")
    else:
        await refusal(scene.noa, scene.post, "REJECT")
        await appeal(scene.alice, scene.post)
    await system.drain()
    statuses = await system.rows("SELECT status FROM appeals")
    if order == "appeal first":
        assert statuses == [(2,)]
    else:
        assert statuses == [(0,)]
        assert [edge["node"]["id"] for edge in await reports.queue(scene.mia)] == [scene.post]
        assert await reports.queue(scene.noa) == []


async def test_a_moderator_may_reconsider_before_an_appeal_is_stored(system: System) -> None:
    scene = await Scene(system).made()
    await asyncio.gather(appeal(scene.alice, scene.post), refusal(scene.mia, scene.post, "APPROVE"))
    await system.drain()
    assert await system.rows("SELECT count(*) FROM appeals WHERE status = 0") == [(0,)]
    assert await reports.queue(scene.noa) == []


async def test_a_case_of_an_appeal_opens_with_the_appeal(system: System) -> None:
    scene = await Scene(system).made()
    await asyncio.sleep(0.05)
    await appeal(scene.alice, scene.post)
    await system.drain()
    (edge,) = await reports.queue(scene.noa)
    ((version,),) = await system.rows("SELECT version FROM appeals")
    assert datetime.fromisoformat(edge["case"]["openedAt"]) == at(version >> 20)


async def test_authors_who_moderate_do_not_decide_their_own_appeals(system: System) -> None:
    scene = await Scene(system).made()
    (post,) = await published(scene.noa, "hello")
    await system.drain()
    assert await refusal(scene.mia, post, "REJECT") == []
    await system.drain()
    assert (await appeal(scene.noa, post))["userErrors"] == []
    await system.drain()
    for moderator in (scene.noa, scene.mia):
        assert await refusal(moderator, post, "APPROVE") == [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
    errors = (await scene.mia.ask(ASSIGN, id=post))["assign"]["userErrors"]
    assert errors == [{"code": "NOT_ALLOWED", "field": ["targetId"]}]


async def test_an_appeal_that_nobody_decided_can_be_repeated(system: System) -> None:
    scene = await Scene(system).made()
    await asyncio.gather(refusal(scene.noa, scene.post, "APPROVE"), asyncio.sleep(0.005))  # an earlier millisecond
    assert (await appeal(scene.alice, scene.post))["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT status FROM appeals") == [(3,)]
    assert await refusal(scene.noa, scene.post, "REJECT") == []
    await system.drain()
    assert (await appeal(scene.alice, scene.post, "again"))["userErrors"] == []
    await system.drain()
    assert [edge["node"]["id"] for edge in await reports.queue(scene.mia)] == [scene.post]


async def test_authors_appeal_although_the_owner_of_the_post_blocks_them(system: System) -> None:
    scene = await Scene(system).made()
    (post,) = await published(scene.bob, "my post")
    await system.drain()
    comment = await comments.added(scene.alice, post, "well")
    await system.drain()
    assert await refusal(scene.mia, comment, "REJECT") == []
    await system.drain()
    await block(scene.bob, await scene.alice.id())
    await system.drain()
    assert (await appeal(scene.alice, comment))["userErrors"] == []
    await system.drain()
    assert [edge["node"]["id"] for edge in await reports.queue(scene.noa)] == [comment]


@pytest.mark.parametrize(
    ("mutation", "target", "more"),
    [
        ("moderate", "targetId", 'decision: APPROVE, reason: "because"'),
        ("resolveReports", "targetId", 'resolution: REMOVE, reason: "because"'),
        ("assign", "targetId", ""),
        ("release", "targetId", ""),
        ("deleteComment", "commentId", ""),
    ],
)
async def test_who_rejected_a_comment_ends_its_appeal_by_no_mutation(
    system: System, mutation: str, target: str, more: str
) -> None:
    scene = await Scene(system).made()
    assert (await appeal(scene.alice, scene.comment))["userErrors"] == []
    await system.drain()
    query = f"mutation ($id: ID!) {{ {mutation}(input: {{ {target}: $id {more} }}) {{ userErrors {{ code field }} }} }}"

    errors = (await scene.mia.ask(query, id=scene.comment))[mutation]["userErrors"]
    assert errors == [{"code": "NOT_ALLOWED", "field": [target]}]
    await system.drain()
    assert [edge["node"]["id"] for edge in await reports.queue(scene.noa)] == [scene.comment]
