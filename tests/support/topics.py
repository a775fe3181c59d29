"""Requests that find topics, and that hold them."""

from typing import Any

from tests.support.posts import publish
from tests.support.system import Person, System

TRENDING = """query ($window: TrendWindow! = DAY, $language: String, $first: Int! = 100) {
  trendingTopics(window: $window, language: $language, first: $first) { topic { name } authorCount score } }"""
TYPED = "query ($prefix: String!, $first: Int! = 8) { topics(prefix: $prefix, first: $first) { name } }"
SEARCH = """query ($words: String!, $first: Int! = 20, $after: String) {
  searchTopics(query: $words, first: $first, after: $after) {
    edges { cursor node { name } } nodes { name } pageInfo { hasNextPage endCursor } } }"""
SET_STATE = """mutation ($input: SetTopicStateInput!) {
  setTopicState(input: $input) { topic { id name state } userErrors { code field } } }"""


async def trending(reader: Person, **arguments: Any) -> dict[str, int]:
    """Returns the trending topics, highest score first, with their numbers of authors."""
    found = (await reader.ask(TRENDING, **arguments))["trendingTopics"]
    return {one["topic"]["name"]: one["authorCount"] for one in found}


async def typed(reader: Person, prefix: str, **arguments: Any) -> list[str]:
    """Returns the names of the topics that begin with a text."""
    return [topic["name"] for topic in (await reader.ask(TYPED, prefix=prefix, **arguments))["topics"]]


async def searched(reader: Person, words: str, **arguments: Any) -> list[str]:
    """Returns the names of the first topics that a search finds."""
    found = (await reader.ask(SEARCH, words=words, **arguments))["searchTopics"]
    return [topic["name"] for topic in found["nodes"]]


async def set_state(moderator: Person, name: str, state: str, **more: Any) -> Any:
    """Returns the payload of setTopicState."""
    return (await moderator.ask(SET_STATE, input={"name": name, "state": state, **more}))["setTopicState"]


async def write_about(system: System, authors: int, *topics: str) -> list[Person]:
    """Lets a number of people publish one post about these topics each. Returns the people."""
    people = [system.person(f"{topics[0][:8]}{number}") for number in range(authors)]
    for person in people:
        await publish(person, f"about {topics}", *topics)
    await system.drain()
    return people
