"""reactableChanged for comments, and for the comment count of their subject."""

from tests.support.comments import added, delete
from tests.support.stores import standalone
from tests.support.subscriptions import Live

COMMENT = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { likeCount ... on Comment { replyCount text } } }"
COUNT = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { ... on Commentable { commentCount } } }"


@standalone
async def test_a_watcher_of_a_comment_receives_its_likes_replies_and_deletion(live: Live) -> None:
    (video,) = await live.videos("v1")
    alice, bob = live.person("alice"), live.person("bob")
    root = await added(alice, video, "root")
    await live.drain()

    async with live.socket() as watcher:
        await watcher.subscribe([root], query=COMMENT)
        first = await watcher.value()
        await bob.like(root)
        await added(bob, video, "reply", to=root)
        await live.drain()
        second = (await watcher.until(lambda value: value["likeCount"] == value["replyCount"] == 1))[-1]
        await delete(alice, root)
        await live.drain()
        third = (await watcher.until(lambda value: value["text"] is None))[-1]

    assert first == {"likeCount": 0, "replyCount": 0, "text": "root"}
    assert second == {"likeCount": 1, "replyCount": 1, "text": "root"}
    assert third == {"likeCount": None, "replyCount": 1, "text": None}


@standalone
async def test_a_watcher_of_a_subject_receives_its_comment_count(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket() as watcher:
        await watcher.subscribe([video], query=COUNT)
        assert await watcher.value() == {"commentCount": 0}
        await added(live.person("alice"), video, "hello")
        await live.drain()
        await watcher.until(lambda value: value["commentCount"] == 1)
