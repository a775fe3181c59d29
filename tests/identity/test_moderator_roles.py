"""The roles viewer, moderator, lead and auditor: which claims give them, and what each may do."""

from collections.abc import AsyncIterator, Callable, Iterator
from itertools import takewhile
from typing import Any

import pytest
import pytest_asyncio
from pydantic import ValidationError

from identity import claims
from identity.permissions import ModeratorRole
from settings import ModerationSettings, ModeratorRoleSettings, Settings
from tests.identity.moderator_roles import ROLES, claiming, with_role
from tests.support.appeals import DECIDE, appeal
from tests.support.appeals import decide as decide_appeal
from tests.support.comments import added
from tests.support.posts import decide, publish
from tests.support.priced_operations import PricedOperation, Values, mutations, queries
from tests.support.report_scene import Scene
from tests.support.stores import standalone
from tests.support.suspensions import suspend
from tests.support.system import LENIENT, System, running
from tests.support.tokens import payload

AUDITOR, VIEWER, MODERATOR, LEAD = ModeratorRole
NEEDED = {
    "Query.moderationLog": AUDITOR,
    "Query.transparency": AUDITOR,
    "Query.moderationQueue": VIEWER,
    "Mutation.saveQueue": VIEWER,
    "Mutation.deleteSavedQueue": VIEWER,
    "Mutation.assign": MODERATOR,
    "Mutation.release": MODERATOR,
    "Mutation.moderate": MODERATOR,
    "Mutation.resolveReports": MODERATOR,
    "Mutation.setLabels": MODERATOR,
    "Mutation.warnUser": LEAD,
    "Mutation.suspendUser": LEAD,
    "Mutation.reinstateUser": LEAD,
    "Mutation.decideAppeal": LEAD,
    "Mutation.setTopicState": LEAD,
}
"""The least role that each root field needs. ADR 100 gives the reasons."""
OTHER_SCOPES = "users:read", "users:write", "entities:write", "lists:read"
ME = "{ viewer { moderationRole } }"
ASSIGN = "mutation ($id: ID!) { %s(input: {targetId: $id}) { userErrors { code } } }"
SET_LABELS = (
    'mutation ($id: ID!) { setLabels(input: {targetId: $id, labels: [], reason: "no"}) { userErrors { code } } }'
)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application with the claims of roles. Content is published without a moderator."""
    async with running(make_settings(moderation=LENIENT.model_copy(update={"roles": ROLES}))) as one:
        yield one


def values_of(scene: Scene) -> Values:
    """Returns the values of required arguments by name."""
    return {
        **dict.fromkeys(("id", "targetId", "postId", "subjectId"), scene.post), "ids": [scene.post],
        "targetIds": [scene.post], "commentId": scene.comment, "userId": scene.user, "entityId": scene.video,
        "handle": "alice", "externalIds": ["alice"], "externalId": "bob", "business": "video", "key": "v1",
        "keys": ["v1"], "name": "cats", "action": "plays", "query": "buy", "prefix": "c", "upTo": "x",
        "collectionId": "Collection:1.1", "notificationId": "Notification:1.1", "statementId": "Statement:1.1",
        "topicId": "Topic:cats", "text": "hello", "reason": "spam", "explanation": "illegal", "law": "law",
        "number": "A" * 29, "unnamed": True, "goodFaith": True, "kind": "like", "mimeType": "image/png",
        "byteSize": 9, "labels": [], "label": "adult", "language": None, "idempotencyKey": "key", "enabled": True,
        "discoverable": False, "from": "22:00", "to": "07:00", "timeZone": "UTC",
        "transparency()": {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}, "sort": "OLDEST",
        "status": "OPEN",
        "url": "https://hooks.example.com/", "words": ["casino"], "client": "ios", "clientVersions": ["1.0"],
        "operations": [{"id": "op#", "text": "query Q# { __typename }"}],
    }  # fmt: skip


def root_operations(values: Values) -> Iterator[PricedOperation]:
    """Yields an operation for each root field that queries and mutations have."""
    of_query = takewhile(lambda one: one.coordinate.startswith("Query."), queries(values))
    yield from {one.coordinate.partition(",")[0]: one for one in of_query if "times" not in one.coordinate}.values()
    yield from mutations(values)


@pytest.mark.timeout(180)
@standalone
async def test_each_role_may_use_its_fields_and_no_others(system: System) -> None:
    """A new field that needs a role fails here until NEEDED has it."""
    scene = await Scene(system).made()
    operations = {one.coordinate: one for one in root_operations(values_of(scene))}
    person, refused = system.person("bob", *OTHER_SCOPES), set[str]()
    for one in sorted(operations.values(), key=lambda one: one.coordinate == "Mutation.deleteUser"):  # the last one
        answer = (await person.send(one.text, **one.variables(0))).json()
        errors = [error for error in answer.get("errors", ()) if error["extensions"]["code"] == "FORBIDDEN"]
        refused |= {one.coordinate for error in errors if "role" in error["message"]}
    assert refused == NEEDED.keys()

    for role in ModeratorRole:
        person, allowed = with_role(system, role.name.lower(), role), set[str]()
        for coordinate in NEEDED:
            one = operations[coordinate]
            codes = await person.errors(one.text, **one.variables(0))
            assert codes in ([], [("FORBIDDEN", [coordinate.partition(".")[2]])]), coordinate
            allowed |= set() if codes else {coordinate}
        assert allowed == {name for name, least in NEEDED.items() if role >= least}, role
        assert (await person.ask(ME))["viewer"]["moderationRole"] == role.name


@standalone
async def test_every_role_reads_what_moderators_read(system: System) -> None:
    scene = await Scene(system).made()
    lead = with_role(system, "lea", LEAD)
    await decide(lead, scene.post, "REJECT", "Spam")
    await publish(scene.bob, "a cat", "cats")
    await suspend(lead, scene.user, "SHADOW", ground="spam")
    await lead.ask('mutation { setTopicState(input: {name: "cats", state: HELD}) { userErrors { code } } }')
    await system.drain()
    read = """query ($post: ID!, $user: ID!) { topic(name: "cats") { state } post: node(id: $post) { id }
      user: node(id: $user) { ... on User { suspension { mode } } } }"""

    for role in ModeratorRole:
        found = await with_role(system, role.name.lower(), role).ask(read, post=scene.post, user=scene.user)
        assert found["post"] == {"id": scene.post}
        assert found["user"]["suspension"] == {"mode": "SHADOW"}
        assert found["topic"]["state"] == "HELD"
    found = await system.person("nobody", *OTHER_SCOPES).ask(read, post=scene.post, user=scene.user)
    assert found["post"] is None
    assert not (found["user"] or {}).get("suspension")


@standalone
async def test_only_leads_decide_appeals_about_rejected_content(system: System) -> None:
    scene = await Scene(system).made()
    await decide(with_role(system, "mia", MODERATOR), scene.post, "REJECT", "Spam")
    await system.drain()
    assert (await appeal(scene.alice, scene.post))["userErrors"] == []
    await system.drain()

    moderator, lead = with_role(system, "noa", MODERATOR), with_role(system, "lea", LEAD)
    assert await moderator.errors(DECIDE, id=scene.post, decision="APPROVE") == [("FORBIDDEN", ["moderate"])]
    assert await decide_appeal(lead, scene.post, "APPROVE") == []


@standalone
async def test_a_moderator_gives_back_a_case_whose_author_has_appealed_meanwhile(system: System) -> None:
    scene = await Scene(system).made()
    one, other = with_role(system, "mia", MODERATOR), with_role(system, "noa", MODERATOR)
    await decide(one, scene.post, "REJECT", "Spam")
    await system.drain()
    await appeal(scene.alice, scene.post)
    await system.drain()

    assert await other.errors(ASSIGN % "assign", id=scene.post) == [("FORBIDDEN", ["assign"])]
    assert await other.errors(ASSIGN % "release", id=scene.post) == []


@standalone
async def test_a_token_for_a_business_labels_no_entity_of_it(system: System) -> None:
    scene = await Scene(system).made()
    restricted = claiming(system, "mia", scope="moderate", businesses=["video"])
    assert await restricted.errors(SET_LABELS, id=scene.video) == [("FORBIDDEN", ["setLabels"])]


@standalone
async def test_viewers_and_auditors_delete_no_comments(system: System) -> None:
    scene = await Scene(system).made()
    delete = "mutation ($id: ID!) { deleteComment(input: {commentId: $id}) { userErrors { code } } }"
    comment = await added(scene.bob, scene.post, "first")
    await system.drain()

    for role, code in ((AUDITOR, "NOT_ALLOWED"), (VIEWER, "NOT_ALLOWED"), (MODERATOR, None)):
        answer = await with_role(system, role.name.lower(), role).ask(delete, id=comment)
        assert [error["code"] for error in answer["deleteComment"]["userErrors"]] == ([code] if code else [])


@standalone
async def test_who_has_no_role_is_told_so(system: System) -> None:
    everywhere = {"realm_access": {"roles": ["plaudit-lead"]}}
    roles = {
        "plain": claiming(system, "bob"),
        "other roles": claiming(system, "bob", realm_access={"roles": ["plaudit-leads", "admin"]}),
        "another business": claiming(system, "bob", businesses=["video"], **everywhere),
        "posts": claiming(system, "bob", businesses=["post"], **everywhere),
    }
    found = {name: (await person.ask(ME))["viewer"]["moderationRole"] for name, person in roles.items()}
    assert found == {"plain": None, "other roles": None, "another business": None, "posts": "LEAD"}

    service = claiming(system, "backend", scope="act", **everywhere)
    service.headers["x-plaudit-user"] = "bob"
    assert (await service.ask(ME))["viewer"]["moderationRole"] is None
    assert await service.errors("{ moderationQueue { nodes { id } } }") == [("FORBIDDEN", ["moderationQueue"])]


@pytest.mark.parametrize(
    ("found", "role"),
    [
        ({"scope": "openid moderate"}, LEAD),
        ({"scope": "moderate", "groups": ["plaudit-viewer"]}, LEAD),
        ({"realm_access": {"roles": ["plaudit-viewer", "plaudit-moderator", "plaudit-auditor"]}}, MODERATOR),
        ({"realm_access": {"roles": ["plaudit-auditor"]}, "groups": ["plaudit-viewer"]}, VIEWER),
        ({"groups": "x plaudit-auditor y"}, AUDITOR),
        ({"groups": ["/staff/leads"]}, LEAD),
        ({"roles": ["plaudit-lead"], "scope": "plaudit-lead"}, None),
        ({"groups": {"plaudit-lead": True}, "realm_access": ["plaudit-lead"]}, None),
        ({"groups": [None, 7, ["plaudit-lead"]]}, None),
    ],
    ids=repr,
)
def test_claims_give_the_highest_role(found: dict[str, Any], role: ModeratorRole | None) -> None:
    settings = Settings(env="development", jwt_secret="s" * 32, moderation=ModerationSettings(roles=ROLES))  # type: ignore[arg-type]
    assert claims.read(payload(**found), settings).role is role


@pytest.mark.parametrize("given", [{"claims": ["groups"]}, {"lead": ["plaudit-lead"]}], ids=repr)
def test_roles_need_claims_and_values(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="roles needs claims, and values of at least one role"):
        ModeratorRoleSettings(**given)
