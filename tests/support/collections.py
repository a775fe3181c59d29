"""Collections of saves through the API."""

from typing import Any

from tests.support.system import Person

_FIELDS = "collection { id name isPublic owner { handle } } userErrors { code field }"
CREATE = f"""mutation ($name: String!, $public: Boolean! = false, $key: String!) {{
  createCollection(input: {{name: $name, isPublic: $public, idempotencyKey: $key}}) {{ {_FIELDS} }} }}"""
UPDATE = f"""mutation ($id: ID!, $name: String, $public: Boolean, $key: String) {{
  updateCollection(input: {{collectionId: $id, name: $name, isPublic: $public, idempotencyKey: $key}}) {{
    {_FIELDS} }} }}"""
DELETE = """mutation ($id: ID!, $key: String) { deleteCollection(input: {collectionId: $id, idempotencyKey: $key}) {
  deletedId userErrors { code field } } }"""
SAVE_INTO = """mutation ($id: ID!, $into: ID, $key: String) {
  save(input: {targetId: $id, collectionId: $into, idempotencyKey: $key}) {
    target { id saveCount viewerSaved } userErrors { code field } } }"""
OWN = "{ viewer { collections(first: 100) { nodes { id name isPublic } } } }"
PUBLIC = "query ($handle: String!) { user(handle: $handle) { collections(first: 100) { nodes { id name isPublic } } } }"
ITEMS = """query ($id: ID!, $kind: SavedKind, $first: Int! = 100, $after: String) { node(id: $id) { ... on Collection {
  name items(kind: $kind, first: $first, after: $after) {
    nodes { targetId target { id } } pageInfo { hasNextPage endCursor } } } } }"""
PLACES = "{ viewer { saved(first: 100) { nodes { targetId collection { id } } } } }"
STORED = "SELECT name, is_public, deleted FROM collections ORDER BY collection_id"
"""Reads the rows of all collections."""


async def create(person: Person, name: str, key: str | None = None, *, public: bool = False) -> Any:
    """Returns the payload of createCollection."""
    return (await person.ask(CREATE, name=name, public=public, key=key or name))["createCollection"]


async def created(person: Person, name: str, *, public: bool = False) -> str:
    """Creates a collection, which must succeed. Returns its id."""
    payload = await create(person, name, public=public)
    assert payload["userErrors"] == []
    return str(payload["collection"]["id"])


async def update(person: Person, id_: str, **changes: Any) -> Any:
    """Returns the payload of updateCollection."""
    return (await person.ask(UPDATE, id=id_, **changes))["updateCollection"]


async def delete(person: Person, id_: str, key: str | None = None) -> Any:
    """Returns the payload of deleteCollection."""
    return (await person.ask(DELETE, id=id_, key=key))["deleteCollection"]


async def save_into(person: Person, into: str | None, *target_ids: str) -> None:
    """Makes a person save targets into a collection, which must succeed."""
    for id_ in target_ids:
        payload = (await person.ask(SAVE_INTO, id=id_, into=into))["save"]
        assert payload["userErrors"] == []


async def own(person: Person) -> list[tuple[str, str, bool]]:
    """Returns the id, the name and whether it is public of each collection of a person."""
    nodes = (await person.ask(OWN))["viewer"]["collections"]["nodes"]
    return [(node["id"], node["name"], node["isPublic"]) for node in nodes]


async def public(reader: Person, handle: str) -> list[str] | None:
    """Returns the names of the collections of a user that a reader sees; None if the reader does not see the user."""
    user = (await reader.ask(PUBLIC, handle=handle))["user"]
    return user and [node["name"] for node in user["collections"]["nodes"]]


async def items(reader: Person, id_: str, kind: str | None = None, first: int = 100) -> list[str] | None:
    """Returns the ids of all targets in a collection, in pages of `first`, with "" for one without an id; None if the
    reader does not see the collection.
    """
    found: list[str] = []
    after = None
    while True:
        node = (await reader.ask(ITEMS, id=id_, kind=kind, first=first, after=after))["node"]
        if node is None:
            return None
        found += [item["targetId"] or "" for item in node["items"]["nodes"]]
        after = node["items"]["pageInfo"]["endCursor"]
        if not node["items"]["pageInfo"]["hasNextPage"]:
            return found


async def places(person: Person) -> dict[str, str | None]:
    """Returns the id of the collection of each target that a person has saved; None: in no collection."""
    nodes = (await person.ask(PLACES))["viewer"]["saved"]["nodes"]
    return {node["targetId"]: node["collection"] and node["collection"]["id"] for node in nodes}


def refusal(payload: Any) -> tuple[str, list[str] | None]:
    """Returns code and field of a payload's one user error."""
    (error,) = payload["userErrors"]
    return error["code"], error["field"]
