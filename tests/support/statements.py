"""Requests that read statements of reasons, and decide appeals against restrictions."""

from typing import Any

from tests.support.system import Person

STATEMENTS = """query ($first: Int!, $after: String) { viewer { statements(first: $first, after: $after) {
  nodes { id restriction target { __typename id } ground { name kind title url } facts foundBy isAutomated since until
          endedAt appealUntil appeal { text status } }
  pageInfo { hasNextPage endCursor } } } }"""


async def statements(person: Person, first: int = 20, after: str | None = None) -> Any:
    """Returns a person's statements, newest first."""
    page = (await person.ask(STATEMENTS, first=first, after=after))["viewer"]["statements"]
    return page["nodes"]


async def told(person: Person) -> list[tuple[str, str]]:
    """Returns the restriction and the ground of a person's statements, newest first."""
    return [(one["restriction"], one["ground"]["name"]) for one in await statements(person)]
