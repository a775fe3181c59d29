"""Tokens restricted to some businesses. Each rule is tested with a token that it refuses and one that it allows."""

import asyncio
import json
import re
import time
from contextlib import aclosing
from typing import Any

import jwt
import pytest

from api.messages import GraphQLRequest
from domain.errors import Forbidden
from execution.limits import LARGEST, Limits
from identity import auth
from identity.permissions import Rule, check_fields
from schema import RULES, schema
from schema.planned import documents_of
from tests.support.collections import created, save_into
from tests.support.deployment import ROOT
from tests.support.restricted_operations import OPERATIONS
from tests.support.stores import standalone
from tests.support.subscriptions import eventually
from tests.support.system import Person, System
from web.demo import MANIFEST

ALLOWING = {
    Rule.ALL: [],
    Rule.TARGET: ["video", "post", "comment"],
    Rule.POST: ["post"],
    Rule.COMMENT: ["comment", "video"],
}
"""The businesses of a token that each rule allows."""
REFUSING = {
    Rule.TARGET: ["article"],
    Rule.POST: ["video", "comment"],
    Rule.COMMENT: ["video", "post"],
    Rule.ACCOUNT: ["video", "post", "comment", "article"],
}
OF_THE_CONSOLE = ROOT / "clients/typescript/src/operations/moderation.graphql"
UNRESTRICTED = {
    *("DecideAppeal", "ModerationLog", "Transparency", "WarnUser", "SuspendUser", "ReinstateUser", "Suspension"),
    *("SavedQueues", "SaveQueue", "DeleteSavedQueue", "Decisions", "ModeratedProfile"),
}
"""Operations of the moderation console for moderators whose tokens are not restricted."""
SCOPES = "admin", "moderate", "entities:write", "users:write", "users:read", "lists:read"


def restricted(system: System, handle: str, *businesses: str) -> Person:
    claims = {"scopes": SCOPES, "businesses": businesses or [""]}  # mint omits an empty list
    return Person(system.http, handle, {"authorization": f"Bearer {auth.mint(system.settings, handle, **claims)}"})  # type: ignore[arg-type]


async def scene(system: System) -> dict[str, str]:
    """Creates an object of each kind. Returns their ids by the names in the operations."""
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    published = await alice.ask(
        'mutation { publishPost(input: {text: "mine", topics: ["cats"], idempotencyKey: "p"}) { post { id } } }'
    )
    post = published["publishPost"]["post"]["id"]
    commented = await alice.ask(
        'mutation ($id: ID!) { addComment(input: {subjectId: $id, text: "so", idempotencyKey: "c"}) '
        "{ comment { id } } }",
        id=video,
    )
    await system.drain()
    await bob.like(post)
    await system.drain()
    notification = (await alice.ask("{ viewer { notifications { nodes { id } } } }"))["viewer"]["notifications"][
        "nodes"
    ][0]
    comment = commented["addComment"]["comment"]["id"]
    collection = await created(alice, "public", public=True)
    await save_into(alice, collection, video)
    ids = {"video": video, "post": post, "comment": comment, "collection": collection}
    home = await alice.ask("{ viewer { home { pageInfo { startCursor } } } }")
    since = home["viewer"]["home"]["pageInfo"]["startCursor"]
    return {**ids, "bob": await bob.id(), "notification": notification["id"], "since": since}


async def is_forbidden(system: System, person: Person, query: str, things: dict[str, str]) -> bool:
    variables = {name: id_ for name, id_ in things.items() if f"${name}" in query}
    if query.startswith("subscription"):
        return await is_forbidden_to_watch(system, person, query, variables)
    return "FORBIDDEN" in [code for code, _ in await person.errors(query, **variables)]


async def is_forbidden_to_watch(system: System, person: Person, query: str, variables: dict[str, Any]) -> bool:
    context = await system.service.context(person.received_headers, None)
    async with aclosing(
        system.service.subscribe(GraphQLRequest(query, variables, None, None, False), context)
    ) as answers:
        first = asyncio.ensure_future(anext(answers))
        await eventually(lambda: first.done() or system.state.events.channels > 0)
        await asyncio.wait({first}, timeout=0.1)
        if first.done():
            return isinstance(first.exception(), Forbidden)
        first.cancel()
        await asyncio.wait({first})
        return False


def test_every_rule_is_tested() -> None:
    documents = documents_of(schema, shown=True)
    assert OPERATIONS.keys() == RULES.keys()
    for coordinate, query in OPERATIONS.items():
        assert coordinate in documents.operation(query, None, None, Limits()).fields


