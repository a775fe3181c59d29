"""Requests that suspend and reinstate users, and that read suspensions."""

from typing import Any

from tests.support.system import Person, System

SUSPEND = """mutation ($id: ID!, $mode: SuspensionMode!, $until: DateTime, $reason: String!,
  $ground: String) {
  suspendUser(input: {userId: $id, mode: $mode, until: $until, reason: $reason, ground: $ground}) {
    user { id handle suspension { mode until reason } } userErrors { code field } } }"""
REINSTATE = """mutation ($id: ID!) { reinstateUser(input: {userId: $id}) {
  user { id suspension { mode } } userErrors { code field } } }"""
SUSPENSION = "query ($id: ID!) { node(id: $id) { ... on User { suspension { mode until reason } } } }"
FAR = "2098-01-01T00:00:00.000Z"
AFTER_FAR_MS = 4_102_444_800_000


def moderator(system: System) -> Person:
    return system.person("mia", "moderate")


async def suspend(
    moderator: Person,
    user_id: str,
    mode: str = "HIDDEN",
    until: str | None = None,
    reason: str = "spam",
    ground: str | None = None,
) -> Any:
    """Returns the payload of suspendUser. Without a ground, SHADOW gets the one that it needs."""
    ground = ground or ("spam" if mode == "SHADOW" else None)
    asked = {"mode": mode, "until": until, "reason": reason, "ground": ground}
    return (await moderator.ask(SUSPEND, id=user_id, **asked))["suspendUser"]


async def reinstate(moderator: Person, user_id: str) -> Any:
    """Returns the payload of reinstateUser."""
    return (await moderator.ask(REINSTATE, id=user_id))["reinstateUser"]


async def suspension(reader: Person, user_id: str) -> Any:
    """Returns the suspension of a user as a reader sees it."""
    return (await reader.ask(SUSPENSION, id=user_id))["node"]["suspension"]
