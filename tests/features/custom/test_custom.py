"""Custom data on users, entities, posts and comments: who sets it, who reads it, and what is refused."""

import json
from typing import Any

import pytest

from models.patches import CommentPatch, PostPatch
from tests.support.comments import decide, delete
from tests.support.stored_state import unchanged
from tests.support.system import Person, System

CUSTOM: dict[str, Any] = {"plan": "pro", "scores": [1, 2.5, None, True], "nested": {"é": {"b": [{}]}}}
UPSERT = """mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { users { custom } userErrors { code } } }"""
REGISTER = """mutation ($e: [EntityInput!]!) {
  registerEntities(entities: $e) { entities { custom } userErrors { code } } }"""
PUBLISH = """mutation ($custom: JSON, $key: String!) {
  publishPost(input: {text: "hello", custom: $custom, idempotencyKey: $key}) {
    post { id custom } userErrors { code } } }"""
EDIT = """mutation ($input: EditPostInput!) { editPost(input: $input) {
  post { text custom editedAt } userErrors { code } } }"""
ADD = """mutation ($subject: ID!, $to: ID, $custom: JSON, $key: String!) {
  addComment(input: {subjectId: $subject, replyToId: $to, text: "hello", custom: $custom, idempotencyKey: $key}) {
    comment { id custom } userErrors { code } } }"""
EDIT_COMMENT = """mutation ($input: EditCommentInput!) { editComment(input: $input) {
  comment { text custom editedAt } userErrors { code } } }"""
READ = """query ($ids: [ID!]!) { nodes(ids: $ids) {
  ... on User { custom } ... on Entity { custom } ... on Post { custom } ... on Comment { custom } } }"""


def service(system: System) -> Person:
    return system.person("service", "users:write", "entities:write")


async def read(reader: Person, *ids: str) -> list[Any]:
    return [node and node["custom"] for node in (await reader.ask(READ, ids=list(ids)))["nodes"]]


async def publish(person: Person, custom: object, key: str = "k1") -> Any:
    return (await person.ask(PUBLISH, custom=custom, key=key))["publishPost"]


async def add(person: Person, subject: str, custom: object, key: str = "k1", to: str | None = None) -> Any:
    return (await person.ask(ADD, subject=subject, to=to, custom=custom, key=key))["addComment"]


async def test_a_service_sets_the_custom_data_of_a_user(system: System) -> None:
    alice = system.person("alice")
    id_ = await alice.id()

    async def upsert(**fields: Any) -> Any:
        payload = (await service(system).ask(UPSERT, u=[{"externalId": "alice", **fields}]))["upsertUsers"]
        assert payload["userErrors"] == []
        return payload["users"][0]["custom"]

    assert await upsert() is None
    assert await upsert(custom=CUSTOM) == CUSTOM
    assert await upsert(bio="x") == CUSTOM
    await alice.ask('mutation { updateProfile(input: {bio: "mine"}) { userErrors { code } } }')
    assert await read(system.person(None), id_) == [CUSTOM]
    assert await upsert(custom={}) == {}
    assert await upsert(custom=None) is None
    assert await read(alice, id_) == [None]


async def test_a_service_sets_the_custom_data_of_an_entity(system: System) -> None:
    async def register(**fields: Any) -> Any:
        entity = {"business": "video", "key": "v1", **fields}
        return (await service(system).ask(REGISTER, e=[entity]))["registerEntities"]["entities"][0]["custom"]

    assert await register() is None
    assert await register(custom=CUSTOM) == CUSTOM
    assert await register(title="x") == CUSTOM
    assert await read(system.person(None), "Entity:video:v1") == [CUSTOM]
    assert await register(custom=None) is None


async def test_an_author_sets_the_custom_data_of_a_post_and_sees_it_at_once(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, CUSTOM))["post"]
    assert post["custom"] == CUSTOM
    assert await read(alice, post["id"]) == [CUSTOM]
    await system.drain()
    assert await read(bob, post["id"]) == [CUSTOM]

    for changes, custom in (({"text": "new"}, CUSTOM), ({"custom": {"a": 1}}, {"a": 1}), ({"custom": None}, None)):
        edited = (await alice.ask(EDIT, input={"postId": post["id"], **changes}))["editPost"]["post"]
        assert (edited["custom"], edited["text"]) == (custom, "new")
        assert edited["editedAt"]
        await system.drain()
        assert await read(bob, post["id"]) == [custom]
    await system.empty_redis()
    assert await read(bob, post["id"]) == [None]


