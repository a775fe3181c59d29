"""Likes of comments."""

from tests.support.comments import added, counts, decide, delete, seen
from tests.support.follows import follow_people
from tests.support.posts import MODERATE as MODERATE_POST
from tests.support.posts import delete as delete_post
from tests.support.posts import published
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.system import Person, System

LIKES = """query ($handle: String!) { user(handle: $handle) {
  likesReceivedCount likes(business: "comment") { nodes { id } } } }"""
BOARD = 'query { leaderboard(business: "comment") { rank score node { id } } }'
RECORD = "mutation ($id: ID!) { recordViews(input: {targetIds: [$id]}) { userErrors { code } } }"


async def liked(viewer: Person, handle: str) -> list[str]:
    """Returns the ids of the comments that the user likes, as the viewer sees the list."""
    return [node["id"] for node in (await viewer.ask(LIKES, handle=handle))["user"]["likes"]["nodes"]]


async def test_a_like_of_a_comment_counts_for_its_author(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "nice")
    await system.drain()

    payload = await bob.like(comment)

    assert payload["target"] == {"id": comment, "likeCount": 1, "dislikeCount": 0, "viewerReaction": "LIKE"}
    await system.drain()
    assert (await seen(alice, comment))["likeCount"] == 1
    assert await liked(alice, "bob") == [comment]
    assert (await alice.ask(LIKES, handle="alice"))["user"]["likesReceivedCount"] == 1
    assert (await bob.ask(BOARD))["leaderboard"] == [{"rank": 1, "score": 1.0, "node": {"id": comment}}]


@standalone
async def test_a_viewer_with_a_pending_like_sees_the_comment_counts(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root = await added(alice, video, "root")
    await added(alice, video, "reply", to=root)
    await system.drain()

    await bob.like(video)
    await bob.like(root)

    assert await counts(bob, video) == (2, 1)
    shown = await seen(bob, root)
    assert (shown["likeCount"], shown["replyCount"]) == (1, 1)


@standalone
async def test_a_like_of_a_deleted_comment_is_refused(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root, gone = await added(alice, video, "root"), await added(alice, video, "gone")
    await system.drain()
    await added(bob, video, "reply", to=root)
    await bob.like(root)
    await system.drain()
    await delete(alice, root)
    await delete(alice, gone)
    await system.drain()

    codes = [(await bob.like(target))["userErrors"][0]["code"] for target in (root, gone, "Comment:2.1")]

    assert codes == ["TARGET_DELETED", "TARGET_NOT_FOUND", "TARGET_NOT_FOUND"]
    assert await liked(bob, "bob") == []
    assert (await bob.ask(BOARD))["leaderboard"] == []


REACTIONS = """query ($id: ID!) { node(id: $id) { ... on Comment { replyCount likeCount dislikeCount viewerReaction
  likers { nodes { handle } } likedByFollowed { handle } replies { nodes { likers { nodes { handle } } } } } } }"""


@standalone
async def test_a_deleted_comment_shows_no_reactions(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, carol = system.person("alice"), system.person("bob"), system.person("carol")
    await follow_people(carol, bob)
    root = await added(alice, video, "root")
    await system.drain()
    reply = await added(bob, video, "reply", to=root)
    await system.drain()
    for target in (root, reply):
        await bob.like(target)
    await system.drain()
    await delete(alice, root)
    await system.drain()

    for viewer in (alice, bob, carol, system.person(None)):
        assert (await viewer.ask(REACTIONS, id=root))["node"] == {
            "replyCount": 1,
            **dict.fromkeys(["likeCount", "dislikeCount", "viewerReaction", "likers", "likedByFollowed"]),
            "replies": {"nodes": [{"likers": {"nodes": [{"handle": "bob"}]}}]},
        }


@standalone
async def test_likes_received_still_count_after_the_target_is_deleted_or_rejected(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    kept, deleted = await published(alice, "kept", "deleted")
    await system.drain()
    comment = await added(alice, kept, "a comment")
    await system.drain()
    for target in (kept, deleted, comment):
        await bob.like(target)
    await system.drain()

    async def received() -> int:
        return int((await bob.ask('{ user(handle: "alice") { likesReceivedCount } }'))["user"]["likesReceivedCount"])

    assert await received() == 3
    await delete_post(alice, deleted)
    await decide(mia, comment, "REJECT")
    await mia.ask(MODERATE_POST, id=kept, decision="REJECT", reason="no")
    await system.drain()
    await system.empty_redis()
    assert await received() == 3
    assert await drift(system, "counters") == {}


@standalone
async def test_views_of_comments_are_refused(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment = await added(alice, video, "nice")
    await system.drain()

    assert (await alice.ask(RECORD, id=comment))["recordViews"]["userErrors"] == [{"code": "TARGET_NOT_FOUND"}]
