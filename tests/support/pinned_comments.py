"""Requests that pin comments and read which one is pinned."""

from typing import Any

from tests.support.system import Person

PIN = """mutation ($id: ID!, $key: String) { %s(input: {commentId: $id, idempotencyKey: $key}) {
  subject { id pinnedComment { id } } userErrors { code field } } }"""
PINNED = "query ($id: ID!) { node(id: $id) { ... on Commentable { pinnedComment { id text isPinned } } } }"


async def pin(owner: Person, comment: str, verb: str = "pinComment", key: str | None = None) -> Any:
    """Returns the payload of pinComment or unpinComment."""
    return (await owner.ask(PIN % verb, id=comment, key=key))[verb]


async def pinned_on(viewer: Person, subject: str) -> str | None:
    """Returns the id of the pinned comment that a viewer sees."""
    node = (await viewer.ask(PINNED, id=subject))["node"]["pinnedComment"]
    assert node is None or node["isPinned"]
    return node and str(node["id"])
