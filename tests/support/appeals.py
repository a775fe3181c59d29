"""Appeals and decisions, through the API."""

from typing import Any

from tests.support.system import Person

APPEAL = """mutation ($id: ID!, $text: String!, $key: String) {
  appeal(input: {targetId: $id, text: $text, idempotencyKey: $key}) { target { id } userErrors { code field } } }"""
DECIDE = """mutation ($id: ID!, $decision: ModerationDecision!) {
  moderate(input: {targetId: $id, decision: $decision, reason: "because"}) { userErrors { code field } } }"""


async def appeal(person: Person, target_id: str, text: str = "please look again", key: str | None = None) -> Any:
    """Returns the payload of appeal."""
    return (await person.ask(APPEAL, id=target_id, text=text, key=key))["appeal"]


async def decide(moderator: Person, target_id: str, decision: str) -> Any:
    """Makes a moderator decide about a post or comment. Returns the user errors."""
    return (await moderator.ask(DECIDE, id=target_id, decision=decision))["moderate"]["userErrors"]
