"""Notifications of comments: to owners, to authors who get a reply, to mentioned users, and to rejected authors."""

from tests.support.comments import added, decide
from tests.support.notifications import kinds_and_subjects, page
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import System


@standalone
async def test_a_comment_notifies_the_owner_of_its_subject_a_reply_the_author_and_a_mention_the_mentioned_user(
    system: System,
) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, alice, bob, carol = (system.person(handle) for handle in ("olga", "alice", "bob", "carol"))
    assert await kinds_and_subjects(carol) == []
    root = await added(alice, video, "hello @alice")
    await system.drain()
    reply = await added(bob, video, "to @alice and @carol", root)
    await system.drain()

    assert await kinds_and_subjects(olga) == [("COMMENT", video)]
    assert await kinds_and_subjects(alice) == [("REPLY", root)]
    assert await kinds_and_subjects(carol) == [("MENTION", reply)]
    assert await kinds_and_subjects(bob) == []
    assert [node["actorCount"] for node in (await page(olga)).nodes] == [2]


@standalone
async def test_a_comment_notifies_the_author_of_the_post_and_a_like_the_author_of_the_comment(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, "mine"))["post"]["id"]
    await system.drain()
    comment = await added(bob, post, "to @alice")
    await system.drain()
    await alice.like(comment)
    await system.drain()

    assert await kinds_and_subjects(alice) == [("COMMENT", post)]
    assert await kinds_and_subjects(bob) == [("LIKE", comment)]


@standalone
async def test_a_rejection_notifies_the_author_and_a_second_approval_sends_no_notifications(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, alice, mia = system.person("olga"), system.person("alice"), system.person("mia", "moderate")
    comment = await added(alice, video, "hello @olga")
    await system.drain()
    for decision in ("REJECT", "APPROVE"):
        await decide(mia, comment, decision, "rude")
        await system.drain()

    assert await kinds_and_subjects(alice) == [("MODERATION", comment)]
    assert [node["message"] for node in (await page(alice)).nodes] == ["Your comment was rejected: rude"]
    assert await kinds_and_subjects(olga) == [("COMMENT", video)]
