"""Among an entity's newest likers those whom the viewer follows."""

from typing import Any

import pytest

from models.counters import EntityRef
from tests.support.costs import cost
from tests.support.follows import follow, registered, unfollow
from tests.support.journal_entries import ref_of, someone
from tests.support.stores import standalone
from tests.support.system import Person, System

LIKED_BY = """query ($id: ID!, $first: Int = 3) { node(id: $id) { ... on Reactable {
  likedByFollowed(first: $first) { handle } } } }"""
PAGE = """query ($keys: [String!]!) { entities(business: "%s", keys: $keys) {
  id likeCount likedByFollowed { handle displayName } } }"""
HANDLES = [f"p{i}" for i in range(8)]


async def liked_by(reader: Person, entity: str, **arguments: int) -> Any:
    found = (await reader.ask(LIKED_BY, id=entity, **arguments))["node"]["likedByFollowed"]
    return None if found is None else [user["handle"] for user in found]


async def liked(system: System, entity: str, *handles: str) -> None:
    """These people like it, in this order, drained."""
    for handle in handles:
        await system.person(handle).like(entity)
    await system.drain()


async def crowd(system: System, ref: EntityRef, count: int) -> None:
    """So many more who liked something long ago, straight into the rows."""
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


async def test_only_followed_likers_newest_first(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids[::2])
    await liked(system, video, "p4", "p1", "p0", "p2", "p3")

    for _ in range(2):
        assert await liked_by(alice, video) == ["p2", "p0", "p4"]
        await system.empty_redis()


@standalone
async def test_as_many_as_asked_for_and_no_other_number(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await liked(system, video, *HANDLES)

    assert await liked_by(alice, video) == ["p7", "p6", "p5"]
    assert await liked_by(alice, video, first=1) == ["p7"]
    assert await liked_by(alice, video, first=100) == HANDLES[::-1]
    for reader in (alice, system.person(None)):
        for first in (0, -1, 101):
            assert await reader.errors(LIKED_BY, id=video, first=first) == [("BAD_INPUT", ["node", "likedByFollowed"])]


@standalone
async def test_several_numbers_in_one_request(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await liked(system, video, *HANDLES)
    query = """query ($id: ID!) { node(id: $id) { ... on Reactable {
      one: likedByFollowed(first: 1) { handle } two: likedByFollowed(first: 2) { handle } } } }"""

    node = (await alice.ask(query, id=video))["node"]

    assert node == {"one": [{"handle": "p7"}], "two": [{"handle": "p7"}, {"handle": "p6"}]}


@standalone
async def test_nobody_signed_in_is_null_and_nobody_followed_is_empty(system: System) -> None:
    (video,) = await system.videos("v1")
    await liked(system, video, "p0")

    assert await liked_by(system.person(None), video) is None
    assert await liked_by(system.person("p0"), video) == []


@standalone
async def test_ones_own_follow_and_unfollow_show_at_once(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await liked(system, video, "p0", "p1")
    assert await liked_by(alice, video) == []

    await follow(alice, ids[0], ids[1])
    assert await liked_by(alice, video) == ["p1", "p0"]
    await unfollow(alice, ids[1])
    assert await liked_by(alice, video) == ["p0"]


@standalone
async def test_likes_that_were_taken_back_or_turned_into_dislikes_do_not_count(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ids = system.person("alice"), await registered(system, *HANDLES)
    await follow(alice, *ids)
    await liked(system, video, "p0", "p1", "p2")
    assert await liked_by(alice, video) == ["p2", "p1", "p0"]

    await system.person("p1").unlike(video)
    await system.person("p2").react("dislike", video)
    await system.drain()

    assert await liked_by(alice, video) == ["p0"]


@standalone
@pytest.mark.parametrize(
    ("business", "likers"),
    [("video", 0), ("video", 150), ("video", 250), ("tiny", 20)],
    ids=["few likers", "many", "more than are cached", "a business that caches few"],
)
async def test_a_warm_page_of_twenty_is_four_trips_and_no_query(system: System, business: str, likers: int) -> None:
    """The entities; their likers and counters; whom of them the viewer follows; profiles."""
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
    assert [one["likedByFollowed"] for one in page] == [[{"handle": "bob", "displayName": "bob"}]] * 20

    assert await cost(alice, query, keys=names) == (4, 0)


@standalone
async def test_a_warm_page_costs_no_query_after_somebody_has_taken_their_like_back(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, carol = system.person("alice"), await someone(system, "bob"), system.person("carol")
    await follow(alice, f"User:{bob.user_id}")
    await crowd(system, await ref_of(system, video), 250)
    await liked(system, video, "bob", "carol")
    assert await liked_by(alice, video) == ["bob"]

    await carol.unlike(video)
    await system.drain()

    assert await liked_by(alice, video) == ["bob"]
    assert (await cost(alice, LIKED_BY, id=video))[1] == 0
