"""Who likes an entity, and what a user likes: newest first, paged without gaps or repeats, cached or not.

In the business `tiny` the caches hold five of each, so that most of every list lies beyond them.
"""

import random

import pytest

from models.counters import EntityRef
from store import keys
from tests.support.paging import PAGE_INFO, Between, nothing, walk
from tests.support.system import Person, System

LIKERS = """query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on Reactable {
  page: likers(first: $first, after: $after) {
    edges { cursor createdAt node { handle } } nodes { handle } pageInfo { PAGE_INFO } } } } }"""
LIKES = """query ($id: ID!, $business: String!, $first: Int!, $after: String) { node(id: $id) { ... on User {
  page: likes(business: $business, first: $first, after: $after) {
    edges { cursor createdAt node { ... on Entity { key } } } nodes { ... on Entity { key } }
    pageInfo { PAGE_INFO } } } } }"""


async def likers(reader: Person, entity: str, first: int = 100, between: Between = nothing) -> list[str]:
    """Handles of everybody in the list, read in pages of `first`."""
    return await walk(reader, LIKERS, "handle", between, id=entity, first=first)


async def likes(
    reader: Person, user: str, business: str = "tiny", first: int = 100, between: Between = nothing
) -> list[str]:
    """Keys of everything in a user's list."""
    return await walk(reader, LIKES, "key", between, id=user, first=first, business=business)


async def forget_likers(system: System) -> None:
    """The cached lists are evicted; everything else stays."""
    for (entity_id,) in await system.rows("SELECT entity_id FROM entities"):
        for business in (100, 102):
            await system.state.cache.redis.client.delete(keys.likers(EntityRef(business, entity_id)))


async def crowd(system: System, entity: str, count: int) -> list[Person]:
    """So many people who like an entity, in order, drained."""
    people = [system.person(f"p{i:02}") for i in range(count)]
    for person in people:
        await person.like(entity)
    await system.drain()
    return people


@pytest.mark.parametrize(("business", "first"), [*(("tiny", n) for n in (1, 2, 3, 5, 12, 100)), ("video", 3)])
@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_likers_are_paged_completely_and_newest_first(system: System, business: str, first: int) -> None:
    (entity,) = await system.videos("e", business=business)
    people = await crowd(system, entity, 12)
    expected = [person.handle for person in reversed(people)]
    reader = system.person(None)

    cold = await likers(reader, entity, first)
    warm = await likers(reader, entity, first)
    await system.empty_redis()
    emptied = await likers(reader, entity, first)

    assert cold == warm == emptied == expected


@pytest.mark.parametrize(("business", "first"), [*(("tiny", n) for n in (1, 2, 3, 5, 12, 100)), ("video", 3)])
@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_users_likes_are_paged_completely_and_newest_first(system: System, business: str, first: int) -> None:
    entities = await system.videos(*[f"e{i:02}" for i in range(12)], business=business)
    alice, reader = system.person("alice"), system.person(None)
    for entity in entities:
        await alice.like(entity)
    await system.drain()
    mine = await alice.id()
    expected = [f"e{i:02}" for i in reversed(range(12))]

    warm = await likes(reader, mine, business, first)
    await system.empty_redis()
    cold = await likes(reader, mine, business, first)
    again = await likes(reader, mine, business, first)

    assert warm == cold == again == expected


async def test_a_warm_list_follows_likes_and_unlikes(system: System) -> None:
    (entity,) = await system.videos("e", business="tiny")
    people = await crowd(system, entity, 3)
    reader = system.person(None)
    assert await likers(reader, entity) == ["p02", "p01", "p00"]

    await people[1].unlike(entity)
    await system.person("new").like(entity)
    await people[0].react("dislike", entity)
    await system.drain()
    assert await likers(reader, entity) == ["new", "p02"]

    await people[1].like(entity)
    await system.drain()
    assert await likers(reader, entity) == ["p01", "new", "p02"]


async def test_a_full_window_of_unlikes_leaves_the_older_ones(system: System) -> None:
    (entity,) = await system.videos("e", business="tiny")
    people = await crowd(system, entity, 12)
    reader = system.person(None)
    await likers(reader, entity, 2)

    for person in people[3:]:
        await person.unlike(entity)
        await system.drain()
        await likers(reader, entity, 2)

    assert await likers(reader, entity, 2) == ["p02", "p01", "p00"]


@pytest.mark.parametrize(("first", "seed"), [(2, 0), (3, 1)])
@pytest.mark.parametrize("business", ["tiny", "video"])
async def test_likers_who_stay_are_met_once_while_others_come_and_go(
    system: System, business: str, first: int, seed: int
) -> None:
    (entity,) = await system.videos("e", business=business)
    people = await crowd(system, entity, 14)
    chance = random.Random(seed)
    restless = chance.sample(people, 5)
    reader = system.person(None)

    async def something() -> None:
        person = chance.choice(restless)
        await chance.choice((person.like, person.unlike))(entity)
        await system.person(f"new{chance.randrange(100)}").like(entity)
        if chance.random() < 0.7:
            await system.drain()
        if chance.random() < 0.2:
            await forget_likers(system)

    met = await likers(reader, entity, first, something)

    steady = [person.handle for person in reversed(people) if person not in restless]
    assert len(met) == len(set(met))
    assert [handle for handle in met if handle in steady] == steady


