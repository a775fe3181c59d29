"""Requests that edit posts, and read the edit history of posts and comments."""

from typing import Any

from tests.support import posts
from tests.support.system import Person, System

IMAGES = [{"url": "https://images.example.com/cat.png", "alt": "a cat"}]

FIELDS = "editHistory(first: $first, after: $after) { nodes { text createdAt images { alt } attachments { alt } } "
HISTORY = f"""query ($id: ID!, $first: Int! = 20, $after: String) {{ node(id: $id) {{
  ... on Post {{ {FIELDS} pageInfo {{ hasNextPage endCursor }} }} }}
  ... on Comment {{ {FIELDS} pageInfo {{ hasNextPage endCursor }} }} }} }} }}"""


async def page(viewer: Person, target: str, **paging: Any) -> Any:
    """Returns a page of the earlier versions of a post or comment; None if the viewer may not read them."""
    return (await viewer.ask(HISTORY, id=target, **paging))["node"]["editHistory"]


async def versions(viewer: Person, target: str) -> list[str] | None:
    """Returns the texts of the earlier versions, newest first; None if the viewer may not read them."""
    found = await page(viewer, target)
    return None if found is None else [node["text"] for node in found["nodes"]]


async def edited(system: System, author: Person, *texts: str, **content: Any) -> str:
    """Publishes a post with the first text, and edits it to each other text. Returns its id."""
    post = (await posts.publish(author, texts[0], **content))["post"]["id"]
    await system.drain()
    for text in texts[1:]:
        assert (await posts.edit(author, post, text=text))["userErrors"] == []
        await system.drain()
    return str(post)
