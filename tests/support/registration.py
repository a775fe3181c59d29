"""Requests that register and read entities."""

from typing import Any

from tests.support.system import Person, System

REGISTER = """mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) {
  entities { id business key title url commentsClosed owner { handle } } userErrors { code field } } }"""


READ = """query ($b: String!, $k: [String!]!, $ids: [ID!]!) {
  entities(business: $b, keys: $k) { title url commentsClosed owner { handle } }
  nodes(ids: $ids) { ... on Entity { title url commentsClosed owner { handle } } } }"""


def registrar(system: System) -> Person:
    return system.person("registrar", "entities:write", "users:write")


async def register(person: Person, *entities: dict[str, Any]) -> Any:
    return (await person.ask(REGISTER, e=list(entities)))["registerEntities"]


async def read(person: Person, *keys: str, business: str = "video") -> list[Any]:
    """Returns the entities of the keys. Expects the same answer from `entities` and `nodes`."""
    found = await person.ask(READ, b=business, k=list(keys), ids=[f"Entity:{business}:{key}" for key in keys])
    assert found["entities"] == found["nodes"]
    return list(found["entities"])
