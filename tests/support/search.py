"""Requests that search, and the step of a worker that indexes."""

from tests.support.system import Person, System
from workers.search import index

POSTS = """query ($words: String!, $sort: SearchSort!, $first: Int!, $after: String) {
  found: searchPosts(query: $words, sort: $sort, first: $first, after: $after) {
    nodes { id text } pageInfo { hasNextPage endCursor } } }"""
COMMENTS = """query ($subject: ID!, $words: String!, $sort: SearchSort!, $first: Int!, $after: String) {
  found: searchComments(subjectId: $subject, query: $words, sort: $sort, first: $first, after: $after) {
    nodes { id text } pageInfo { hasNextPage endCursor } } }"""
ENTITIES = """query ($business: String!, $words: String!, $first: Int!, $after: String) {
  found: searchEntities(business: $business, query: $words, first: $first, after: $after) {
    nodes { id text: title } pageInfo { hasNextPage endCursor } } }"""


async def stored(system: System) -> None:
    """Lets the workers store and index everything."""
    await system.drain()
    while await index(system.state, lambda: True):
        pass


async def found(
    reader: Person, query: str, sort: str = "NEWEST", *, first: int = 20, document: str = POSTS, **more: str
) -> list[str]:
    """Returns the texts of all pages of a search. Checks that only the last page is short."""
    texts: list[str] = []
    after: str | None = None
    while True:
        order = {} if document is ENTITIES else {"sort": sort}
        page = (await reader.ask(document, words=query, first=first, after=after, **order, **more))["found"]
        texts += [node["text"] for node in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            return texts
        assert len(page["nodes"]) == first
        after = page["pageInfo"]["endCursor"]
