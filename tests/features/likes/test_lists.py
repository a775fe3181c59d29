"""Likers of an entity, and likes of a user: newest first, paged without gaps or repeats, cached or not.

The caches of the business `tiny` hold five items per list, so that most of every list is not cached.
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
    """Returns the handles of the whole list, read in pages of `first`."""
    return await walk(reader, LIKERS, "handle", between, id=entity, first=first)


async def likes(
    reader: Person, user: str, business: str = "tiny", first: int = 100, between: Between = nothing
) -> list[str]:
    """Returns the keys of the user's whole list, read in pages of `first`."""
    return await walk(reader, LIKES, "key", between, id=user, first=first, business=business)


async def evict_likers(system: System) -> None:
    """Evicts the cached lists of likers."""
    for (entity_id,) in await system.rows("SELECT entity_id FROM entities"):
        for business in (100, 102):
            await system.state.cache.redis.client.delete(keys.likers(EntityRef(business, entity_id)))


async def crowd(system: System, entity: str, count: int) -> list[Person]:
    """Likes an entity as this many users, in order. Drains the system. Returns the users."""
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


async def test_older_likers_stay_listed_after_more_unlikes_than_the_cache_holds(system: System) -> None:
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
async def test_lasting_likers_are_listed_once_while_others_change(
    system: System, business: str, first: int, seed: int
) -> None:
    (entity,) = await system.videos("e", business=business)
    people = await crowd(system, entity, 14)
    chance = random.Random(seed)
    changing = chance.sample(people, 5)
    reader = system.person(None)

    async def change_randomly() -> None:
        person = chance.choice(changing)
        await chance.choice((person.like, person.unlike))(entity)
        await system.person(f"new{chance.randrange(100)}").like(entity)
        if chance.random() < 0.7:
            await system.drain()
        if chance.random() < 0.2:
            await evict_likers(system)

    found = await likers(reader, entity, first, change_randomly)

    steady = [person.handle for person in reversed(people) if person not in changing]
    assert len(found) == len(set(found))
    assert [handle for handle in found if handle in steady] == steady


@pytest.mark.parametrize(("first", "seed"), [(2, 0), (3, 1)])
@pytest.mark.parametrize("business", ["tiny", "video"])
async def test_lasting_likes_are_listed_once_while_others_change(
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
    changing = chance.sample(entities, 5)

    async def change_randomly() -> None:
        await chance.choice((alice.like, alice.unlike))(chance.choice(changing))
        await alice.like(chance.choice(later))
        if chance.random() < 0.5:
            await system.drain()
            if chance.random() < 0.3:
                await system.empty_redis()

    found = await likes(alice, mine, business, first, change_randomly)

    steady = [key for key in (f"e{i:02}" for i in reversed(range(14))) if f"Entity:{business}:{key}" not in changing]
    assert [key for key in found if key in steady] == steady
    assert len(found) == len(set(found))


@pytest.mark.parametrize("first", [2, 100])
async def test_the_own_list_is_exact_before_any_commit(system: System, first: int) -> None:
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
async def test_the_own_list_shows_changes_of_old_likes_at_once(system: System, first: int) -> None:
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


async def test_dislikes_are_listed_neither_as_likes_nor_as_likers(system: System) -> None:
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


async def test_a_cursor_is_still_valid_after_its_item_is_removed(system: System) -> None:
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


async def test_one_request_can_read_the_likers_of_fifty_entities(system: System) -> None:
    entities = await system.videos(*[f"e{i}" for i in range(50)], business="tiny")
    people = [system.person(f"p{i}") for i in range(3)]
    for i, entity in enumerate(entities):
        await people[i % 3].like(entity)
    await system.drain()
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { likers(first: 1) { nodes { handle } } } } }"

    for _ in range(2):
        nodes = (await people[0].ask(query, ids=entities))["nodes"]
        assert [node["likers"]["nodes"] for node in nodes] == [[{"handle": f"p{i % 3}"}] for i in range(50)]