@pytest.mark.parametrize(("first", "seed"), [(2, 0), (3, 1)])
@pytest.mark.parametrize("business", ["tiny", "video"])
async def test_likes_that_stay_are_met_once_while_others_come_and_go(
    system: System, business: str, first: int, seed: int
) -> None:
    entities = await system.videos(*[f"e{i:02}" for i in range(14)], business=business)
    later = await system.videos(*[f"new{i}" for i in range(30)], business=business)
    alice = system.person("alice")
    for entity in entities:
        await alice.like(entity)
    await system.drain()
    mine = await alice.id()
    chance = random.Random(seed)
    restless = chance.sample(entities, 5)

    async def something() -> None:
        await chance.choice((alice.like, alice.unlike))(chance.choice(restless))
        await alice.like(chance.choice(later))
        if chance.random() < 0.5:
            await system.drain()
            if chance.random() < 0.3:
                await system.empty_redis()

    met = await likes(alice, mine, business, first, something)

    steady = [key for key in (f"e{i:02}" for i in reversed(range(14))) if f"Entity:{business}:{key}" not in restless]
    assert [key for key in met if key in steady] == steady
    assert len(met) == len(set(met))


@pytest.mark.parametrize("first", [2, 100])
async def test_ones_own_list_is_exact_before_anything_is_persisted(system: System, first: int) -> None:
    entities = await system.videos(*[f"e{i:02}" for i in range(12)], business="tiny")
    alice = system.person("alice")
    mine = await alice.id()

    for entity in entities:
        await alice.like(entity)
    assert await likes(alice, mine, first=first) == [f"e{i:02}" for i in reversed(range(12))]

    await alice.unlike(entities[0])
    await alice.unlike(entities[11])
    await alice.react("dislike", entities[5])
    await alice.unlike(entities[2])
    await alice.like(entities[2])
    expected = [f"e{i:02}" for i in (2, 10, 9, 8, 7, 6, 4, 3, 1)]
    assert await likes(alice, mine, first=first) == expected
    await system.drain()
    assert await likes(alice, mine, first=first) == expected


@pytest.mark.parametrize("first", [2, 100])
async def test_changes_to_old_persisted_likes_show_in_ones_own_list_at_once(system: System, first: int) -> None:
    entities = await system.videos(*[f"e{i:02}" for i in range(12)], business="tiny")
    alice = system.person("alice")
    mine = await alice.id()
    for entity in entities:
        await alice.like(entity)
    await system.drain()

    await alice.unlike(entities[0])
    await alice.react("dislike", entities[1])
    await alice.unlike(entities[3])
    await alice.like(entities[3])
    expected = [f"e{i:02}" for i in (3, 11, 10, 9, 8, 7, 6, 5, 4, 2)]

    assert await likes(alice, mine, first=first) == expected
    await system.drain()
    assert await likes(alice, mine, first=first) == expected
    await system.empty_redis()
    assert await likes(alice, mine, first=first) == expected


async def test_dislikes_are_in_neither_list(system: System) -> None:
    liked, disliked = await system.videos("liked", "disliked", business="tiny")
    alice = system.person("alice")
    await alice.like(liked)
    await alice.react("dislike", disliked)

    for _ in range(2):
        assert await likes(alice, await alice.id()) == ["liked"]
        await system.drain()
        assert await likers(alice, disliked) == []
        await system.empty_redis()


async def test_empty_lists_are_empty_and_not_null(system: System) -> None:
    (entity,) = await system.videos("e")
    alice = system.person("alice")

    assert await likers(alice, entity) == []
    assert await likes(alice, await alice.id(), "video") == []


async def test_a_cursor_still_opens_its_list_when_its_item_is_gone(system: System) -> None:
    (entity,) = await system.videos("e", business="tiny")
    people = await crowd(system, entity, 9)
    reader = system.person(None)
    query = LIKERS.replace("PAGE_INFO", PAGE_INFO)

    for first, gone, rest in ((2, people[7], people[:7]), (5, people[3], people[:3])):
        page = (await reader.ask(query, id=entity, first=first))["node"]["page"]
        await gone.unlike(entity)
        await system.drain()
        after = await reader.ask(query, id=entity, first=100, after=page["pageInfo"]["endCursor"])
        assert after["node"]["page"]["nodes"] == [{"handle": person.handle} for person in reversed(rest)]


async def test_fifty_entities_lists_in_one_request(system: System) -> None:
    entities = await system.videos(*[f"e{i}" for i in range(50)], business="tiny")
    people = [system.person(f"p{i}") for i in range(3)]
    for i, entity in enumerate(entities):
        await people[i % 3].like(entity)
    await system.drain()
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { likers(first: 1) { nodes { handle } } } } }"

    for _ in range(2):
        nodes = (await people[0].ask(query, ids=entities))["nodes"]
        assert [node["likers"]["nodes"] for node in nodes] == [[{"handle": f"p{i % 3}"}] for i in range(50)]
