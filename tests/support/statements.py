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


DECIDE = """mutation ($id: ID!, $decision: AppealDecision!, $key: String) {
  decideAppeal(input: {statementId: $id, decision: $decision, reason: "looked again", idempotencyKey: $key}) {
    statement { id appeal { status } } userErrors { code field } } }"""
APPEALED = """{ moderationQueue(source: APPEALS, first: 50) { nodes { id } edges { case {
  sources appealDeadline appealedStatements { id restriction appeal { text status } } } } } }"""


async def decide(moderator: Person, statement_id: str, decision: str, key: str | None = None) -> Any:
    """Makes a moderator decide an appeal. Returns the user errors."""
    payload = (await moderator.ask(DECIDE, id=statement_id, decision=decision, key=key))["decideAppeal"]
    return payload["userErrors"]


async def appealed(moderator: Person) -> list[tuple[str, list[str]]]:
    """Returns, for each case with an open appeal, its target and its appealed restrictions, oldest case first."""
    page = (await moderator.ask(APPEALED))["moderationQueue"]
    return [
        (node["id"], [one["restriction"] for one in edge["case"]["appealedStatements"]])
        for node, edge in zip(page["nodes"], page["edges"], strict=True)
    ]
