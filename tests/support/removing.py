"""Requests that remove entities."""

from typing import Any

from tests.support.system import Person

REMOVE = "mutation ($ids: [ID!]!) { removeEntities(ids: $ids) { removedIds userErrors { code } } }"


async def remove(person: Person, *ids: str) -> Any:
    """Returns the payload of removeEntities."""
    return (await person.ask(REMOVE, ids=list(ids)))["removeEntities"]
