"""Users can end their follow of a hidden user, and remove their reactions to hidden content."""

from typing import Any

import pytest

from domain.ids import CommentId
from settings import POSTS
from tests.support.comments import added
from tests.support.follows import change, follow, refusal
from tests.support.hiding import hide
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import Person, System

NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Reactable { likeCount dislikeCount } } }"
SUCCESS: dict[str, Any] = {"target": None, "userErrors": []}


async def reactions_to(reader: Person, ids: list[str]) -> list[tuple[int, int]]:
    """Returns the numbers of likes and dislikes of objects."""
    nodes = (await reader.ask(NODES, ids=ids))["nodes"]
    return [(node["likeCount"], node["dislikeCount"]) for node in nodes]


@standalone
@pytest.mark.parametrize("how", ["alice blocks", "bob blocks", "HIDDEN", "SHADOW"])
async def test_reactions_to_hidden_content_can_be_removed(system: System, how: str) -> None:
    alice, bob, carol, mia = (*map(system.person, ("alice", "bob", "carol")), moderator(system))
    await alice.id()
    (post,), (hers,) = await published(bob, "bob's post"), await published(carol, "carol's post")
    await system.drain()
    comments = [await added(bob, hers, "a comment"), await added(bob, hers, "an answered comment")]
    below = await added(alice, post, "alice's comment")  # is hidden with the post
    await system.drain()
    await added(carol, hers, "an answer", comments[1])
    liked = [post, *comments, below]
    for id_ in liked:
        await alice.like(id_)
    await system.drain()
    assert await reactions_to(mia, liked) == [(1, 0)] * 4
    await hide(system, how)

    codes = [[error["code"] for error in (await alice.like(id_))["userErrors"]] for id_ in liked]
    assert codes == [["TARGET_NOT_FOUND"], ["TARGET_NOT_FOUND"], ["TARGET_DELETED"], ["TARGET_NOT_FOUND"]]
    for _ in ("once", "again"):
        assert [await alice.unlike(id_, key=f"k {id_}") for id_ in liked] == [SUCCESS] * 4
    await system.drain()
    assert await reactions_to(mia, liked) == [(0, 0)] * 4


@standalone
async def test_a_dislike_of_a_post_of_a_private_account_can_be_removed(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id()
    (post,) = await published(bob, "bob's post")
    await system.drain()
    await alice.react("dislike", post)
    await hide(system, "PRIVATE")

    assert await alice.react("undislike", post) == SUCCESS
    await system.drain()
    assert await reactions_to(moderator(system), [post]) == [(0, 0)]


@standalone
@pytest.mark.parametrize("how", ["HIDDEN", "SHADOW"])
async def test_a_follow_of_a_hidden_user_can_be_ended(system: System, how: str) -> None:
    alice, b = system.person("alice"), await system.person("bob").id()
    await follow(alice, b)
    await system.drain()
    await hide(system, how)

    assert refusal(await change(alice, "follow", b)) == ("TARGET_NOT_FOUND", ["userId"])
    for _ in ("once", "again"):
        payload = await change(alice, "unfollow", b, key="k")
        assert (payload["user"], payload["userErrors"]) == (None, [])
        assert payload["viewer"]["user"]["followingCount"] == 0
    await system.drain()
    assert await system.rows("SELECT lo_follows, hi_follows FROM follows") == [(False, False)]


@standalone
@pytest.mark.parametrize("how", ["alice blocks", "bob blocks"])
async def test_an_unfollow_after_a_block_succeeds_and_names_no_user(system: System, how: str) -> None:
    alice, b = system.person("alice"), await system.person("bob").id()
    await hide(system, how)

    payload = await change(alice, "unfollow", b)
    assert (payload["user"], payload["userErrors"]) == (None, [])
    assert refusal(await change(alice, "follow", b)) == ("TARGET_NOT_FOUND", ["userId"])


@standalone
async def test_what_does_not_exist_or_was_deleted_is_answered_like_what_is_hidden(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(bob, "bob's post")
    await system.drain()
    await alice.like(post)
    await bob.ask("mutation ($id: ID!) { deletePost(input: {postId: $id}) { userErrors { code } } }", id=post)
    await system.drain()
    await hide(system, "HIDDEN")

    for id_ in (post, "Post:7", CommentId.text(POSTS, 7)):
        assert await alice.unlike(id_) == SUCCESS
    payload = await change(alice, "unfollow", "User:7")
    assert (payload["user"], payload["userErrors"]) == (None, [])
