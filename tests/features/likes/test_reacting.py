"""like, unlike, dislike and undislike through the API."""

import asyncio
from typing import Any

import pytest

from tests.support.system import Person, System

SEEN = """query ($id: ID!) { node(id: $id) { ... on Entity {
  likeCount dislikeCount viewerReaction owner { likesReceivedCount } } } }"""


async def count(person: Person, video: str) -> int:
    return int((await seen(person, video))["likeCount"])


async def seen(person: Person, video: str) -> Any:
    return (await person.ask(SEEN, id=video))["node"]


async def state(person: Person, video: str) -> tuple[int, int, str | None]:
    """Returns likes, dislikes and the person's own reaction."""
    node = await seen(person, video)
    return node["likeCount"], node["dislikeCount"], node["viewerReaction"]


async def test_the_actor_sees_a_like_at_once_and_others_see_it_after_the_commit(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")

    liked = await alice.like(video)

    assert liked["target"] == {"id": video, "likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}
    assert await count(bob, video) == 0
    await system.drain()
    assert await count(bob, video) == 1
    assert await count(alice, video) == 1
    assert await system.rows("SELECT state FROM reactions") == [(1,)]


@pytest.mark.parametrize(
    ("verbs", "expected"),
    [
        (["like"], (1, 0, "LIKE")),
        (["like", "like"], (1, 0, "LIKE")),
        (["like", "unlike"], (0, 0, None)),
        (["unlike"], (0, 0, None)),
        (["like", "unlike", "unlike"], (0, 0, None)),
        (["like", "undislike"], (1, 0, "LIKE")),
        (["like", "dislike"], (0, 1, "DISLIKE")),
        (["dislike", "dislike"], (0, 1, "DISLIKE")),
        (["dislike", "unlike"], (0, 1, "DISLIKE")),
        (["dislike", "undislike"], (0, 0, None)),
        (["dislike", "like"], (1, 0, "LIKE")),
        (["undislike"], (0, 0, None)),
        (["like", "dislike", "like", "unlike", "like"], (1, 0, "LIKE")),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("drained", [False, True], ids=["at once", "each persisted"])
async def test_a_sequence_of_verbs_ends_in_the_expected_state(
    system: System, verbs: list[str], expected: tuple[int, int, str | None], drained: bool
) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")

    for verb in verbs:
        payload = await alice.react(verb, video)
        assert payload["userErrors"] == []
        if drained:
            await system.drain()
            await system.empty_redis()
    assert await state(alice, video) == expected
    await system.drain()

    assert await state(alice, video) == expected
    assert await state(bob, video) == (*expected[:2], None)


async def test_a_repeated_verb_changes_no_row(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video)
    await system.drain()
    before = await system.stored("reactions"), await system.stored("counters")

    await alice.like(video)
    assert sum(await system.state.journals.lengths(range(system.settings.partitions))) == 0
    await system.drain()

    assert (await system.stored("reactions"), await system.stored("counters")) == before
    assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]


async def test_an_old_like_that_is_not_cached_is_still_known(system: System) -> None:
    """`tiny` caches five reactions per user. The other seven are read from rows (L10)."""
    entities = await system.videos(*[f"e{i:02}" for i in range(12)], business="tiny")
    alice = system.person("alice")
    for entity in entities:
        await alice.like(entity)
    await system.drain()
    logged = await system.rows("SELECT count(*) FROM like_log")

    for entity in entities:
        assert await state(alice, entity) == (1, 0, "LIKE")
        assert (await alice.like(entity))["target"]["likeCount"] == 1
    await system.drain()
    assert await system.rows("SELECT count(*) FROM like_log") == logged

    assert (await alice.unlike(entities[0]))["target"]["likeCount"] == 0
    await system.drain()
    assert await state(alice, entities[0]) == (0, 0, None)


async def test_concurrent_reactions_of_many_users_are_all_counted(system: System) -> None:
    (video,) = await system.videos("v1")
    people = [system.person(f"p{i}") for i in range(30)]

    await asyncio.gather(*[person.like(video) for person in people])
    await asyncio.gather(*[person.react("dislike", video) for person in people[:10]])
    await asyncio.gather(*[person.react("unlike", video) for person in people[20:]])
    await system.drain()

    assert await state(people[0], video) == (10, 10, "DISLIKE")


async def test_concurrent_reactions_of_one_user_end_in_one_state(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await alice.ask("{ viewer { id } }")

    await asyncio.gather(*[alice.react(verb, video) for verb in ("like", "unlike", "dislike", "undislike") * 8])
    acknowledged = await state(alice, video)
    await system.drain()

    assert await state(alice, video) == acknowledged
    assert await state(bob, video) == (*acknowledged[:2], None)
    assert acknowledged in ((1, 0, "LIKE"), (0, 1, "DISLIKE"), (0, 0, None))


async def test_a_like_counts_for_the_owner_at_the_time_of_the_like(system: System) -> None:
    """An unlike is subtracted from the owner who received the like (L6)."""
    (video,) = await system.videos("v1", owner="owen")
    people = [system.person(f"p{i}") for i in range(3)]
    received = '{ owen: user(handle: "owen") { likesReceivedCount } olga: user(handle: "olga") { likesReceivedCount } }'

    await people[0].like(video)
    await people[1].like(video)
    await system.drain()
    assert (await seen(people[1], video))["owner"] == {"likesReceivedCount": 2}
    await system.videos("v1", owner="olga")
    await people[2].like(video)
    await people[0].unlike(video)
    await system.drain()

    totals = await people[0].ask(received)
    assert totals == {"owen": {"likesReceivedCount": 1}, "olga": {"likesReceivedCount": 1}}


async def test_the_like_log_has_the_origin_of_a_like(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice", device_id="phone-7", client_kind="ios")

    await alice.react("like", video, source="home")
    await system.drain()

    logged = await system.rows("SELECT verb, source, host(ip), device, client FROM like_log")
    assert logged == [("like", "home", "203.0.113.7", "phone-7", "ios")]


async def test_counts_and_reactions_are_the_same_after_redis_is_emptied(system: System) -> None:
    videos = await system.videos("v1", "v2", "v3", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")
    await alice.like(videos[0])
    await alice.react("dislike", videos[1])
    await bob.like(videos[0])
    await system.drain()
    before = [await seen(person, video) for person in (alice, bob) for video in videos]

    await system.empty_redis()

    assert [await seen(person, video) for person in (alice, bob) for video in videos] == before
    assert before[0] == {
        "likeCount": 2,
        "dislikeCount": 0,
        "viewerReaction": "LIKE",
        "owner": {"likesReceivedCount": 2},
    }
