"""Requests about reposts, and what home timelines show of them."""

from typing import Any

from tests.support.system import Person

REPOST = """mutation ($id: ID!, $key: String) { %s(input: {postId: $id, idempotencyKey: $key}) {
  post { id repostCount viewerHasReposted } userErrors { code field } } }"""
MUTE = """mutation ($id: ID!) { %s(input: {userId: $id}) { user { viewerMutesReposts } userErrors { code } } }"""
HOME = """query ($first: Int!, $after: String) { viewer { home(first: $first, after: $after) {
  edges { node { id text } homeReason { kind } repostedBy(first: 2) { nodes { handle } totalCount } }
  pageInfo { hasNextPage endCursor } } } }"""
BOTH_WAYS = """query ($first: Int, $after: String, $last: Int, $before: String, $filter: HomeFilter) { viewer {
  page: home(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    edges { cursor node { text } homeReason { kind } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }"""
SEEN = """query ($id: ID!) { node(id: $id) { ... on Post { repostCount viewerHasReposted
  reposters(first: 10) { nodes { handle } } } } }"""


async def change(person: Person, post_id: str, verb: str = "repost", key: str | None = None) -> Any:
    """Returns the payload of repost or unrepost."""
    return (await person.ask(REPOST % verb, id=post_id, key=key))[verb]


async def repost(person: Person, *post_ids: str) -> None:
    """Makes a person repost posts, which must succeed."""
    for id_ in post_ids:
        assert (await change(person, id_))["userErrors"] == []


async def unrepost(person: Person, *post_ids: str) -> None:
    """Makes a person remove reposts, which must succeed."""
    for id_ in post_ids:
        assert (await change(person, id_, "unrepost"))["userErrors"] == []


async def mute_reposts(person: Person, user_id: str, verb: str = "muteReposts") -> Any:
    """Returns the payload of muteReposts or unmuteReposts."""
    return (await person.ask(MUTE % verb, id=user_id))[verb]


async def entries(person: Person, first: int = 100) -> list[tuple[str, list[str] | None, int]]:
    """Returns the whole home timeline of a person, read in pages of `first`: the text of each post, and the users whose
    reposts bring it there, at most two, with the number of all; None and 0 without reposts. Every page but the last
    must be full.
    """
    found: list[tuple[str, list[str] | None, int]] = []
    page: Any = {"pageInfo": {"hasNextPage": True, "endCursor": None}}
    while page["pageInfo"]["hasNextPage"]:
        page = (await person.ask(HOME, first=first, after=page["pageInfo"]["endCursor"]))["viewer"]["home"]
        assert len(page["edges"]) == first or not page["pageInfo"]["hasNextPage"]
        for edge in page["edges"]:
            by = edge["repostedBy"]
            assert (by is None) == (edge["homeReason"] is None)
            handles = by and [user["handle"] for user in by["nodes"]]
            found.append((edge["node"]["text"], handles, by["totalCount"] if by else 0))
    return found


async def seen(person: Person, post_id: str) -> tuple[int | None, bool | None, list[str]]:
    """Returns how many users repost a post, whether the person does, and the handles of the reposters."""
    node = (await person.ask(SEEN, id=post_id))["node"]
    return node["repostCount"], node["viewerHasReposted"], [user["handle"] for user in node["reposters"]["nodes"]]