async def test_an_author_sets_the_custom_data_of_a_comment_and_sees_it_at_once(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = (await add(alice, video, CUSTOM))["comment"]
    assert comment["custom"] == CUSTOM
    assert await read(alice, comment["id"]) == [CUSTOM]
    await system.drain()
    assert await read(bob, comment["id"]) == [CUSTOM]

    for changes, custom in (({"text": "new"}, CUSTOM), ({"custom": {"a": 1}}, {"a": 1}), ({"custom": None}, None)):
        edited = (await alice.ask(EDIT_COMMENT, input={"commentId": comment["id"], **changes}))["editComment"]
        assert (edited["comment"]["custom"], edited["comment"]["text"]) == (custom, "new")
        assert edited["comment"]["editedAt"]
        await system.drain()
        assert await read(bob, comment["id"]) == [custom]
    await system.empty_redis()
    assert await read(bob, comment["id"]) == [None]


@pytest.mark.parametrize("how", ["deleted", "rejected"])
async def test_nobody_reads_the_custom_data_of_a_tombstone(system: System, how: str) -> None:
    (video,) = await system.videos("v1")
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    comment = (await add(alice, video, CUSTOM))["comment"]["id"]
    await system.drain()
    await add(bob, video, None, to=comment)
    await system.drain()

    if how == "deleted":
        await delete(alice, comment)
        assert await read(alice, comment) == [None]
    else:
        await decide(mia, comment, "REJECT")
    await system.drain()

    readers = {"deleted": (alice, bob, mia), "rejected": (bob, system.person(None))}[how]
    assert [await read(reader, comment) for reader in readers] == [[None]] * len(readers)
    assert await read(mia, comment) == [None if how == "deleted" else CUSTOM]


async def test_the_same_key_with_other_custom_data_is_another_comment(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    first = await add(alice, video, CUSTOM)

    assert await add(alice, video, CUSTOM) == first
    for other in ({"a": 1}, None):
        assert (await add(alice, video, other))["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH"}]


async def test_the_same_key_with_other_custom_data_is_another_post(system: System) -> None:
    alice = system.person("alice")
    first = await publish(alice, CUSTOM)

    assert await publish(alice, CUSTOM) == first
    assert (await publish(alice, {"a": 1}))["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH"}]
    assert (await publish(alice, None))["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH"}]


async def test_custom_data_can_be_written_in_the_document(system: System) -> None:
    post = await system.person("alice").ask(
        """mutation { publishPost(input: {text: "x", idempotencyKey: "k",
             custom: {a: [7, 1.5, "t", true, null], b: {c: NAME}}}) { post { custom } } }"""
    )

    assert post["publishPost"]["post"] == {"custom": {"a": [7, 1.5, "t", True, None], "b": {"c": "NAME"}}}


HOSTILE = [
    '"text"', "[]", "7", '[{"a": 1}]', '{"a": "\\u0000"}', '{"\\u0000": 1}', '{"a": "\\ud800"}',
    '{"a": [[[[[1]]]]]}', json.dumps({"a": "x" * 4096}), '{"a": {"b": {"c": {"d": {"e": {}}}}}}',
]  # fmt: skip


@pytest.mark.parametrize("custom", HOSTILE, ids=range(len(HOSTILE)))
async def test_other_values_are_refused_and_change_nothing(system: System, custom: str) -> None:
    alice, services = system.person("alice"), service(system)
    await services.ask("{ viewer { id } }")
    (video,) = await system.videos("v2")
    requests = [
        (alice, ADD, f'{{"subject": "{video}", "custom": {custom}, "key": "k"}}'),
        (alice, PUBLISH, f'{{"custom": {custom}, "key": "k"}}'),
        (services, UPSERT, f'{{"u": [{{"externalId": "alice", "custom": {custom}}}]}}'),
        (services, REGISTER, f'{{"e": [{{"business": "video", "key": "v1", "custom": {custom}}}]}}'),
    ]

    async with unchanged(system):
        for person, query, variables in requests:
            body = f'{{"query": {json.dumps(query)}, "variables": {variables}}}'
            headers = {**person.headers, "content-type": "application/json"}
            response = await system.http.post("/graphql", content=body.encode(), headers=headers)
            assert response.status_code in (400, 422), response.text
            assert "data" not in response.json()
            (error,) = response.json()["errors"]
            assert error["extensions"]["code"] in ("BAD_INPUT", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED")


@pytest.mark.parametrize(
    "literal", ["[]", '"x"', "{a: 1e999}", '{a: "\\u0000"}', "{a: [[[[[1]]]]]}", "{a: %s}" % ("9" * 30)]
)
async def test_other_values_in_a_document_are_refused(system: System, literal: str) -> None:
    alice = system.person("alice")

    async with unchanged(system):
        input_ = f'{{text: "x", idempotencyKey: "k", custom: {literal}}}'
        response = await alice.send(f"mutation {{ publishPost(input: {input_}) {{ post {{ id }} }} }}")

    assert response.status_code in (400, 422)
    assert response.json()["errors"][0]["extensions"]["code"] in ("BAD_INPUT", "GRAPHQL_VALIDATION_FAILED")


async def test_an_integer_of_more_than_64_bits_becomes_a_floating_point_number_in_a_variable(system: System) -> None:
    payload = await publish(system.person("alice"), {"a": [(1 << 64) - 1, 1 << 64]})

    exact, rounded = payload["post"]["custom"]["a"]
    assert (exact, rounded, type(rounded)) == ((1 << 64) - 1, 2.0**64, float)


def test_a_journal_entry_of_an_earlier_version_has_no_custom_data() -> None:
    entry = {"text": "x", "images": [], "topics": [], "op": "publish"}

    assert PostPatch.parse(1, entry).born(7, 8).custom is None
    with pytest.raises(TypeError):
        PostPatch.parse(1, {**entry, "custom": {"a": 1}})
    comment = {"text": "x", "op": "add", "subject": [100, 1], "owner": None}
    comment |= dict.fromkeys(("root", "parent", "replied_to"))
    assert CommentPatch.parse(1, comment).born(7, 8).custom is None
    with pytest.raises(TypeError):
        CommentPatch.parse(1, {**comment, "custom": {"a": 1}})
