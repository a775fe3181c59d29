"""Saves through the API."""

from typing import Any

from tests.support.system import Person

SAVE = """mutation ($id: ID!, $key: String) { %s(input: {targetId: $id, idempotencyKey: $key}) {
  target { id saveCount viewerSaved } userErrors { code field } } }"""
SEEN = "query ($id: ID!) { node(id: $id) { ... on Reactable { saveCount viewerSaved } } }"
SAVED = """query ($kind: SavedKind, $first: Int! = 100, $after: String) {
  viewer { saved(kind: $kind, first: $first, after: $after) {
    nodes { targetId savedAt target { id saveCount viewerSaved } } pageInfo { hasNextPage endCursor } } } }"""


async def change(person: Person, verb: str, target_id: str, key: str | None = None) -> Any:
    """Returns the payload of save or unsave."""
    return (await person.ask(SAVE % verb, id=target_id, key=key))[verb]


async def save(person: Person, *target_ids: str) -> None:
    """Makes a person save targets, which must succeed."""
    for id_ in target_ids:
        assert (await change(person, "save", id_))["userErrors"] == []


async def unsave(person: Person, *target_ids: str) -> None:
    """Makes a person unsave targets, which must succeed."""
    for id_ in target_ids:
        assert (await change(person, "unsave", id_))["userErrors"] == []


async def seen(person: Person, target_id: str) -> tuple[int | None, bool | None]:
    """Returns how many users have saved a target, and whether the person has."""
    node = (await person.ask(SEEN, id=target_id))["node"]
    return node["saveCount"], node["viewerSaved"]


async def saved(person: Person, kind: str | None = None, first: int = 100) -> list[str]:
    """Returns the ids of all targets that a person has saved, newest save first, in pages of `first`."""
    found: list[str] = []
    after = None
    while True:
        page = (await person.ask(SAVED, kind=kind, first=first, after=after))["viewer"]["saved"]
        found += [node["targetId"] for node in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return found
