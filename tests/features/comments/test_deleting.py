"""deleteComment: permissions, tombstones, and counts after a deletion."""

import pytest
from sqlalchemy import text

from tests.support.comments import DELETE, add, added, counts, decide, delete, floors, number, seen, text_of
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import System


@standalone
@pytest.mark.parametrize("role", ["author", "owner of the post", "owner of the entity", "moderator"])
async def test_the_author_the_owner_of_the_subject_and_moderators_can_delete_a_comment(
    system: System, role: str
) -> None:
    olga, bob, mia = system.person("olga"), system.person("bob"), system.person("mia", "moderate")
    subject = (await publish(olga, "hello"))["post"]["id"]
    if role == "owner of the entity":
        (subject,) = await system.videos("v1", owner="olga")
    await system.drain()
    comment = await added(bob, subject, "nice")
    await system.drain()
    deleter = {"author": bob, "moderator": mia}.get(role, olga)

    payload = await delete(deleter, comment)

    left = {"text": None, "author": None, "deleted": True, "floor": 1, "auditStatus": "APPROVED"}
    assert payload["userErrors"] == []
    assert payload["comment"] == payload["comment"] | left
    assert await seen(deleter, comment) is None
    again = await delete(deleter, comment)
    assert again["comment"] == again["comment"] | left
    await system.drain()
    (stored,) = await system.rows("SELECT deleted_by, deleted_as FROM comment_contents")
    assert stored == (
        int((await deleter.id()).removeprefix("User:")),
        {"author": "author", "moderator": "moderator"}.get(role, "owner"),
    )
    for viewer in (olga, bob, mia, system.person(None)):
        assert await seen(viewer, comment) is None
    assert await counts(bob, subject) == (0, 0)
    again = await delete(deleter, comment)
    assert again["comment"] == again["comment"] | left
    assert await system.state.journals.lengths(range(4)) == [0] * 4


@standalone
async def test_the_present_owner_of_the_subject_can_delete_and_a_former_owner_cannot(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, otto, bob = system.person("olga"), system.person("otto"), system.person("bob")
    comment = await added(bob, video, "nice")
    await system.drain()
    await system.videos("v1", owner="otto")

    assert (await delete(olga, comment))["userErrors"] == [{"code": "NOT_ALLOWED", "field": ["commentId"]}]
    assert (await delete(otto, comment))["userErrors"] == []


@standalone
async def test_other_users_cannot_delete_a_comment_and_other_ids_are_refused(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, "hello"))["post"]["id"]
    await system.drain()
    unseen = await added(alice, post, "not seen yet")
    await system.drain()
    public = await added(alice, post, "public")
    await system.drain()
    pending = await added(alice, post, "pending")

    codes = {id_: (await delete(bob, id_))["userErrors"] for id_ in (public, pending, post, "Comment:2.1", unseen)}

    missing = [{"code": "TARGET_NOT_FOUND", "field": ["commentId"]}]
    refused = [{"code": "NOT_ALLOWED", "field": ["commentId"]}]
    assert codes == {public: refused, pending: missing, post: missing, "Comment:2.1": missing, unseen: refused}
    assert await bob.errors(DELETE, id="nonsense") == [("BAD_INPUT", ["deleteComment"])]
    assert await system.person(None).errors(DELETE, id=public) == [("UNAUTHENTICATED", ["deleteComment"])]


async def test_a_deleted_root_stays_as_a_tombstone_while_it_has_replies(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root = await added(alice, video, "root")
    await system.drain()
    reply = await added(bob, video, "reply", to=root)
    await system.drain()

    await delete(alice, root)
    await system.drain()

    for viewer in (alice, bob, system.person("mia", "moderate"), system.person(None)):
        tombstone = await seen(viewer, root)
        nothing = {
            "text": None,
            "author": None,
            "deleted": True,
            "auditStatus": "APPROVED",
            "floor": 1,
            "replyCount": 1,
        }
        assert tombstone == tombstone | nothing
        assert (await seen(viewer, reply))["text"] == "reply"
    assert await counts(bob, video) == (1, 0)

    await delete(bob, reply)
    await system.drain()

    assert (await text_of(bob, root), await text_of(bob, reply)) == (None, None)
    assert await counts(bob, video) == (0, 0)
    assert await system.rows("SELECT DISTINCT state FROM comments") == [(2,)]


@standalone
async def test_a_deleted_root_without_its_answered_mark_still_becomes_a_tombstone(system: System) -> None:
    """After a failover, two concurrent batches can leave such a root: one stores the root again, one its reply."""
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root = await added(alice, video, "root")
    await system.drain()
    reply = await added(bob, video, "reply", to=root)
    await system.drain()
    async with system.state.postgres.transaction() as transaction:
        await transaction.changed(text("UPDATE comment_contents SET answered = false"))

    await delete(alice, root)
    await system.drain()

    assert (await seen(bob, root))["deleted"]
    assert await text_of(bob, reply) == "reply"


@standalone
async def test_the_approval_of_a_reply_brings_the_tombstone_of_its_root_back(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    root = await added(alice, video, "root")
    await system.drain()
    reply = await added(bob, video, "reply", to=root)
    await system.drain()
    await decide(mia, reply, "REJECT")
    await delete(alice, root)
    await system.drain()
    assert await text_of(mia, root) is None

    await decide(mia, reply, "APPROVE")
    await system.drain()

    assert await text_of(bob, root) == "-"
    assert await counts(bob, video) == (1, 0)
    assert await floors(system, root, reply) == [1, 1]


@standalone
async def test_a_comment_that_is_deleted_before_publication_leaves_no_trace(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment = (await add(alice, video, "oops"))["comment"]["id"]

    await delete(alice, comment)

    assert await seen(alice, comment) is None
    await system.drain()
    assert await seen(alice, comment) is None
    assert await counts(alice, video) == (0, 0)
    assert await floors(system, comment) == [None]
    again = await add(alice, video, "oops")
    assert again == {"comment": None, "userErrors": [{"code": "TARGET_DELETED", "field": None}]}


@standalone
async def test_the_comments_of_a_deleted_post_are_hidden_with_the_post(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, "hello"))["post"]["id"]
    await system.drain()
    comment = await added(bob, post, "nice")
    await system.drain()
    await alice.ask("mutation ($id: ID!) { deletePost(input: {postId: $id}) { deletedId } }", id=post)
    await system.drain()

    assert [await seen(viewer, comment) for viewer in (alice, bob, system.person(None))] == [None] * 3
    payload = await add(bob, post, "late")
    assert payload == {"comment": None, "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["subjectId"]}]}
    assert (await delete(bob, comment))["userErrors"] == []


@standalone
async def test_the_id_of_a_comment_on_a_video_is_unknown_with_the_business_of_posts(system: System) -> None:
    alice = system.person("alice")
    video, other = await system.videos("v1", "v2")
    await added(alice, video, "hello")
    another = await added(alice, other, "hello there")
    await system.drain()
    stray = f"Comment:2.{number(another)}"

    assert await seen(alice, stray) is None
    for payload in (await delete(alice, stray), await add(alice, other, "a reply", stray), await alice.like(stray)):
        assert [error["code"] for error in payload["userErrors"]] == ["TARGET_NOT_FOUND"]
