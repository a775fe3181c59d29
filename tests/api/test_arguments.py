"""Invalid arguments: each returns its own error and writes nothing."""

from collections.abc import Mapping
from typing import Any

import pytest

from identity import auth
from tests.support.stored_state import unchanged
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

VERBS = ("like", "unlike", "dislike", "undislike")
REACT = "mutation ($id: ID!, $key: String) { %s(input: {targetId: $id, idempotencyKey: $key}) %s }"
RECORD = "mutation ($ids: [ID!]!) { %s(input: {targetIds: $ids}) { targets { id } userErrors { code field } } }"
PAYLOAD = "{ target { id } userErrors { code field } }"
NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"
LIKERS = """query ($first: Int!, $after: String) {
  entity(business: "video", key: "v1") { likers(first: $first, after: $after) { nodes { id } } } }"""
LIKES = """query ($first: Int!, $after: String) {
  viewer { user { likes(business: "video", first: $first, after: $after) { nodes { id } } } } }"""
ENTITIES = "query ($keys: [String!]!, $business: String!) { entities(business: $business, keys: $keys) { id } }"
USERS = "query ($ids: [String!]!) { users(externalIds: $ids) { id } }"
REGISTER_ENTITIES = """mutation ($e: [EntityInput!]!) {
  registerEntities(entities: $e) { entities { id } userErrors { code field } } }"""
REGISTER_USERS = """mutation ($u: [UserInput!]!) {
  registerUsers(users: $u) { users { id } userErrors { code field } } }"""
MALFORMED = (
    "",
    "v1",
    "Entity:video",
    "User:0",
    "User:99999999999999999999",
    "Post:x",
    "Topic:#a",
    "Topic:A b",
    "Entity:video:a b",
    "Entity:video:\0",
)


async def codes(person: Person, query: str, **variables: Any) -> tuple[int, list[str]]:
    """Returns status and error codes of a response."""
    response = await person.send(query, **variables)
    return response.status_code, [error["extensions"]["code"] for error in response.json().get("errors", [])]


async def refusals(person: Person, query: str, **variables: Any) -> list[tuple[str, list[str] | None]]:
    """Returns code and field of each user error of a mutation. Checks that there are no other errors."""
    ((payload,),) = [list((await person.ask(query, **variables)).values())]
    assert all(value is None for name, value in payload.items() if name != "userErrors")
    return [(error["code"], error["field"]) for error in payload["userErrors"]]


async def test_an_invalid_id_is_bad_input_everywhere(system: System) -> None:
    await system.videos("v1")
    alice = system.person("alice")

    async with unchanged(system):
        for text in MALFORMED:
            assert await codes(alice, "query ($id: ID!) { node(id: $id) { id } }", id=text) == (200, ["BAD_INPUT"])
            assert await codes(alice, NODES, ids=["Entity:video:v1", text]) == (200, ["BAD_INPUT"])
            for verb in VERBS:
                assert await codes(alice, REACT % (verb, PAYLOAD), id=text, key="k") == (200, ["BAD_INPUT"])
            for record in ("recordViews", "recordShares"):
                assert await codes(alice, RECORD % record, ids=["Entity:video:v1", text]) == (200, ["BAD_INPUT"])


