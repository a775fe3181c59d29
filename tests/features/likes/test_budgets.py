"""The cost of requests: round trips to Redis, each with all its commands, and queries to Postgres."""

import pytest

from observability import metrics
from tests.support.citus import IS_TESTED
from tests.support.costs import cost
from tests.support.system import REACT, Person, System

PAGE = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) {
  id title likeCount dislikeCount viewCount shareCount
  plays: actionCount(action: "plays") downloads: actionCount(action: "downloads") viewerReaction } }"""
PAGE_WITH_OWNERS = PAGE.replace("title", "title owner { handle displayName likesReceivedCount }")
LIKERS = '{ entity(business: "video", key: "k0") { likers(first: 50) { nodes { handle displayName } } } }'
LIKES = '{ viewer { user { likes(business: "video", first: 50) { nodes { id likeCount viewerReaction } } } } }'
RECORD = "mutation ($ids: [ID!]!) { %s(input: {targetIds: $ids}) { userErrors { code } } }"
RECORD_PLAYS = RECORD.replace("$ids})", '$ids, action: "plays"})') % "recordActions"
KEYS = [f"k{i}" for i in range(50)]
FINDS_SHARDS = int(IS_TESTED)
"""On Citus, one more query finds the shards of the entities that are read."""


async def community(system: System) -> tuple[Person, list[str]]:
    """Returns a user who likes half of fifty videos, and the ids of the videos."""
    videos = await system.videos(*KEYS, owner="owen")
    people = [system.person(f"p{i}") for i in range(10)]
    for person in people:
        await person.like(videos[0])
    alice = system.person("alice")
    for video in videos[::2]:
        await alice.like(video)
    await system.drain()
    return alice, videos


@pytest.mark.parametrize("signed_in", [True, False], ids=["signed in", "anonymous"])
async def test_a_warm_page_of_fifty_entities_costs_two_round_trips_and_no_query(
    system: System, signed_in: bool
) -> None:
    alice, _ = await community(system)
    reader = alice if signed_in else system.person(None)
    await reader.ask(PAGE, keys=KEYS)

    assert await cost(reader, PAGE, keys=KEYS) == (2, 0)


async def test_a_warm_page_with_owners_costs_three_round_trips_and_no_query(system: System) -> None:
    alice, _ = await community(system)
    await alice.ask(PAGE_WITH_OWNERS, keys=KEYS)

    assert await cost(alice, PAGE_WITH_OWNERS, keys=KEYS) == (3, 0)


async def test_pending_likes_add_no_cost_to_a_page(system: System) -> None:
    alice, videos = await community(system)
    await alice.ask(PAGE, keys=KEYS)
    for video in videos[1:5]:
        await alice.like(video)

    assert await cost(alice, PAGE, keys=KEYS) == (2, 0)


async def test_a_cold_page_costs_three_queries(system: System) -> None:
    """The queries read entities, their counters and the viewer's reactions. The process remembers the viewer."""
    alice, _ = await community(system)
    await system.empty_redis()

    trips, queries = await cost(alice, PAGE, keys=KEYS)

    assert queries == 3 + FINDS_SHARDS
    assert trips <= 8
    assert await cost(alice, PAGE, keys=KEYS) == (2, 0)


async def test_a_page_that_is_half_cold_costs_two_queries(system: System) -> None:
    await community(system)
    await system.empty_redis()
    await system.person(None).ask(PAGE, keys=KEYS[:25])

    assert (await cost(system.person(None), PAGE, keys=KEYS))[1] == 2 + FINDS_SHARDS


async def test_a_warm_like_costs_two_round_trips_and_no_query(system: System) -> None:
    """The first trip reads the target, and the recorded answer of the key. The second trip runs the script."""
    alice, videos = await community(system)
    no_payload = """mutation ($id: ID!, $key: String) {
      like(input: {targetId: $id, idempotencyKey: $key}) { userErrors { code } } }"""
    await alice.ask(no_payload, id=videos[1])

    assert await cost(alice, no_payload, id=videos[3]) == (2, 0)
    assert await cost(alice, no_payload, id=videos[5], key="k") == (2, 0)
    assert await cost(alice, no_payload, id=videos[3]) == (2, 0)


async def test_a_warm_like_with_all_fields_of_its_payload_costs_two_round_trips(system: System) -> None:
    """The trips read the entity; run the script, and read the counters."""
    alice, videos = await community(system)
    await alice.ask(PAGE, keys=KEYS)
    await alice.like(videos[1])

    for verb in ("like", "unlike", "dislike", "undislike"):
        assert await cost(alice, REACT % verb, id=videos[3]) == (2, 0)


async def test_the_first_like_after_redis_was_emptied_costs_five_queries(system: System) -> None:
    """The queries read the entity, the actor's profile, boundaries and reactions, and the counters of the payload."""
    alice, videos = await community(system)
    await system.empty_redis()

    trips, queries = await cost(alice, REACT % "like", id=videos[1])

    assert queries == 5 + FINDS_SHARDS
    assert trips <= 13


async def test_a_warm_list_of_likers_costs_three_round_trips_and_no_query(system: System) -> None:
    """The trips read the entity, its likers and their profiles."""
    alice, _ = await community(system)
    await alice.ask(LIKERS)

    assert await cost(alice, LIKERS) == (3, 0)


async def test_a_cold_list_of_likers_costs_four_queries(system: System) -> None:
    """The queries read the entity, its likers, their profiles, and the viewer's boundaries."""
    alice, _ = await community(system)
    await system.empty_redis()

    assert (await cost(alice, LIKERS))[1] == 4 + FINDS_SHARDS


async def test_the_own_warm_list_of_likes_costs_four_round_trips_and_no_query(system: System) -> None:
    """The trips read the profile; the list; its entities; their counters and the viewer's reactions."""
    alice, _ = await community(system)
    await alice.ask(LIKES)

    assert await cost(alice, LIKES) == (4, 0)


@pytest.mark.parametrize("query", [RECORD % "recordViews", RECORD % "recordShares", RECORD_PLAYS])
async def test_recording_fifty_views_costs_two_round_trips_and_no_query(system: System, query: str) -> None:
    alice, videos = await community(system)
    await alice.ask(query, ids=videos)

    assert await cost(alice, query, ids=videos) == (2, 0)


async def test_reading_the_own_id_costs_nothing(system: System) -> None:
    alice = system.person("alice")
    await alice.ask("{ viewer { id } }")

    assert await cost(alice, "{ viewer { id } }") == (0, 0)


@pytest.mark.parametrize(
    "query",
    [
        '{ node(id: "no id") { id } }',
        "{ nothing }",
        'mutation { like(input: {targetId: "no id"}) { userErrors { code } } }',
        "mutation { recordViews(input: {targetIds: []}) { userErrors { code } } }",
    ],
)
async def test_a_refused_request_costs_nothing(system: System, query: str) -> None:
    alice = system.person("alice")
    await alice.ask("{ viewer { id } }")

    assert await alice.errors(query)
    assert metrics.usage.get() == metrics.Usage(0, 0)
