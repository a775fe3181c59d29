"""Comments on a post that is not public: new comments are refused, and existing comments are hidden with the post."""

import pytest

from tests.support import posts
from tests.support.comments import MODERATE, add, added, counts, decide, delete, number, seen, text_of
from tests.support.fallback_mode import directly
from tests.support.notifications import kinds_and_subjects
from tests.support.posts import delete as delete_post
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import Person, System

CLOSED = {"comment": None, "userErrors": [{"code": "COMMENTS_CLOSED", "field": ["subjectId"]}]}


async def judge(moderator: Person, post: str, decision: str) -> None:
    payload = (await moderator.ask(posts.MODERATE, id=post, decision=decision, reason="because"))["moderate"]
    assert payload["userErrors"] == []


async def a_thread(system: System) -> tuple[str, str, str]:
    """Returns alice's post, bob's comment on it, and carol's reply, all public."""
    (post,) = await published(system.person("alice"), "hello")
    await system.drain()
    root = await added(system.person("bob"), post, "root")
    await system.drain()
    reply = await added(system.person("carol"), post, "reply", to=root)
    await system.drain()
    return post, root, reply


@standalone
async def test_an_author_cannot_comment_on_a_post_before_it_is_public(system: System) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "hello")

    assert await add(alice, post, "too early") == CLOSED
    await system.drain()

    assert (await add(alice, post, "now"))["userErrors"] == []


@standalone
@pytest.mark.parametrize("redis", [True, False], ids=["through Redis", "directly"])
async def test_a_rejected_post_accepts_no_comments_and_no_replies(system: System, redis: bool) -> None:
    alice, mia, dave = system.person("alice"), system.person("mia", "moderate"), system.person("dave")
    await dave.id()
    post, root, _ = await a_thread(system)
    await judge(mia, post, "REJECT")
    await system.drain()

    async def check() -> None:
        for author in (alice, mia):
            assert await add(author, post, f"to @dave {redis}") == CLOSED
            assert await add(author, post, f"reply to @dave {redis}", to=root) == CLOSED
            shown = await author.ask("query ($id: ID!) { node(id: $id) { ... on Post { commentsClosed } } }", id=post)
            assert shown["node"]["commentsClosed"]

    if redis:
        await check()
    else:
        async with directly(system):
            await check()
    await system.drain()
    assert await kinds_and_subjects(dave) == []
    assert await counts(alice, post) == (2, 1)


@standalone
async def test_comments_are_hidden_with_their_post_and_come_back_with_it(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    viewers = (alice, mia, bob, system.person("carol"), system.person(None))
    post, root, reply = await a_thread(system)

    async def texts() -> list[tuple[str | None, str | None]]:
        return [(await text_of(viewer, root), await text_of(viewer, reply)) for viewer in viewers]

    assert await texts() == [("root", "reply")] * 5
    await judge(mia, post, "REJECT")
    await system.drain()
    assert await texts() == [("root", "reply")] * 2 + [(None, None)] * 3
    assert (await bob.like(reply))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    assert await kinds_and_subjects(bob) == []

    await judge(mia, post, "APPROVE")
    await system.drain()
    assert await texts() == [("root", "reply")] * 5
    assert (await kinds_and_subjects(bob))[0] == ("REPLY", root)


@standalone
async def test_a_comment_on_a_hidden_post_can_be_deleted_by_its_author_and_is_unknown_to_others(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    post, root, reply = await a_thread(system)
    await judge(mia, post, "REJECT")
    await system.drain()

    assert (await delete(bob, reply))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["commentId"]}]
    payload = await delete(bob, root)
    assert payload["userErrors"] == []
    assert (payload["comment"]["text"], payload["comment"]["subject"]) == (None, None)
    assert (await delete(alice, reply))["userErrors"] == []  # her post
    await system.drain()

    assert await counts(alice, post) == (0, 0)


@standalone
@pytest.mark.parametrize("deleted", [False, True], ids=["rejected", "deleted"])
async def test_a_comment_sends_no_notifications_if_its_post_was_hidden_before_the_commit(
    system: System, deleted: bool
) -> None:
    alice, bob, dave = system.person("alice"), system.person("bob"), system.person("dave")
    mia = system.person("mia", "moderate")
    await dave.id()
    (post,) = await published(alice, "hello")
    await system.drain()
    late = await added(bob, post, "look, @dave")  # the comment is in the journal
    await (delete_post(alice, post) if deleted else judge(mia, post, "REJECT"))
    await system.drain()

    assert (await kinds_and_subjects(dave), await seen(dave, late)) == ([], None)
    assert [kind for kind, _ in await kinds_and_subjects(alice)] == ([] if deleted else ["MODERATION"])


@standalone
async def test_a_comment_sends_no_notifications_if_it_is_approved_while_its_post_is_hidden(system: System) -> None:
    bob, dave, mia = system.person("bob"), system.person("dave"), system.person("mia", "moderate")
    await dave.id()
    (post,) = await published(system.person("alice"), "hello")
    await system.drain()
    comment = await added(bob, post, "look, @dave")
    await mia.ask(MODERATE, id=comment, decision="REJECT", reason="not sure")
    await judge(mia, post, "REJECT")
    await system.drain()
    await decide(mia, comment, "APPROVE")
    await system.drain()
    assert (await kinds_and_subjects(dave), await text_of(dave, comment)) == ([], None)

    await judge(mia, post, "APPROVE")
    await system.drain()
    assert await text_of(dave, comment) == "look, @dave"


@standalone
async def test_the_id_of_a_comment_does_not_name_its_post(system: System) -> None:
    post, root, reply = await a_thread(system)

    assert [comment for comment in (root, reply) if post.removeprefix("Post:") in comment] == []
    assert {root, reply} == {f"Comment:2.{number(comment)}" for comment in (root, reply)}
