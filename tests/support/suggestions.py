"""Requests that read and dismiss suggestions of users to follow, and the step of a worker that computes them."""

from collections.abc import Iterable
from typing import Any

from store.people import suggestions
from tests.support.system import Person, System
from workers.suggestions import computed, refresh_suggestions

SUGGESTED = """query ($first: Int! = 10) { viewer { suggestedUsers(first: $first) {
  user { handle } reason followedBy { handle } followedByCount topic { name } score } } }"""
DISMISS = """mutation ($id: ID!, $key: String) { dismissSuggestion(input: {userId: $id, idempotencyKey: $key}) {
  user { id handle } userErrors { code field } } }"""


async def suggested(person: Person, first: int = 10) -> list[dict[str, Any]]:
    """Returns the suggestions of a person, with handles in the place of users."""
    found = (await person.ask(SUGGESTED, first=first))["viewer"]["suggestedUsers"]
    return [
        one | {"user": one["user"]["handle"], "followedBy": [user["handle"] for user in one["followedBy"]]}
        for one in found
    ]


async def handles(person: Person) -> list[str]:
    """Returns the handles of the users who are suggested to a person, best first."""
    return [one["user"] for one in await suggested(person, 50)]


async def compute(system: System, *people: Person) -> None:
    """Stores and publishes what is in the journals. Then computes the suggestions of these people, who ask for them."""
    await system.drain()
    for person in people:
        await suggested(person)
        suggestions.mark(system.state.cache, [int((await person.id()).partition(":")[2])], 0)
    while await refresh_suggestions(system.state):
        pass


async def compute_missing(system: System, users: Iterable[int]) -> None:
    """Computes the suggestions of those of the users, given by their numbers, who have no list. Sends no request, so
    that no other cached value is read or filled.
    """
    cache, now_ms = system.state.cache, system.state.now_ms()
    for user in users:
        stored = await suggestions.read(cache, user)
        if stored is None or not stored.made_ms:
            suggestions.ask(cache, user, now_ms)
            await suggestions.write(cache, user, await computed(system.state, user), now_ms)


async def dismiss(person: Person, user_id: str, key: str | None = None) -> Any:
    """Returns the payload of dismissSuggestion."""
    return (await person.ask(DISMISS, id=user_id, key=key))["dismissSuggestion"]
