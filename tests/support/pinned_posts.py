"""Requests that pin posts and read which ones are pinned."""

from typing import Any

from tests.support.system import Person

PIN_POST = """mutation ($id: ID!, $key: String) { %s(input: {postId: $id, idempotencyKey: $key}) {
  user { handle pinnedPosts { id } } userErrors { code field } } }"""
PINNED_POSTS = "query ($handle: String!) { user(handle: $handle) { pinnedPosts { id text author { handle } } } }"


async def pin_post(author: Person, post: str, verb: str = "pinPost", key: str | None = None) -> Any:
    """Returns the payload of pinPost or unpinPost."""
    return (await author.ask(PIN_POST % verb, id=post, key=key))[verb]


async def pinned_by(viewer: Person, handle: str) -> list[str]:
    """Returns the ids of the pinned posts of a user that a viewer sees."""
    posts = (await viewer.ask(PINNED_POSTS, handle=handle))["user"]["pinnedPosts"]
    assert {post["author"]["handle"] for post in posts} <= {handle}
    return [post["id"] for post in posts]
