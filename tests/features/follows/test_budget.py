"""The cost of relations, lists and counts: round trips to Redis, each with all commands, and queries to Postgres."""

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
    """Returns a user and the ids of fifty others. The user follows some of the fifty, and some of these follow back."""
    alice = system.person("alice")
    mine, ids = await alice.id(), await registered(system, *PEOPLE)
    await follow(alice, *ids[:10:2])
    for handle in PEOPLE[:3]:
        await follow(system.person(handle), mine)
    await system.drain()
    return alice, ids


@pytest.mark.parametrize("signed_in", [True, False], ids=["signed in", "anonymous"])
async def test_a_warm_page_of_fifty_users_costs_two_round_trips_and_no_query(system: System, signed_in: bool) -> None:
    alice, ids = await community(system)
    reader = alice if signed_in else system.person(None)
    await reader.ask(PAGE, ids=ids)

    assert await cost(reader, PAGE, ids=ids) == (2, 0)


@standalone
@pytest.mark.parametrize("count", [2, 50])
async def test_a_cold_page_of_any_number_of_users_costs_five_queries(system: System, count: int) -> None:
    """The queries read profiles, counters, the viewer's boundaries and follows, and the follows of the viewer."""
    alice, ids = await community(system)
    await system.empty_redis()

    trips, queries = await cost(alice, PAGE, ids=ids[:count])

    assert queries == 5
    assert trips <= 11
    assert await cost(alice, PAGE, ids=ids[:count]) == (2, 0)


@standalone
async def test_pending_follows_add_no_cost_to_a_page(system: System) -> None:
    alice, ids = await community(system)
    await alice.ask(PAGE, ids=ids)
    await follow(alice, *ids[1:8:2])

    assert await cost(alice, PAGE, ids=ids) == (2, 0)


@standalone
async def test_only_the_viewers_own_count_of_friends_costs_one_more_round_trip_after_a_follow(system: System) -> None:
    """The trip reads whether the users just followed follow back."""
    alice, ids = await community(system)
    own = await alice.id()
    await alice.ask(PAGE, ids=[*ids, own])
    await follow(alice, *ids[1:8:2])

    assert await cost(alice, PAGE, ids=ids[10:]) == (2, 0)
    assert await cost(alice, PAGE, ids=[*ids[10:], own]) == (3, 0)


@standalone
async def test_a_page_that_is_half_warm_queries_only_the_other_half(system: System) -> None:
    alice, ids = await community(system)
    await system.empty_redis()
    await alice.ask(PAGE, ids=ids[:25])

    assert (await cost(alice, PAGE, ids=ids))[1] == 3  # without the query for the viewer's follows


@standalone
@pytest.mark.parametrize("name", ["followers", "following", "friends"])
async def test_a_warm_list_costs_four_round_trips_and_no_query(system: System, name: str) -> None:
    """The trips read the user; the list; the listed users; their relations to the viewer."""
    alice, _ = await community(system)
    mine = await alice.id()
    await alice.ask(LIST % name, id=mine)

    assert await cost(alice, LIST % name, id=mine) == (4, 0)


@standalone
@pytest.mark.parametrize("name", ["followers", "following", "friends"])
async def test_a_cold_list_costs_six_queries(system: System, name: str) -> None:
    """The queries read the user, the list, the listed users, the viewer's boundaries, and with two queries the
    relations.
    """
    alice, _ = await community(system)
    mine = await alice.id()
    await system.empty_redis()

    assert (await cost(alice, LIST % name, id=mine))[1] == 6


@standalone
async def test_the_warm_lists_of_fifty_users_cost_three_round_trips(system: System) -> None:
    alice, ids = await community(system)
    await alice.ask(LISTS, ids=ids)

    assert await cost(alice, LISTS, ids=ids) == (3, 0)


@standalone
async def test_the_following_lists_of_fifty_users_cost_one_query_per_user_without_recent_follows(
    system: System,
) -> None:
    """Three users have followed recently, so their own follows are cached. Reading caches no follows of other users."""
    alice, ids = await community(system)

    for _ in range(2):
        await alice.ask(FOLLOWING, ids=ids)
        assert (await cost(alice, FOLLOWING, ids=ids))[1] == len(ids) - 3


@pytest.mark.parametrize("verb", ["follow", "unfollow"])
async def test_a_warm_follow_costs_two_round_trips_and_no_query(system: System, verb: str) -> None:
    """The first trip reads the target, and the recorded answer of the key. The second trip runs the script."""
    alice, ids = await community(system)
    await alice.ask(PAGE, ids=ids)

    # Some requests make a budget reservation for the next ones.
    assert min([await cost(alice, ALONE % verb, id=ids[1]) for _ in range(3)]) == (2, 0)
    assert await cost(alice, ALONE % verb, id=ids[2], key="k") == (2, 0)
    assert await cost(alice, ALONE % verb, id=ids[2], key="k") == (2, 0)


@standalone
async def test_a_cold_follow_with_all_fields_of_its_payload_costs_seven_queries(system: System) -> None:
    """The queries read each profile, the counters of each, the actor's boundaries and follows, and whether the target
    follows back.
    """
    alice, ids = await community(system)
    await system.empty_redis()

    assert (await cost(alice, FOLLOW % "follow", id=ids[1]))[1] == 7
    assert await cost(alice, FOLLOW % "unfollow", id=ids[1]) == (4, 0)