def test_a_moderator_of_posts_can_work_in_the_console() -> None:
    documents, refused = documents_of(schema, shown=True), set()
    names = re.findall(r"^(?:query|mutation|subscription) (\w+)", OF_THE_CONSOLE.read_text(), re.MULTILINE)
    for text in json.loads(MANIFEST.read_text()).values():
        operation = documents.operation(text, None, None, LARGEST)
        if operation.name not in names:
            continue
        try:
            check_fields(RULES, operation.fields, {"post"})
        except Forbidden:
            refused.add(operation.name)
    assert refused == UNRESTRICTED


@standalone
async def test_a_restricted_token_may_use_allowed_fields(system: System) -> None:
    things = await scene(system)
    for coordinate, query in OPERATIONS.items():
        if RULES[coordinate] in ALLOWING:
            person = restricted(system, "alice", *ALLOWING[RULES[coordinate]])
            assert not await is_forbidden(system, person, query, things), coordinate


@standalone
async def test_a_restricted_token_is_refused_forbidden_fields(system: System) -> None:
    things = await scene(system)
    for coordinate, query in OPERATIONS.items():
        if RULES[coordinate] in REFUSING:
            person = restricted(system, "alice", *REFUSING[RULES[coordinate]])
            assert await is_forbidden(system, person, query, things), coordinate


@standalone
async def test_a_refused_operation_changes_nothing(system: System) -> None:
    (video,) = await system.videos("v1")
    person = restricted(system, "alice", "video")
    both = """mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } }
      updateProfile(input: {handle: "mallory"}) { userErrors { code } } }"""

    assert (await person.send(both, id=video)).status_code == 403
    assert (await system.person("alice").ask("{ viewer { user { handle } } }"))["viewer"]["user"] == {"handle": "alice"}
    await system.drain()
    assert await system.rows("SELECT count(*) FROM reactions") == [(0,)]


@standalone
async def test_only_the_executed_operation_and_its_fragments_are_checked(system: System) -> None:
    person = restricted(system, "alice", "video")
    document = """query Mine { viewer { ...Unread } } query Public { user(handle: "alice") { ...Named } }
      fragment Unread on Viewer { user { ...Named } ...Deeper } fragment Deeper on Viewer { unreadNotificationCount }
      fragment Named on User { handle }"""

    async def named(operation: str) -> Any:
        body = {"query": document, "operationName": operation}
        return (await system.http.post("/graphql", json=body, headers=person.headers)).json()

    assert [error["extensions"]["code"] for error in (await named("Mine"))["errors"]] == ["FORBIDDEN"]
    assert (await named("Public"))["data"] == {"user": {"handle": "alice"}}


@standalone
@pytest.mark.parametrize("value", [None, [], "video", 7, True, {"video": True}, [None], ["VIDEO"]], ids=repr)
async def test_any_other_value_of_the_claim_restricts_the_token_to_no_business(system: System, value: Any) -> None:
    (video,) = await system.videos("v1")
    settings = system.settings
    assert settings.jwt_secret
    claims = {"iss": settings.issuer, "sub": "alice", "exp": int(time.time()) + 600, "businesses": value}
    token = jwt.encode(claims, settings.jwt_secret.get_secret_value())
    alice = Person(system.http, "alice", {"authorization": f"Bearer {token}"})

    assert await alice.errors(OPERATIONS["Mutation.like"], video=video) == [("FORBIDDEN", ["like"])]


@standalone
async def test_outside_its_businesses_a_token_reads_what_an_anonymous_client_reads(system: System) -> None:
    things = await scene(system)
    alice = system.person("alice")
    hidden = await alice.ask('mutation { publishPost(input: {text: "new", idempotencyKey: "h"}) { post { id } } }')
    ids = [things["post"], hidden["publishPost"]["post"]["id"], things["notification"]]
    await alice.like(things["post"])
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Post { viewerReaction } } }"

    elsewhere = (await restricted(system, "alice", "video").send(query, ids=ids)).json()
    for_posts = await restricted(system, "alice", "post").ask(query, ids=ids)

    assert elsewhere["data"]["nodes"] == [{"id": ids[0], "viewerReaction": None}, None, None]
    assert [(error["extensions"]["code"], error["path"]) for error in elsewhere["errors"]] == [
        ("FORBIDDEN", ["nodes", 0, "viewerReaction"])
    ]
    assert for_posts["nodes"] == [
        {"id": ids[0], "viewerReaction": "LIKE"},
        {"id": ids[1], "viewerReaction": None},
        None,
    ]
