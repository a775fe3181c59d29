"""Custom data in outgoing events."""

from store.groups import grouped
from tests.support.outgoing import received, to_stream
from tests.support.stores import standalone
from tests.support.system import System

REGISTER = "mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { userErrors { code } } }"
UPSERT = "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }"
PUBLISH = """mutation ($custom: JSON) {
  publishPost(input: {text: "hello", custom: $custom, idempotencyKey: "one"}) { post { id } userErrors { code } } }"""
COMMENT = """mutation ($post: ID!, $custom: JSON) { addComment(
  input: {subjectId: $post, text: "hello", custom: $custom, idempotencyKey: "one"}) { userErrors { code } } }"""


@standalone
async def test_events_have_the_custom_data(system: System) -> None:
    service, alice = system.person("service", "users:write entities:write"), system.person("alice")
    await alice.id()
    await to_stream(system, "user.updated", "entity.updated", "post.created", "comment.created")

    await service.ask(UPSERT, u=[{"externalId": "alice", "custom": {"level": 3}}])
    await service.ask(UPSERT, u=[{"externalId": "alice", "custom": None}])
    await service.ask(REGISTER, e=[{"business": "video", "key": "v1", "custom": {"length": 90}}])
    post = (await alice.ask(PUBLISH, custom={"mood": ["fine"]}))["publishPost"]["post"]["id"]
    await system.drain()
    await alice.ask(COMMENT, post=post, custom={"rating": 5})

    found = grouped((event["kind"], event["data"]["custom"]) for event in await received(system))
    assert found == {
        "user.updated": [{"level": 3}, None],
        "entity.updated": [{"length": 90}],
        "post.created": [{"mood": ["fine"]}],
        "comment.created": [{"rating": 5}],
    }
