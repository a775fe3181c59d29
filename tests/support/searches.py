"""Requests that search for users, and the choice of a user to be found."""

from tests.support.system import Person

DISCOVERABLE = """mutation ($discoverable: Boolean!, $key: String) { setDiscoverable(input: {
  discoverable: $discoverable, idempotencyKey: $key}) { viewer { isDiscoverable } userErrors { code } } }"""
IS_DISCOVERABLE = "{ viewer { isDiscoverable } }"


async def set_discoverable(person: Person, discoverable: bool) -> None:
    """Sets whether searches find a person, which must succeed."""
    payload = (await person.ask(DISCOVERABLE, discoverable=discoverable))["setDiscoverable"]
    assert payload == {"viewer": {"isDiscoverable": discoverable}, "userErrors": []}


SEARCH = """query ($q: String!, $first: Int! = 100, $after: String) {
  searchUsers(query: $q, first: $first, after: $after) {
    edges { cursor createdAt node { handle createdAt } } nodes { handle } pageInfo { hasNextPage endCursor } } }"""
SUGGEST = "query ($prefix: String!, $first: Int! = 20) { suggestHandles(prefix: $prefix, first: $first) { handle } }"


async def search(person: Person, query: str, first: int = 100) -> list[str]:
    """Returns the handles of the users whom a search of a person finds, best first, read in pages of `first`. Every
    page but the last must be full.
    """
    found: list[str] = []
    after, more = None, True
    while more:
        page = (await person.ask(SEARCH, q=query, first=first, after=after))["searchUsers"]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        assert len(page["nodes"]) == first or not more
        assert all(edge["createdAt"] == edge["node"]["createdAt"] for edge in page["edges"])
        found += [user["handle"] for user in page["nodes"]]
    assert len({*found}) == len(found)
    return found


async def suggest(person: Person, prefix: str, first: int = 20) -> list[str]:
    """Returns the handles that are suggested to a person who has typed `prefix`, best first."""
    return [user["handle"] for user in (await person.ask(SUGGEST, prefix=prefix, first=first))["suggestHandles"]]
