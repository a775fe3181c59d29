"""The four verbs, as clients see them."""

from tests.system import System


async def test_a_like_is_seen_at_once_by_its_author_and_soon_by_everybody(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = system.person("alice"), system.person("bob")

    liked = await alice.like(video)

    assert liked["target"] == {"id": video, "likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}
    assert await count(bob, video) == 0
    await system.drain()
    assert await count(bob, video) == 1
    assert await count(alice, video) == 1
    assert await system.rows("SELECT state FROM reactions") == [(1,)]


async def count(person: object, video: str) -> int:
    data = await person.ask("query ($id: ID!) { node(id: $id) { ... on Reactable { likeCount } } }", id=video)  # type: ignore[attr-defined]
    return int(data["node"]["likeCount"])
