"""likedByFollowed: the newest likers of an entity that the viewer follows."""

from typing import Any

import pytest

from models.counters import EntityRef
from tests.support.costs import cost
from tests.support.follows import follow, registered, unfollow
from tests.support.journal_entries import ref_of, someone
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System

LIKED_BY = """query ($id: ID!, $first: Int = 3) { node(id: $id) { ... on Reactable {
  likedByFollowed(first: $first) { handle } } } }"""
PAGE = """query ($keys: [String!]!) { entities(business: "%s", keys: $keys) {
  id likeCount likedByFollowed { handle displayName } } }"""
HANDLES = [f"p{i}" for i in range(8)]


async def liked_by(reader: Person, entity: str, **arguments: int) -> Any:
    found = (await reader.ask(LIKED_BY, id=entity, **arguments))["node"]["likedByFollowed"]
    return None if found is None else [user["handle"] for user in found]


async def like_as(system: System, entity: str, *handles: str) -> None:
    """Likes the entity as these users, in this order. Drains the system."""
    for handle in handles:
        await system.person(handle).like(entity)
    await system.drain()


async def crowd(system: System, ref: EntityRef, count: int) -> None:
    """Inserts rows of this many older likes of other users."""
    await system.rows(
        """WITH people AS (SELECT 1900000000000000000 + n AS id, n FROM generate_series(1, :count) AS n),
                users AS (INSERT INTO users (user_id, handle, display_name)
                          SELECT id, 'crowd' || n, 'Crowd' FROM people ON CONFLICT DO NOTHING)
           INSERT INTO reactions (user_id, business_id, entity_id, state, version)
           SELECT id, :business, :entity, 1, (1700000000000 + n) << 20 FROM people RETURNING 1""",
        count=count,
        business=ref.business_id,
        entity=ref.entity_id,
    )


async def test_only_followed_likers_are_listed_newest_first(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids[::2])
    await like_as(system, video, "p4", "p1", "p0", "p2", "p3")

    for _ in range(2):
        assert await liked_by(alice, video) == ["p2", "p0", "p4"]
        await system.empty_redis()


@standalone
async def test_the_argument_first_limits_the_number_of_likers(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await like_as(system, video, *HANDLES)

    assert await liked_by(alice, video) == ["p7", "p6", "p5"]
    assert await liked_by(alice, video, first=1) == ["p7"]
    assert await liked_by(alice, video, first=100) == HANDLES[::-1]
    for reader in (alice, system.person(None)):
        for first in (0, -1, 101):
            assert await reader.errors(LIKED_BY, id=video, first=first) == [("BAD_INPUT", ["node", "likedByFollowed"])]


@standalone
async def test_hidden_users_do_not_shorten_the_list(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await like_as(system, video, *HANDLES)

    for handle in (7, 5, 4):
        await suspend(moderator(system), ids[handle])

    assert await liked_by(alice, video) == ["p6", "p3", "p2"]
    assert await liked_by(alice, video, first=1) == ["p6"]
    assert await liked_by(alice, video, first=100) == ["p6", "p3", "p2", "p1", "p0"]


@standalone
async def test_one_request_can_ask_for_several_numbers_of_likers(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await like_as(system, video, *HANDLES)
    query = """query ($id: ID!) { node(id: $id) { ... on Reactable {
      one: likedByFollowed(first: 1) { handle } two: likedByFollowed(first: 2) { handle } } } }"""

    node = (await alice.ask(query, id=video))["node"]

    assert node == {"one": [{"handle": "p7"}], "two": [{"handle": "p7"}, {"handle": "p6"}]}


@standalone
async def test_likedbyfollowed_is_null_for_anonymous_viewers_and_empty_without_follows(system: System) -> None:
    (video,) = await system.videos("v1")
    await like_as(system, video, "p0")

    assert await liked_by(system.person(None), video) is None
    assert await liked_by(system.person("p0"), video) == []


@standalone
async def test_the_viewers_own_follow_and_unfollow_are_included_at_once(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await like_as(system, video, "p0", "p1")
    assert await liked_by(alice, video) == []

    await follow(alice, ids[0], ids[1])
    assert await liked_by(alice, video) == ["p1", "p0"]
    await unfollow(alice, ids[1])
    assert await liked_by(alice, video) == ["p0"]


@standalone
async def test_removed_likes_and_dislikes_are_not_listed(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await like_as(system, video, "p0", "p1", "p2")
    assert await liked_by(alice, video) == ["p2", "p1", "p0"]

    await system.person("p1").unlike(video)
    await system.person("p2").react("dislike", video)
    await system.drain()

    assert await liked_by(alice, video) == ["p0"]


@standalone
@pytest.mark.parametrize(
    ("business", "likers"),
    [("video", 0), ("video", 150), ("video", 250), ("tiny", 20)],
    ids=["few likers", "many likers", "more likers than are cached", "a business that caches few likers"],
)
async def test_a_warm_page_of_twenty_entities_costs_four_round_trips_and_no_query(
    system: System, business: str, likers: int
) -> None:
    """The trips read the entities; their likers and counters; the viewer's relations to the likers; profiles."""
    names = [f"e{i}" for i in range(20)]
    entities = await system.videos(*names, business=business)
    alice, bob = system.person("alice"), await someone(system, "bob")
    await follow(alice, f"User:{bob.user_id}")
    for entity in entities:
        await crowd(system, await ref_of(system, entity), likers)
        await bob.person.like(entity)
    await system.drain()
    query = PAGE % business
    page = (await alice.ask(query, keys=names))["entities"]
    assert [entity["likedByFollowed"] for entity in page] == [[{"handle": "bob", "displayName": "bob"}]] * 20

    assert await cost(alice, query, keys=names) == (4, 0)


@standalone
async def test_a_warm_page_costs_no_query_after_a_liker_removes_the_like(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, carol = system.person("alice"), await someone(system, "bob"), system.person("carol")
    await follow(alice, f"User:{bob.user_id}")
    await crowd(system, await ref_of(system, video), 250)
    await like_as(system, video, "bob", "carol")
    assert await liked_by(alice, video) == ["bob"]

    await carol.unlike(video)
    await system.drain()

    assert await liked_by(alice, video) == ["bob"]
    assert (await cost(alice, LIKED_BY, id=video))[1] == 0
