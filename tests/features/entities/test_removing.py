"""removeEntities: nobody finds a removed entity or its comments, until it is registered again."""

import asyncio

import pytest

from identity import auth
from tests.support.comments import add, added, delete, text_of
from tests.support.costs import cost
from tests.support.registration import read, register, registrar
from tests.support.removing import REMOVE, remove
from tests.support.reports import queued, reported, resolve
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import Person, System

SEEN = """query ($id: ID!, $comment: ID!) {
  entity(business: "video", key: "v1") { id }
  entities(business: "video", keys: ["v1", "v2"]) { id }
  nodes(ids: [$id, $comment]) { id }
  user(handle: "bob") { likes(business: "video") { nodes { id } } }
  leaderboard(business: "video") { rank node { id } } }"""
LIKED_COMMENTS = '{ user(handle: "bob") { likes(business: "comment") { nodes { id } } } }'
NOTIFIED = "{ viewer { notifications { nodes { kind subject { id } } } } }"
COMMENTS = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Comment { text author { handle } likeCount } } }"


async def talk(system: System) -> tuple[str, str, str]:
    """Returns two videos of olga, which bob likes, and a comment of alice on the first one, which bob likes."""
    video, other = await system.videos("v1", "v2", owner="olga")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "hello")
    for target in (video, other):
        await bob.like(target)
    await system.drain()
    await bob.like(comment)
    await system.drain()
    return video, other, comment


async def test_a_removed_entity_and_its_comments_are_found_by_nobody(system: System) -> None:
    video, other, comment = await talk(system)
    viewers = [system.person(name) for name in ("alice", "bob", "olga", None)]
    for viewer in viewers:
        assert (await viewer.ask(SEEN, id=video, comment=comment))["entity"] == {"id": video}

    assert await remove(registrar(system), video) == {"removedIds": [video], "userErrors": []}

    for viewer in viewers:
        assert await viewer.ask(SEEN, id=video, comment=comment) == {
            "entity": None,
            "entities": [None, {"id": other}],
            "nodes": [None, None],
            "user": {"likes": {"nodes": [{"id": other}]}},
            "leaderboard": [{"rank": 1, "node": {"id": other}}],
        }
        assert (await viewer.ask(LIKED_COMMENTS))["user"]["likes"]["nodes"] == []
    told = (await system.person("olga").ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    assert {(one["kind"], one["subject"] and one["subject"]["id"]) for one in told} == {
        ("LIKE", other),
        ("LIKE", None),
        ("COMMENT", None),
    }


async def test_an_entity_that_is_registered_again_has_everything_back(system: System) -> None:
    video, _, comment = await talk(system)
    alice = system.person("alice")
    before = await alice.ask(SEEN, id=video, comment=comment)
    fields = await read(alice, "v1")
    await remove(registrar(system), video)
    await system.drain()

    await register(registrar(system), {"business": "video", "key": "v1"})

    assert await alice.ask(SEEN, id=video, comment=comment) == before
    assert await read(alice, "v1") == fields
    assert await text_of(alice, comment) == "hello"
    seen = await alice.ask("query ($id: ID!) { node(id: $id) { ... on Entity { likeCount commentCount } } }", id=video)
    assert seen["node"] == {"likeCount": 1, "commentCount": 1}


async def test_mutations_do_not_find_a_removed_entity(system: System) -> None:
    video, _, comment = await talk(system)
    bob = system.person("bob")
    await remove(registrar(system), video)

    assert [error["code"] for error in (await add(bob, video, "late"))["userErrors"]] == ["TARGET_NOT_FOUND"]
    async with unchanged(system):
        for verb, target in (("unlike", video), ("like", video), ("dislike", video), ("like", comment)):
            assert [error["code"] for error in (await bob.react(verb, target))["userErrors"]] == ["TARGET_NOT_FOUND"]
    assert (await delete(system.person("alice"), comment))["userErrors"] == []


async def test_moderators_still_read_comments_and_decide_reports(system: System) -> None:
    video, _, comment = await talk(system)
    mia = system.person("mia", "moderate")
    await reported(system.person("bob"), video)
    await system.drain()
    await remove(registrar(system), video)

    assert await text_of(mia, comment) == "hello"
    assert await queued(mia) == {video: 1}
    assert (await resolve(mia, video, "DISMISS"))["userErrors"] == []
    await system.drain()
    assert await queued(mia) == {}


async def test_removing_again_or_what_is_not_registered_changes_nothing(system: System) -> None:
    video, _, _ = await talk(system)
    ids = [video, "Entity:video:unknown", video]
    await remove(registrar(system), *ids)

    async with unchanged(system):
        assert await remove(registrar(system), *ids) == {"removedIds": ids, "userErrors": []}


async def test_only_services_for_the_business_remove_entities(system: System) -> None:
    await system.videos("v1", "v2")
    token = auth.mint(system.settings, "registrar", scopes=["entities:write"], businesses=["article"])
    people = [
        system.person("mia", "moderate", "users:write"),
        Person(system.http, "", {"authorization": f"Bearer {token}"}),
    ]
    await people[0].id()

    async with unchanged(system):
        for person in people:
            assert await person.errors(REMOVE, ids=["Entity:video:v1"]) == [("FORBIDDEN", ["removeEntities"])]
        assert await system.person(None).errors(REMOVE, ids=["Entity:video:v1"]) == [
            ("UNAUTHENTICATED", ["removeEntities"])
        ]
        for ids in (
            [],
            ["Entity:video:v1", "Post:1"],
            ["Entity:video:v1", "Entity:nope:v1"],
            ["Entity:video:v1", "Entity:video:a b"],
            ["User:1"],
            ["v1"],
            ["Entity:video:\0"],
            [f"Entity:video:{i}" for i in range(101)],
        ):
            assert await registrar(system).errors(REMOVE, ids=ids) == [("BAD_INPUT", ["removeEntities"])]


async def test_concurrent_removals_and_registrations_leave_caches_and_rows_in_agreement(system: System) -> None:
    keys = [f"v{i}" for i in range(20)]
    videos = await system.videos(*keys)
    services = [registrar(system) for _ in range(4)]
    reader = system.person("alice")

    await asyncio.gather(
        *[remove(one, *(videos if i % 2 else videos[::-1])) for i, one in enumerate(services)],
        *[register(one, *[{"business": "video", "key": key, "title": "new"} for key in keys]) for one in services],
        read(reader, *keys),
    )

    stored = dict(await system.rows("SELECT key, removed FROM entities"))
    assert [found is None for found in await read(reader, *keys)] == [stored[key] for key in keys]


@standalone
@pytest.mark.parametrize("asked", [COMMENTS], ids=["by id"])
async def test_the_check_costs_no_round_trip_once_the_process_knows_the_comments(system: System, asked: str) -> None:
    """The trips read comments with their entity and authors; users and counters."""
    _, _, comment = await talk(system)
    reader = system.person("carol")
    await reader.ask(asked, ids=[comment])

    assert await cost(reader, asked, ids=[comment]) == (2, 0)


async def test_a_removal_of_a_hundred_entities_takes_three_statements(system: System) -> None:
    """The statements read the keys, write the entities, and read the destinations of outgoing events."""
    videos = await system.videos(*[f"v{i}" for i in range(100)])
    service = registrar(system)

    assert (await cost(service, REMOVE, ids=videos))[1] == 3
