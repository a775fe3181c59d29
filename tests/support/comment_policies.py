"""Requests that set and read who may comment."""

from typing import Any

from tests.support.system import Person

SET_POLICY = """mutation ($id: ID!, $policy: CommentPolicy!, $key: String) {
  setCommentPolicy(input: {subjectId: $id, policy: $policy, idempotencyKey: $key}) {
    subject { id commentPolicy viewerCanComment } userErrors { code field } } }"""
POLICY = "query ($id: ID!) { node(id: $id) { ... on Commentable { commentPolicy viewerCanComment } } }"


async def set_policy(owner: Person, subject: str, policy: str, key: str | None = None) -> Any:
    """Returns the payload of setCommentPolicy."""
    return (await owner.ask(SET_POLICY, id=subject, policy=policy, key=key))["setCommentPolicy"]


async def policy_of(viewer: Person, subject: str) -> tuple[str, bool | None]:
    """Returns the policy of a post or entity, and whether the viewer may comment on it."""
    node = (await viewer.ask(POLICY, id=subject))["node"]
    return node["commentPolicy"], node["viewerCanComment"]
