"""Comments as people write and find them."""

from typing import Any

from ids import CommentId, parse_id
from tests.system import Person, System

SHOWN = """
fragment Said on Comment {
  id text floor author { handle } repliedTo { handle } root { id } parent { id } replyCount deleted auditStatus
  createdAt subject { id } }"""
ADD = (
    """mutation ($subject: ID!, $to: ID, $text: String!, $key: String!) {
  addComment(input: {subjectId: $subject, replyToId: $to, text: $text, idempotencyKey: $key}) {
    comment { ...Said } userErrors { code field } } }"""
    + SHOWN
)
DELETE = (
    """mutation ($id: ID!) {
  deleteComment(input: {commentId: $id}) { comment { ...Said } userErrors { code field } } }"""
    + SHOWN
)
MODERATE = """mutation ($id: ID!, $decision: ModerationDecision!, $reason: String!) {
  moderate(input: {targetId: $id, decision: $decision, reason: $reason}) {
    target { id ... on Comment { auditStatus text } } userErrors { code field } } }"""
NODE = "query ($id: ID!) { node(id: $id) { ...Said ... on Comment { likeCount viewerReaction } } }" + SHOWN
COUNTS = "query ($id: ID!) { node(id: $id) { ... on Commentable { commentCount rootCommentCount commentsClosed } } }"


async def add(author: Person, subject: str, text: str, to: str | None = None, key: str | None = None) -> Any:
    """The payload of addComment."""
    key = key or f"{author.handle}-{text}"[:128].strip()
    return (await author.ask(ADD, subject=subject, to=to, text=text, key=key))["addComment"]


async def said(author: Person, subject: str, text: str, to: str | None = None) -> str:
    """The id of a new comment."""
    payload = await add(author, subject, text, to)
    assert payload["userErrors"] == []
    return str(payload["comment"]["id"])


async def delete(viewer: Person, comment_id: str) -> Any:
    """The payload of deleteComment."""
    return (await viewer.ask(DELETE, id=comment_id))["deleteComment"]


async def decide(moderator: Person, comment_id: str, decision: str, reason: str = "because") -> None:
    payload = (await moderator.ask(MODERATE, id=comment_id, decision=decision, reason=reason))["moderate"]
    assert payload["userErrors"] == []
    assert payload["target"]["auditStatus"] == decision.rstrip("E") + "ED"


async def seen(viewer: Person, comment_id: str) -> Any:
    """A comment as somebody sees it, None where they do not."""
    return (await viewer.ask(NODE, id=comment_id))["node"]


async def text_of(viewer: Person, comment_id: str) -> str | None:
    """What somebody reads: the text, `-` above replies of what is gone, None where they do not even see that."""
    shown = await seen(viewer, comment_id)
    return shown and ("-" if shown["deleted"] else shown["text"])


async def counts(viewer: Person, subject: str) -> tuple[int, int]:
    """How many comments a subject has, and how many of them are roots."""
    node = (await viewer.ask(COUNTS, id=subject))["node"]
    return node["commentCount"], node["rootCommentCount"]


async def floors(system: System, *comment_ids: str) -> list[int | None]:
    """The floors of comments as they are stored."""
    rows = dict(await system.rows("SELECT comment_id, floor FROM comment_contents"))
    return [rows[number(comment_id)] for comment_id in comment_ids]


def number(comment_id: str) -> int:
    """The id within the business of comments."""
    parsed = parse_id(comment_id)
    assert isinstance(parsed, CommentId)
    return parsed.id
