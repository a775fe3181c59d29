"""Requests that write, read, moderate and delete posts."""

from typing import Any

from tests.support.system import Person

SHOWN = """
fragment Shown on Post {
  id text topics { name } images { url alt } author { handle } auditStatus createdAt editedAt }"""
PUBLISH = (
    """mutation ($text: String!, $topics: [String!], $images: [ImageInput!], $quoteOf: ID, $about: ID, $key: String!) {
  publishPost(input: {text: $text, topics: $topics, images: $images, quoteOf: $quoteOf, entityId: $about,
                      idempotencyKey: $key}) {
    post { ...Shown } userErrors { code message field } } }"""
    + SHOWN
)
EDIT = (
    """mutation ($input: EditPostInput!) {
  editPost(input: $input) { post { ...Shown } userErrors { code message field } } }"""
    + SHOWN
)
DELETE = "mutation ($id: ID!) { deletePost(input: {postId: $id}) { deletedId userErrors { code field } } }"
MODERATE = """mutation ($id: ID!, $decision: ModerationDecision!, $reason: String!) {
  moderate(input: {targetId: $id, decision: $decision, reason: $reason}) {
    target { id ... on Post { auditStatus } } userErrors { code message field } } }"""
NODE = "query ($id: ID!) { node(id: $id) { ...Shown ... on Post { likeCount } } }" + SHOWN
SQUARE = """query ($first: Int!, $after: String) { square(first: $first, after: $after) {
  edges { cursor node { id text } } nodes { text } pageInfo { hasNextPage hasPreviousPage endCursor } } }"""
PROFILE = """query ($handle: String!, $first: Int!, $after: String) { user(handle: $handle) { postCount
  posts(first: $first, after: $after) { nodes { text } pageInfo { hasNextPage endCursor } } } }"""
TOPIC = """query ($name: String!, $first: Int!, $after: String) { topic(name: $name) { id name postCount
  posts(first: $first, after: $after) { nodes { text } pageInfo { hasNextPage endCursor } } } }"""
HOME = """query ($first: Int!, $after: String) { viewer { home(first: $first, after: $after) {
  nodes { id text author { handle } } pageInfo { hasNextPage endCursor } } } }"""
QUEUE = """query ($first: Int!, $after: String) { moderationQueue(first: $first, after: $after) {
  edges { cursor reason node { id ... on Post { text auditStatus } } } pageInfo { hasNextPage endCursor } } }"""
MODERATION_MESSAGES = "SELECT message FROM notifications WHERE kind = 6 ORDER BY moment"


async def publish(author: Person, text: str, *topics: str, key: str | None = None, **more: Any) -> Any:
    """Returns the payload of publishPost."""
    key = key or f"{author.handle}-{text}"
    more.setdefault("images", [])
    return (await author.ask(PUBLISH, text=text, topics=list(topics), key=key, **more))["publishPost"]


async def published(author: Person, *texts: str) -> list[str]:
    """Publishes posts. Returns their ids."""
    return [(await publish(author, text))["post"]["id"] for text in texts]


async def seen(viewer: Person, post_id: str) -> Any:
    """Returns a post as a viewer sees it, None if they do not see it."""
    return (await viewer.ask(NODE, id=post_id))["node"]


async def on_square(viewer: Person, first: int = 20) -> list[str]:
    """Returns the texts of the square's first page."""
    return [post["text"] for post in (await viewer.ask(SQUARE, first=first))["square"]["nodes"]]


async def on_profile(viewer: Person, handle: str) -> list[str]:
    """Returns the texts of the first page of a profile."""
    return [post["text"] for post in (await viewer.ask(PROFILE, handle=handle, first=20))["user"]["posts"]["nodes"]]


async def under_topic(viewer: Person, name: str) -> list[str]:
    """Returns the texts of a topic's first page."""
    topic = (await viewer.ask(TOPIC, name=name, first=20))["topic"]
    return [post["text"] for post in topic["posts"]["nodes"]] if topic else []


async def home(viewer: Person, first: int = 20) -> list[str]:
    """Returns the texts of all pages of home."""
    texts: list[str] = []
    after: str | None = None
    while True:
        page = (await viewer.ask(HOME, first=first, after=after))["viewer"]["home"]
        texts += [post["text"] for post in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            return texts
        assert len(page["nodes"]) == first
        after = page["pageInfo"]["endCursor"]


async def edit(author: Person, post_id: str, **changes: Any) -> Any:
    return (await author.ask(EDIT, input={"postId": post_id, **changes}))["editPost"]


async def delete(author: Person, post_id: str) -> Any:
    return (await author.ask(DELETE, id=post_id))["deletePost"]


async def waiting(moderator: Person, first: int = 10, after: str | None = None) -> list[tuple[str, str]]:
    """Returns text and reason of what is in the moderation queue."""
    queue = (await moderator.ask(QUEUE, first=first, after=after))["moderationQueue"]
    return [(edge["node"]["text"], edge["reason"]) for edge in queue["edges"]]


async def decide(moderator: Person, post_id: str, decision: str, reason: str = "because") -> None:
    payload = (await moderator.ask(MODERATE, id=post_id, decision=decision, reason=reason))["moderate"]
    assert payload["userErrors"] == []
    assert payload["target"] == {"id": post_id, "auditStatus": decision.rstrip("E") + "ED"}
