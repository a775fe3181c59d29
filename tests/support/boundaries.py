"""Blocks, mutes and removed followers through the API."""

from typing import Any

from tests.support.system import Person

CHANGE = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { id handle viewerBlocks viewerMutes viewerRelation } viewer { user { id } } userErrors { code field } } }"""
MUTE = """mutation ($id: ID!, $until: DateTime, $key: String) {
  mute(input: {userId: $id, until: $until, idempotencyKey: $key}) {
    user { id viewerBlocks viewerMutes } userErrors { code field } } }"""


async def change(person: Person, verb: str, user_id: str, key: str | None = None) -> Any:
    """Returns the payload of block, unblock, unmute or removeFollower."""
    return (await person.ask(CHANGE % verb, id=user_id, key=key))[verb]


async def block(person: Person, user_id: str) -> None:
    """Makes a person block a user, which must succeed."""
    assert (await change(person, "block", user_id))["userErrors"] == []


async def unblock(person: Person, user_id: str) -> None:
    """Makes a person unblock a user, which must succeed."""
    assert (await change(person, "unblock", user_id))["userErrors"] == []


async def mute(person: Person, user_id: str, until: str | None = None, key: str | None = None) -> Any:
    """Returns the payload of mute."""
    return (await person.ask(MUTE, id=user_id, until=until, key=key))["mute"]
