"""Requests that write, read, moderate and delete comments."""

from typing import Any

from sqlalchemy import text

from domain.ids import CommentId, parse_id
from tests.support.system import Person, System

SHOWN = """
fragment Said on Comment {
  id text floor author { handle } repliedTo { handle } root { id } parent { id } replyCount deleted auditStatus
  createdAt editedAt images { alt } subject { id } }"""
ADD = (
    """mutation ($subject: ID!, $to: ID, $text: String!, $images: [ImageInput!]! = [], $key: String!) {
  addComment(input: {subjectId: $subject, replyToId: $to, text: $text, images: $images, idempotencyKey: $key}) {
    comment { ...Said } userErrors { code field } } }"""
    + SHOWN
)
EDIT = (
    """mutation ($input: EditCommentInput!) {
  editComment(input: $input) { comment { ...Said } userErrors { code field } } }"""
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


async def add(
    author: Person, subject: str, text: str, to: str | None = None, key: str | None = None, **more: Any
) -> Any:
    """Returns the payload of addComment."""
    key = key or f"{author.handle}-{text}"[:128].strip()
    return (await author.ask(ADD, subject=subject, to=to, text=text, key=key, **more))["addComment"]


async def added(author: Person, subject: str, text: str, to: str | None = None, **more: Any) -> str:
    """Adds a comment. Returns its id."""
    payload = await add(author, subject, text, to, **more)
    assert payload["userErrors"] == []
    return str(payload["comment"]["id"])


async def edit(author: Person, comment_id: str, *, key: str | None = None, **changes: Any) -> Any:
    """Returns the payload of editComment."""
    given = {"commentId": comment_id, **changes, **({"idempotencyKey": key} if key else {})}
    return (await author.ask(EDIT, input=given))["editComment"]


async def images(viewer: Person, comment_id: str) -> list[str]:
    """Returns the alternative texts of a comment's images."""
    return [image["alt"] for image in (await seen(viewer, comment_id))["images"]]


async def delete(viewer: Person, comment_id: str) -> Any:
    """Returns the payload of deleteComment."""
    return (await viewer.ask(DELETE, id=comment_id))["deleteComment"]


async def decide(moderator: Person, comment_id: str, decision: str, reason: str = "because") -> None:
    payload = (await moderator.ask(MODERATE, id=comment_id, decision=decision, reason=reason))["moderate"]
    assert payload["userErrors"] == []
    assert payload["target"]["auditStatus"] == decision.rstrip("E") + "ED"


async def seen(viewer: Person, comment_id: str) -> Any:
    """Returns a comment as a viewer sees it, None if they do not see it."""
    return (await viewer.ask(NODE, id=comment_id))["node"]


async def text_of(viewer: Person, comment_id: str) -> str | None:
    """Returns the text that a viewer sees: `-` for a tombstone, None if they do not see the comment."""
    shown = await seen(viewer, comment_id)
    return shown and ("-" if shown["deleted"] else shown["text"])


async def counts(viewer: Person, subject: str) -> tuple[int, int]:
    """Returns how many comments a subject has, and how many of them are root comments."""
    node = (await viewer.ask(COUNTS, id=subject))["node"]
    return node["commentCount"], node["rootCommentCount"]


async def floors(system: System, *comment_ids: str) -> list[int | None]:
    """Returns the stored floors of comments."""
    rows = dict(await system.rows("SELECT comment_id, floor FROM comment_contents"))
    return [rows[number(comment_id)] for comment_id in comment_ids]


def number(comment_id: str) -> int:
    """Returns the numeric part of a comment's id."""
    parsed = parse_id(comment_id)
    assert isinstance(parsed, CommentId)
    return parsed.id


COMMENTS = """query ($id: ID!, $sort: CommentSort! = HOT, $first: Int! = 20, $after: String) { node(id: $id) {
  ... on Commentable { comments(sort: $sort, first: $first, after: $after) {
    nodes { id text deleted } edges { cursor } pageInfo { hasNextPage endCursor } } } } }"""
REPLIES = """query ($id: ID!, $first: Int! = 20, $after: String) { node(id: $id) {
  ... on Comment { comments: replies(first: $first, after: $after) {
    nodes { id text deleted } edges { cursor } pageInfo { hasNextPage endCursor } } } } }"""


async def page(viewer: Person, of: str, sort: str | None, first: int = 20, after: str | None = None) -> Any:
    """Returns a page of a subject's comments; without `sort`, a page of a comment's replies."""
    query, sorted_ = (COMMENTS, {"sort": sort}) if sort else (REPLIES, {})
    return (await viewer.ask(query, id=of, first=first, after=after, **sorted_))["node"]["comments"]


async def read(viewer: Person, of: str, sort: str | None, first: int = 20) -> list[str]:
    """Returns the texts of all pages, `-` for tombstones. Checks that only the last page is short."""
    found: list[str] = []
    after: str | None = None
    while True:
        one = await page(viewer, of, sort, first, after)
        found += ["-" if node["deleted"] else node["text"] for node in one["nodes"]]
        if not one["pageInfo"]["hasNextPage"]:
            return found
        assert len(one["nodes"]) == first
        after = one["pageInfo"]["endCursor"]


async def liked(system: System, comment: str, count: int, verb: str = "like") -> None:
    """Lets `count` people react to a comment."""
    for i in range(count):
        await system.person(f"liker{i}").react(verb, comment)


async def close(system: System) -> None:
    mutation = """mutation { registerEntities(entities: [{business: "video", key: "v1", commentsClosed: true}]) {
      userErrors { code } } }"""
    await system.person("registrar", "entities:write").ask(mutation)


async def many(system: System, count: int, root_id: int = 0, *, first: int = 1) -> list[str]:
    """Inserts approved comments as rows, on the subject that was last commented on. Returns their ids.

    Each was written a moment after the one before it, and all of them before today.
    """
    (subject,) = await system.rows(
        "SELECT subject_business, subject_id, author_id FROM comments ORDER BY comment_id DESC LIMIT 1"
    )
    wanted = {"business": subject[0], "subject": subject[1], "author": subject[2], "root": root_id}
    wanted |= {"first": first, "last": first + count - 1}
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(_INDEX), **wanted)
        await transaction.execute(text(_CONTENTS), **wanted)
    return [CommentId.text(subject[0], 2 * root_id + i) for i in range(first, first + count)]


_INDEX = """
    INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
    SELECT :business, :subject, CAST(:root AS bigint) * 2 + i, CAST(:root AS bigint), :author, 1000 * i, 1, 1000 * i
    FROM generate_series(CAST(:first AS int), CAST(:last AS int)) AS i"""
_CONTENTS = """
    INSERT INTO comment_contents (comment_id, subject_business, subject_id, root_id, parent_id, replied_to, author_id,
      moment, text, status, deleted, floor, answered, content_version, audit_version, version)
    SELECT CAST(:root AS bigint) * 2 + i, :business, :subject, nullif(CAST(:root AS bigint), 0),
      nullif(CAST(:root AS bigint), 0), NULL, :author, 1000 * i,
      CASE WHEN CAST(:root AS bigint) = 0 THEN '' ELSE 'r' END || i, 1, false, i, false, i, i, i
    FROM generate_series(CAST(:first AS int), CAST(:last AS int)) AS i"""


async def talk(system: System, author: Person, *texts: str) -> tuple[str, list[str]]:
    """Registers a video and stores comments on it. Returns the ids of the video and of the comments."""
    (video,) = await system.videos("v1")
    ids = [await added(author, video, text) for text in texts]
    await system.drain()
    return video, ids
