"""Outgoing events of profiles, suspensions and entities."""

from tests.support.outgoing import received, short, to_stream
from tests.support.stores import standalone
from tests.support.suspensions import moderator, reinstate, suspend
from tests.support.system import System

pytestmark = [standalone]

UPDATE = "mutation ($n: String!) { updateProfile(input: {displayName: $n}) { userErrors { message } } }"
REGISTER = "mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { userErrors { message } } }"
REMOVE = "mutation ($ids: [ID!]!) { removeEntities(ids: $ids) { removedIds userErrors { message } } }"


async def test_profiles_and_suspensions_are_events_with_comparable_versions(system: System) -> None:
    await to_stream(system, "user.created", "user.updated", "user.suspended")
    alice, judge = system.person("alice"), moderator(system)
    alice_id = await alice.id()
    await alice.ask(UPDATE, n="Alice A.")
    await suspend(judge, alice_id, "HIDDEN")
    await system.drain()
    await reinstate(judge, alice_id)

    events = [event for event in await received(system) if event["data"]["id"] == alice_id]

    assert [event["kind"] for event in events] == ["user.created", "user.updated", "user.suspended", "user.suspended"]
    assert events[1]["data"]["displayName"] == "Alice A."
    assert [event["data"]["mode"] for event in events[2:]] == ["HIDDEN", None]
    versions = [int(event["version"]) for event in events]
    assert versions == sorted(set(versions))


async def test_users_that_a_service_creates_and_changes_have_events(system: System) -> None:
    await to_stream(system, "user.created", "user.updated")
    service = system.person("service", "users:write")
    upsert = "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }"
    for name in ("Olga", "Olga", "Olga O."):
        await service.ask(upsert, u=[{"externalId": "olga", "handle": "olga", "displayName": name}])

    events = [event for event in await received(system) if event["data"]["handle"] == "olga"]

    assert [short(event, "displayName") for event in events] == [("user.created", "Olga"), ("user.updated", "Olga O.")]


async def test_entities_have_events_when_they_change(system: System) -> None:
    await to_stream(system, "entity.updated", "entity.removed")
    service, olga = system.person("service", "entities:write"), system.person("olga")
    olga_id = await olga.id()
    for title in ("Bird", "Bird", "Birds"):
        await service.ask(REGISTER, e=[{"business": "video", "key": "v9", "title": title, "owner": {"id": olga_id}}])
    for _ in range(2):
        await service.ask(REMOVE, ids=["Entity:video:v9"])
    await service.ask(REGISTER, e=[{"business": "video", "key": "v9", "commentsClosed": True}])

    events = await received(system)

    assert [short(event, "title", "commentsClosed") for event in events] == [
        ("entity.updated", "Bird", False),
        ("entity.updated", "Birds", False),
        ("entity.removed", "Birds", False),
        ("entity.updated", "Birds", True),
    ]
    assert {(event["business"], event["data"]["id"], event["data"]["ownerId"]) for event in events} == {
        ("video", "Entity:video:v9", olga_id)
    }
    versions = [int(event["version"]) for event in events]
    assert versions == sorted(set(versions))
    assert await system.rows("SELECT version FROM entities WHERE key = 'v9'") == [(4,)]
