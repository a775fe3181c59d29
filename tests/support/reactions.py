"""Requests that give kinds of reactions and take them back, what they show, and a businesses file with kinds."""

from pathlib import Path
from typing import Any

from tests.support.system import Person

KINDS = """reactions = [
    { id = 3, name = "love", is_like = true },
    { id = 4, name = "😂" },
    { id = 5, name = "❤️", is_like = true },
    { id = 6, name = "sad" },
    { id = 50, name = "last" },
    { id = 7, name = "gone", removed = true },
]
"""
BUSINESSES = f"""[[business]]
id = 100
name = "video"
{KINDS}
[[business]]
id = 101
name = "article"
many_reactions = true
{KINDS}
[[business]]
id = 102
name = "plain"
dislikes = false
[post]
{KINDS}
"""
"""A user has one kind for each video and post, and many for each article."""
OFFERED = ["like", "dislike", "love", "😂", "❤️", "sad", "last"]

_FIELDS = """id likeCount dislikeCount viewerReaction viewerReactions reactionCounts { kind count }
  ... on Entity { owner { likesReceivedCount } }"""
REACT_KIND = f"""mutation ($id: ID!, $kind: String!, $key: String) {{
  react(input: {{ targetId: $id, kind: $kind, idempotencyKey: $key }}) {{
    target {{ {_FIELDS} }} userErrors {{ code message field }} }} }}"""
UNREACT_KIND = REACT_KIND.replace("$kind: String!", "$kind: String").replace(" react(", " unreact(")
_SEEN = f"query ($id: ID!) {{ node(id: $id) {{ ... on Reactable {{ {_FIELDS} }} }} }}"
_REACTORS = """query ($id: ID!, $kind: String!, $first: Int!, $after: String) { node(id: $id) { ... on Reactable {
  reactors(kind: $kind, first: $first, after: $after) {
    nodes { handle } pageInfo { endCursor hasNextPage } } } } }"""


def written(folder: Path, text: str = BUSINESSES) -> Path:
    """Writes a businesses file, and returns its path."""
    file = folder / "businesses.toml"
    file.write_text(text)
    return file


async def react(person: Person, target: str, kind: str, key: str | None = None) -> Any:
    """Returns the payload of `react`."""
    return (await person.ask(REACT_KIND, id=target, kind=kind, key=key))["react"]


async def unreact(person: Person, target: str, kind: str | None = None, key: str | None = None) -> Any:
    """Returns the payload of `unreact`."""
    return (await person.ask(UNREACT_KIND, id=target, kind=kind, key=key))["unreact"]


async def shown(person: Person, target: str) -> Any:
    """Returns the fields of a target that reactions change."""
    return (await person.ask(_SEEN, id=target))["node"]


def counts(node: Any) -> dict[str, int]:
    """Returns the counts by kind that a target shows."""
    return {one["kind"]: one["count"] for one in node["reactionCounts"]}


async def reactors(person: Person, target: str, kind: str, first: int = 100) -> list[str]:
    """Reads the users who have given a kind, page by page."""
    found, after = list[str](), None
    while True:
        data = await person.ask(_REACTORS, id=target, kind=kind, first=first, after=after)
        page = data["node"]["reactors"]
        found += [one["handle"] for one in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            return found
        after = page["pageInfo"]["endCursor"]
