"""Requests that pin posts and read which ones are pinned, and a scene with pinned posts."""

from typing import Any

from tests.support.posts import published
from tests.support.system import Person, System

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


async def pin_all(author: Person, *posts: str) -> None:
    """Pins posts, the last of which becomes the first pinned one."""
    for post in posts:
        assert (await pin_post(author, post))["userErrors"] == []


async def pinned_scene(system: System, pinned: int = 0) -> tuple[Person, Person, list[str]]:
    """Returns alice, bob, and four public posts of alice, the first of which she has pinned."""
    alice, bob = system.person("alice"), system.person("bob")
    ids = await published(alice, *(f"post {n}" for n in range(4)))
    await system.drain()
    await pin_all(alice, *ids[:pinned])
    await system.drain()
    return alice, bob, ids
