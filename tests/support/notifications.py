"""Requests that read notifications, and people who cause them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.support.posts import published
from tests.support.system import Person, System

PAGE = """query ($first: Int!, $after: String) { viewer { unreadNotificationCount
  notifications(first: $first, after: $after) {
    edges { cursor node { id kind message actors { handle } actorCount subject { id } createdAt updatedAt read } }
    pageInfo { hasNextPage endCursor } } } }"""
UNREAD = "{ viewer { unreadNotificationCount } }"
MARK = """mutation ($upTo: String!) { markNotificationsRead(input: {upTo: $upTo}) {
  viewer { unreadNotificationCount notifications { nodes { read } } } userErrors { code } } }"""
RECEIVE = """subscription { notificationReceived { viewer { unreadNotificationCount }
  edge { cursor node { id message actorCount read actors { handle } } } } }"""


@dataclass(frozen=True)
class Page:
    """A page of notifications, and how many were unread when it was read."""

    nodes: Sequence[Any]
    cursors: Sequence[str]
    unread: int
    end: str | None
    more: bool


async def page(person: Person, first: int = 20, after: str | None = None) -> Page:
    viewer = (await person.ask(PAGE, first=first, after=after))["viewer"]
    edges, info = viewer["notifications"]["edges"], viewer["notifications"]["pageInfo"]
    nodes, cursors = [edge["node"] for edge in edges], [edge["cursor"] for edge in edges]
    return Page(nodes, cursors, viewer["unreadNotificationCount"], info["endCursor"], info["hasNextPage"])


async def everything(person: Person, first: int = 3) -> list[Any]:
    """Reads all notifications of a person, page by page."""
    found: list[Any] = []
    at = await page(person, first)
    found += at.nodes
    while at.more:
        assert len(at.nodes) == first
        at = await page(person, first, at.end)
        found += at.nodes
    return found


async def messages(person: Person) -> list[str]:
    """Returns the messages of the first page."""
    return [node["message"] for node in (await page(person)).nodes]


async def unread(person: Person) -> int:
    count: int = (await person.ask(UNREAD))["viewer"]["unreadNotificationCount"]
    return count


async def mark(person: Person, cursor: str) -> Any:
    """Marks notifications as read. Returns the viewer of the payload."""
    payload = (await person.ask(MARK, upTo=cursor))["markNotificationsRead"]
    assert payload["userErrors"] == []
    return payload["viewer"]


def ms(text: str) -> int:
    """Returns an API time in milliseconds since the Unix epoch."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


async def kinds_and_subjects(person: Person) -> list[tuple[str, str | None]]:
    """Returns kind and subject of the notifications on the first page."""
    return [(node["kind"], node["subject"] and node["subject"]["id"]) for node in (await page(person)).nodes]


async def people(system: System, *handles: str) -> list[Person]:
    """Returns registered people."""
    found = [system.person(handle) for handle in handles]
    for person in found:
        await person.ask("{ viewer { id } }")
    return found


async def post_of(system: System, author: Person, text: str = "hello") -> str:
    """Publishes a post that all users see. Returns its id."""
    (post,) = await published(author, text)
    await system.drain()
    return post


async def only(person: Person) -> Any:
    """Returns the one notification of a person."""
    (node,) = (await page(person)).nodes
    return node


async def liked_posts(system: System, author: Person, fan: Person, count: int) -> list[str]:
    """Publishes posts, and lets a fan like each in a batch of its own. Returns their ids, oldest first."""
    posts = [await post_of(system, author, f"post {n}") for n in range(count)]
    for post in posts:
        await fan.like(post)
        await system.drain()
    return posts