async def test_ids_of_missing_objects_are_null_in_queries_and_not_found_in_mutations(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    bob_user = (await bob.ask("{ viewer { id user { id } } }"))["viewer"]
    unknown = ["Entity:video:nothing", "Entity:podcast:v1", "Entity:article:v1", "User:7", "Viewer:7", bob_user["id"]]

    async with unchanged(system):
        assert (await alice.ask(NODES, ids=[video, *unknown]))["nodes"] == [{"id": video}] + [None] * len(unknown)
        for id_ in [*unknown, bob_user["user"]["id"]]:
            for verb in VERBS:
                assert await refusals(alice, REACT % (verb, PAYLOAD), id=id_) == [("TARGET_NOT_FOUND", ["targetId"])]
            for record in ("recordViews", "recordShares"):
                answer = await refusals(alice, RECORD % record, ids=[video, id_])
                assert answer == [("TARGET_NOT_FOUND", ["targetIds"])]


async def test_a_dislike_is_refused_in_a_business_without_dislikes(system: System) -> None:
    (article,) = await system.videos("a1", business="article")
    alice = system.person("alice")

    async with unchanged(system):
        assert await refusals(alice, REACT % ("dislike", PAYLOAD), id=article) == [("DISLIKE_DISABLED", ["targetId"])]

    assert (await alice.react("undislike", article))["userErrors"] == []


@pytest.mark.parametrize("query", [LIKERS, LIKES], ids=["likers", "likes"])
async def test_a_page_has_between_one_and_a_hundred_items(system: System, query: str) -> None:
    await system.videos("v1")
    alice = system.person("alice")

    async with unchanged(system):
        for first in (0, -1, 101, 2**31 - 1, -(2**31)):
            assert await codes(alice, query, first=first) == (200, ["BAD_INPUT"])
    assert await codes(alice, query, first=100) == (200, [])


@pytest.mark.parametrize("query", [LIKERS, LIKES], ids=["likers", "likes"])
async def test_a_cursor_of_another_list_is_bad_input(system: System, query: str) -> None:
    videos = await system.videos("v1", "v2")
    alice = system.person("alice")
    for video in videos:
        await alice.like(video)
    await system.drain()
    page = "{ edges { cursor } }"
    lists = await alice.ask(
        f"""{{ mine: entity(business: "video", key: "v1") {{ likers {page} }}
               other: entity(business: "video", key: "v2") {{ likers {page} }}
               viewer {{ user {{ likes(business: "video") {page} elsewhere: likes(business: "tiny") {page} }} }} }}"""
    )
    likers = lists["mine"]["likers"]["edges"][0]["cursor"]
    likes = lists["viewer"]["user"]["likes"]["edges"][0]["cursor"]
    own, foreign = (likers, likes) if query == LIKERS else (likes, likers)
    altered = own[:-1] + ("A" if own[-1] != "A" else "B")
    cursors = ["", "garbage", "YWJj", "\0", "é" * 5, "a" * 300, altered, own + "=", own.lower(), foreign]
    cursors += [lists["other"]["likers"]["edges"][0]["cursor"]] if query == LIKERS else []

    async with unchanged(system):
        assert await codes(alice, query, first=1, after=own) == (200, [])
        for cursor in cursors:
            assert await codes(alice, query, first=1, after=cursor) == (200, ["BAD_CURSOR"]), cursor


async def test_lists_of_ids_have_at_most_a_hundred_items(system: System) -> None:
    (video,) = await system.videos("v1")
    anna = system.person("anna", "entities:write", "users:write")
    await anna.ask("{ viewer { id } }")
    entities = [{"business": "video", "key": f"k{i}"} for i in range(101)]
    users = [{"externalId": f"u{i}"} for i in range(101)]

    async with unchanged(system):
        assert await codes(anna, NODES, ids=[video] * 101) == (200, ["BAD_INPUT"])
        assert await codes(anna, ENTITIES, business="video", keys=["v1"] * 101) == (200, ["BAD_INPUT"])
        assert await codes(anna, USERS, ids=["u1"] * 101) == (200, ["BAD_INPUT"])
        assert await codes(anna, RECORD % "recordViews", ids=[video] * 101) == (200, ["BAD_INPUT"])
        assert await codes(anna, RECORD % "recordShares", ids=[video] * 101) == (200, ["BAD_INPUT"])
        assert await codes(anna, REGISTER_ENTITIES, e=entities) == (200, ["BAD_INPUT"])
        assert await codes(anna, REGISTER_USERS, u=users) == (200, ["BAD_INPUT"])


async def test_an_empty_list_is_bad_input_for_a_write_and_an_empty_result_for_a_read(system: System) -> None:
    anna = system.person("anna", "entities:write", "users:write")
    await anna.ask("{ viewer { user { id } } }")

    async with unchanged(system):
        for query in (RECORD % "recordViews", RECORD % "recordShares"):
            assert await codes(anna, query, ids=[]) == (200, ["BAD_INPUT"])
        assert await codes(anna, REGISTER_ENTITIES, e=[]) == (200, ["BAD_INPUT"])
        assert await codes(anna, REGISTER_USERS, u=[]) == (200, ["BAD_INPUT"])
        assert await anna.ask(NODES, ids=[]) == {"nodes": []}
        assert await anna.ask(USERS, ids=[]) == {"users": []}
        assert await anna.ask(ENTITIES, business="video", keys=[]) == {"entities": []}


async def test_an_unknown_business_and_an_invalid_key_are_refused(system: System) -> None:
    anna = system.person("anna", "entities:write")
    likes = "query ($b: String!) { viewer { user { likes(business: $b) { nodes { id } } } } }"
    places = [("podcast", "k"), ("", "k"), ("Video", "k"), ("video\0", "k"), ("video", ""), ("video", "a b")]
    places += [("video", "k\0"), ("video", "é"), ("video", "k" * 65)]
    await anna.ask("{ viewer { user { id } } }")

    async with unchanged(system):
        for business, key in places:
            assert await codes(anna, ENTITIES, business=business, keys=[key]) == (200, ["BAD_INPUT"])
            assert await codes(anna, REGISTER_ENTITIES, e=[{"business": business, "key": key}]) == (200, ["BAD_INPUT"])
        for business in ("podcast", "", "video\0"):
            assert await codes(anna, likes, b=business) == (200, ["BAD_INPUT"])


async def test_invalid_handles_and_external_ids_are_refused(system: System) -> None:
    alice, service = system.person("alice"), system.person("service", "users:read")
    for person in (alice, service):
        await person.ask("{ viewer { id } }")

    async with unchanged(system):
        for handle in ("", "a", "a b", "a-", "a..b", "é" * 3, "a\0b", "a" * 65):
            assert await codes(alice, "query ($h: String!) { user(handle: $h) { id } }", h=handle) == (
                200,
                ["BAD_INPUT"],
            )
        for external_id in ("", " a", "a\0", "a" * 256, "\x7f"):
            assert await codes(service, USERS, ids=["bob", external_id]) == (200, ["BAD_INPUT"])


WRITES: Mapping[str, tuple[str, dict[str, Any]]] = {
    **{verb: (REACT % (verb, PAYLOAD), {"id": "Entity:video:v1"}) for verb in VERBS},
    "registerEntities": (REGISTER_ENTITIES, {"e": [{"business": "video", "key": "v1", "title": "new"}]}),
    "registerUsers": (REGISTER_USERS, {"u": [{"externalId": "new"}]}),
    "updateProfile": ('mutation { updateProfile(input: {bio: "new"}) { user { id } } }', {}),
    "recordViews": (RECORD % "recordViews", {"ids": ["Entity:video:v1"]}),
    "recordShares": (RECORD % "recordShares", {"ids": ["Entity:video:v1"]}),
}


async def test_anonymous_clients_cannot_write(system: System) -> None:
    await system.videos("v1")
    anonymous = system.person(None)

    async with unchanged(system):
        answers = {name: await codes(anonymous, query, **variables) for name, (query, variables) in WRITES.items()}

    assert answers == dict.fromkeys(WRITES, (200, ["UNAUTHENTICATED"]))


async def test_registering_needs_its_own_scope(system: System) -> None:
    await system.videos("v1")
    people = [system.person("alice"), system.person("alice", "moderate", "users:read"), system.person("alice", "*")]
    people.append(system.person("alice", "users:write"))
    entities, users = WRITES["registerEntities"], WRITES["registerUsers"]

    async with unchanged(system):
        for person in people:
            assert await codes(person, entities[0], **entities[1]) == (200, ["FORBIDDEN"])
        for person in (*people[:-1], system.person("alice", "entities:write")):
            assert await codes(person, users[0], **users[1]) == (200, ["FORBIDDEN"])


@pytest.mark.parametrize("businesses", [["article"], ["article", "tiny"], ["videos"]])
async def test_a_token_for_other_businesses_cannot_write_in_this_one(system: System, businesses: list[str]) -> None:
    await system.videos("v1", "v2")
    token = auth.mint(system.settings, "alice", scopes=["entities:write"], businesses=businesses)
    alice = Person(system.http, "alice", {"authorization": f"Bearer {token}"})
    of_this_business = {name: write for name, write in WRITES.items() if "v1" in str(write)}

    async with unchanged(system):
        answers = {name: await codes(alice, query, **values) for name, (query, values) in of_this_business.items()}

    assert answers == dict.fromkeys(of_this_business, (200, ["FORBIDDEN"]))


@pytest.mark.parametrize("plans", [True, False])
async def test_a_null_variable_for_an_argument_with_a_default_is_bad_input(system: System, *, plans: bool) -> None:
    settings = system.settings.model_copy(update={"compiled_plans": plans})
    object.__setattr__(system.state, "settings", settings)
    await system.videos("v1")
    alice = system.person("alice")
    await alice.ask("{ viewer { id } }")
    fields = [
        'query ($null: Int) { topics(prefix: "c", first: $null) { name } }',
        "query ($null: TimelineSort) { square(sort: $null) { nodes { id } } }",
        'query ($null: Int) { entity(business: "video", key: "v1") { likers(first: $null) { nodes { id } } } }',
        (
            'mutation ($null: Boolean) { createCollection(input: {name: "c", isPublic: $null, idempotencyKey: "k"}) '
            "{ userErrors { code } } }"
        ),
        (
            'mutation ($null: [String!]) { publishPost(input: {text: "p", topics: $null, idempotencyKey: "k"}) '
            "{ userErrors { code } } }"
        ),
    ]

    async with unchanged(system):
        for query in fields:
            (error,) = (await alice.send(query, null=None)).json()["errors"]
            assert (error["extensions"]["code"], "None" in error["message"]) == ("BAD_INPUT", False), error
            assert "null" in error["message"]
