"""Posts that refer to an entity: publishPost(entityId:) and Post.entity."""

from typing import Any

import pytest

from identity import auth
from tests.support.costs import cost
from tests.support.follows import follow_people
from tests.support.outgoing import received, to_stream
from tests.support.posts import delete, edit
from tests.support.removing import remove
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System

CARD = " fragment Card on Post { id text entity { id title url owner { handle } } }"
PUBLISH = (
    """mutation ($text: String!, $entity: ID, $key: String!) {
  publishPost(input: {text: $text, entityId: $entity, idempotencyKey: $key}) {
    post { ...Card } userErrors { code field } } }"""
    + CARD
)
READ = "query ($id: ID!) { node(id: $id) { ...Card } }" + CARD
HOME = "query { viewer { home(first: 20) { nodes { id text author { handle } likeCount %s } } } }"


async def publish(person: Person, entity: str | None, text: str = "look", key: str = "k") -> Any:
    return (await person.ask(PUBLISH, text=text, entity=entity, key=key))["publishPost"]


async def read(reader: Person, post: str) -> Any:
    node = (await reader.ask(READ, id=post))["node"]
    return node and {"text": node["text"], "entity": node["entity"]}


async def test_a_post_shows_the_entity_to_which_it_refers(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    alice, bob = system.person("alice"), system.person("bob")
    card = {"id": video, "title": "v1", "url": None, "owner": {"handle": "olga"}}

    post = (await publish(alice, video))["post"]
    assert post["entity"] == card
    assert (await read(alice, post["id"]))["entity"] == card
    await system.drain()
    assert await read(bob, post["id"]) == {"text": "look", "entity": card}

    await edit(alice, post["id"], text="look again")
    assert (await read(alice, post["id"]))["entity"] == card
    await system.drain()
    await system.empty_redis()
    assert await read(bob, post["id"]) == {"text": "look again", "entity": card}


async def test_the_post_stays_when_its_entity_is_removed(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, service = system.person("alice"), system.person("service", "entities:write")
    post = (await publish(alice, video))["post"]["id"]
    await system.drain()

    await remove(service, video)

    assert await read(alice, post) == {"text": "look", "entity": None}
    await system.videos("v1")
    assert (await read(alice, post))["entity"]["id"] == video


@pytest.mark.parametrize("named", ["Entity:video:missing", "Entity:nothing:v1", "Post:1", "Entity:video:gone"])
async def test_an_unknown_entity_is_refused(system: System, named: str) -> None:
    (gone,) = await system.videos("gone")
    await remove(system.person("service", "entities:write"), gone)
    assert await publish(system.person("alice"), named) == {
        "post": None,
        "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["entityId"]}],
    }
    await system.drain()
    assert await system.rows("SELECT * FROM posts") == []


async def test_a_malformed_id_and_the_entity_of_another_business_are_refused(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    token = auth.mint(system.settings, "alice", businesses=["post"])
    restricted = Person(system.http, "alice", {"authorization": f"Bearer {token}"})
    await alice.id()
    variables = {"text": "x", "key": "k"}
    async with unchanged(system):
        assert await alice.errors(PUBLISH, entity="Entity:", **variables) == [("BAD_INPUT", ["publishPost"])]
        assert await restricted.errors(PUBLISH, entity=video, **variables) == [("FORBIDDEN", ["publishPost"])]


async def test_a_post_needs_a_text_beside_the_entity(system: System) -> None:
    (video,) = await system.videos("v1")
    assert (await publish(system.person("alice"), video, ""))["userErrors"] == [
        {"code": "TEXT_EMPTY", "field": ["text"]}
    ]


async def test_a_repeated_request_with_another_entity_is_not_the_same_request(system: System) -> None:
    one, other = await system.videos("v1", "v2")
    alice = system.person("alice")
    first = (await publish(alice, one))["post"]
    await system.drain()
    await remove(system.person("service", "entities:write"), one)
    again = (await publish(alice, one))["post"]
    assert (again["id"], again["entity"]) == (first["id"], None)
    for entity in (other, None):
        assert (await publish(alice, entity))["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"


async def test_a_deleted_post_refers_to_nothing_after_its_texts_are_removed(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    post = (await publish(alice, video))["post"]["id"]
    await system.drain()
    assert await system.rows("SELECT about_business FROM posts") == [(100,)]
    await delete(alice, post)
    await system.drain()
    assert await read(alice, post) is None


async def test_a_page_reads_all_entities_in_one_round_trip_and_only_if_it_asks_for_them(system: System) -> None:
    videos = await system.videos("v1", "v2", "v3", owner="olga")
    alice, bob = system.person("alice"), system.person("bob")
    await follow_people(alice, bob)
    for n, video in enumerate(videos):
        await publish(bob, video, f"post {n}", f"k{n}")
    await publish(bob, None, "without", "k9")
    await system.drain()
    without, asks = HOME % "", HOME % "entity { id title }"
    nodes = (await alice.ask(asks))["viewer"]["home"]["nodes"]
    assert [one["entity"] and one["entity"]["id"] for one in nodes] == [None, *reversed(videos)]
    await alice.ask(without)

    bare, full = await cost(alice, without), await cost(alice, asks)

    assert bare == (3, 0)
    assert full == (3, 0)


@standalone
async def test_events_name_the_entity(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.id()
    await to_stream(system, "post.created", "post.updated")

    post = (await publish(alice, video))["post"]["id"]
    await publish(alice, None, "nothing else", "k2")
    await system.drain()
    await edit(alice, post, text="look again")
    await system.drain()

    found = [(event["kind"], event["data"]["entityId"]) for event in await received(system)]
    assert found == [("post.created", video), ("post.created", None), ("post.updated", video)]
