"""Blocks, mutes, muted threads and removed followers through the API."""

from typing import Any

from tests.support.system import Person

CHANGE = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { id handle viewerBlocks viewerMutes viewerRelation } viewer { user { id } } userErrors { code field } } }"""
MUTE = """mutation ($id: ID!, $until: DateTime, $key: String) {
  mute(input: {userId: $id, until: $until, idempotencyKey: $key}) {
    user { id viewerBlocks viewerMutes } userErrors { code field } } }"""

THREAD = """mutation ($id: ID!, $key: String) { %s(input: {targetId: $id, idempotencyKey: $key}) {
  target { id viewerMutesThread } userErrors { code field } } }"""
MUTES_THREAD = "query ($id: ID!) { node(id: $id) { ... on Reactable { viewerMutesThread } } }"


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


async def thread(person: Person, verb: str, target_id: str, key: str | None = None) -> Any:
    """Returns the payload of muteThread or unmuteThread."""
    return (await person.ask(THREAD % verb, id=target_id, key=key))[verb]


async def mute_thread(person: Person, target_id: str) -> None:
    """Makes a person mute a thread, which must succeed."""
    assert (await thread(person, "muteThread", target_id))["userErrors"] == []


async def unmute_thread(person: Person, target_id: str) -> None:
    """Makes a person unmute a thread, which must succeed."""
    assert (await thread(person, "unmuteThread", target_id))["userErrors"] == []


async def mutes_thread(person: Person, target_id: str) -> Any:
    """Returns whether a person mutes the thread of a post, comment or entity, as the API tells."""
    return (await person.ask(MUTES_THREAD, id=target_id))["node"]["viewerMutesThread"]
