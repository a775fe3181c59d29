"""What relations, lists and counts cost: trips to Redis, with all commands of one at once, and queries to Postgres."""

import pytest

from tests.support.costs import cost
from tests.support.follows import FOLLOW, follow, registered
from tests.support.stores import standalone
from tests.support.system import Person, System

PAGE = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User {
  id handle viewerRelation followerCount followingCount friendCount } } }"""
LIST = "query ($id: ID!) { node(id: $id) { ... on User { page: %s(first: 50) { nodes { handle viewerRelation } } } } }"
LISTS = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User {
  followers(first: 5) { nodes { id } } friends(first: 5) { nodes { id } } } } }"""
FOLLOWING = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { following(first: 5) { nodes { id } } } } }"
ALONE = "mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) { userErrors { code } } }"
PEOPLE = [f"p{i:02}" for i in range(50)]


async def community(system: System) -> tuple[Person, list[str]]:
    """Somebody who follows some of fifty people, of whom some follow back."""
    alice = system.person("alice")
    mine, ids = await alice.id(), await registered(system, *PEOPLE)
    await follow(alice, *ids[:10:2])
    for handle in PEOPLE[:3]:
        await follow(system.person(handle), mine)
    await system.drain()
    return alice, ids


@pytest.mark.parametrize("signed_in", [True, False], ids=["signed in", "anonymous"])
async def test_a_warm_page_of_fifty_people_is_two_trips_and_no_query(system: System, signed_in: bool) -> None:
    alice, ids = await community(system)
    reader = alice if signed_in else system.person(None)
    await reader.ask(PAGE, ids=ids)

    assert await cost(reader, PAGE, ids=ids) == (2, 0)


@standalone
@pytest.mark.parametrize("count", [2, 50])
async def test_a_page_of_people_from_an_empty_redis_is_four_queries_however_many(system: System, count: int) -> None:
    """Profiles, counters, whom the viewer follows, who of them follows the viewer."""
    alice, ids = await community(system)
    await system.empty_redis()

    trips, queries = await cost(alice, PAGE, ids=ids[:count])

    assert queries == 4
    assert trips <= 9
    assert await cost(alice, PAGE, ids=ids[:count]) == (2, 0)


@standalone
async def test_a_page_with_something_pending_costs_the_same(system: System) -> None:
    alice, ids = await community(system)
    await alice.ask(PAGE, ids=ids)
    await follow(alice, *ids[1:8:2])

    assert await cost(alice, PAGE, ids=ids) == (2, 0)


@standalone
async def test_a_page_without_those_just_followed_is_one_trip_more(system: System) -> None:
    """Who of them follows back: that counts for one's own number of friends, and the page does not ask for it."""
    alice, ids = await community(system)
    await alice.ask(PAGE, ids=ids)
    await follow(alice, *ids[1:8:2])

    assert await cost(alice, PAGE, ids=ids[10:]) == (3, 0)


@standalone
async def test_a_page_half_known_asks_only_for_the_rest(system: System) -> None:
    alice, ids = await community(system)
    await system.empty_redis()
    await alice.ask(PAGE, ids=ids[:25])

    assert (await cost(alice, PAGE, ids=ids))[1] == 3  # all but whom the viewer follows


@standalone
@pytest.mark.parametrize("name", ["followers", "following", "friends"])
async def test_a_warm_list_is_four_trips_and_no_query(system: System, name: str) -> None:
    """The user; the list; its people; what they and the viewer are to each other."""
    alice, _ = await community(system)
    mine = await alice.id()
    await alice.ask(LIST % name, id=mine)

    assert await cost(alice, LIST % name, id=mine) == (4, 0)


@standalone
@pytest.mark.parametrize("name", ["followers", "following", "friends"])
async def test_a_cold_list_is_five_queries(system: System, name: str) -> None:
    """As above, where relations are two."""
    alice, _ = await community(system)
    mine = await alice.id()
    await system.empty_redis()

    assert (await cost(alice, LIST % name, id=mine))[1] == 5


@standalone
async def test_fifty_peoples_warm_lists_are_three_trips(system: System) -> None:
    alice, ids = await community(system)
    await alice.ask(LISTS, ids=ids)

    assert await cost(alice, LISTS, ids=ids) == (3, 0)


@standalone
async def test_whom_fifty_follow_is_a_query_for_each_who_has_not_followed_lately(system: System) -> None:
    """Three of them have, and what they know of their own is warm; reading warms nobody else's."""
    alice, ids = await community(system)

    for _ in range(2):
        await alice.ask(FOLLOWING, ids=ids)
        assert (await cost(alice, FOLLOWING, ids=ids))[1] == len(ids) - 3


@pytest.mark.parametrize("verb", ["follow", "unfollow"])
async def test_a_warm_follow_is_two_trips_and_no_query(system: System, verb: str) -> None:
    """Whom, with the recorded outcome where there is a key; the script."""
    alice, ids = await community(system)
    await alice.ask(PAGE, ids=ids)

    assert await cost(alice, ALONE % verb, id=ids[1]) == (2, 0)
    assert await cost(alice, ALONE % verb, id=ids[2], key="k") == (2, 0)
    assert await cost(alice, ALONE % verb, id=ids[2], key="k") == (2, 0)


@standalone
async def test_a_follow_with_everything_in_its_payload(system: System) -> None:
    """Cold: two profiles, at two levels; their counters, the same; whom the actor follows; who of them follows back."""
    alice, ids = await community(system)
    await system.empty_redis()

    assert (await cost(alice, FOLLOW % "follow", id=ids[1]))[1] == 6
    assert await cost(alice, FOLLOW % "unfollow", id=ids[1]) == (4, 0)
