"""Two applications over the same seeded data, one with plans and one without. Both must return the same response."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from domain.ids import wall_clock_ms
from settings import Settings
from tests.execution.favourites import add_favourites
from tests.support.system import LIMITLESS, Person, System, running

PEOPLE = ("alice", "bob", "carol", "dan", "erin", "newcomer")
FOLLOWS = {"alice": "bob carol dan", "bob": "alice carol", "carol": "alice", "dan": "alice bob carol", "erin": "alice"}
LIKES = {"alice": "v0 v1 v2", "bob": "v0 v1 a0", "carol": "v0 a0", "dan": "v0 v3", "erin": "v1"}
POSTS = {"alice": ["Hello #1", "And again"], "bob": ["Good morning"], "carol": ["早上好", "Second", "Third"]}
TOPICS = ["cats", "狗"]
PUBLISH = """mutation ($text: String!, $topics: [String!], $image: String!) {
  publishPost(input: {text: $text, topics: $topics, images: [{url: $image}], idempotencyKey: $text}) {
    post { id } userErrors { message } } }"""
DISLIKES = {"carol": "v1 v2", "dan": "v1", "erin": "v0"}
ENTITIES = (
    """mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { entities { id } userErrors { code } } }"""
)
CURSORS = """query ($keys: [String!]!) {
  entities(business: "video", keys: $keys) { likers(first: 1) { edges { cursor } } }
  alice: user(handle: "alice") { id followers(first: 1) { edges { cursor } } following(first: 2) { edges { cursor } }
    likes(business: "video", first: 1) { edges { cursor } } }
  square(first: 3) { edges { cursor } } topic(name: "cats") { posts(first: 1) { edges { cursor } } }
  viewer { home(first: 2) { edges { cursor } } }
  bob: user(handle: "bob") { id followers(first: 1) { edges { cursor } } } }"""

SAVED_CURSORS = """{ viewer { saved(first: 2) { edges { cursor } }
  collections(first: 1) { edges { cursor node { items(first: 1) { edges { cursor } } } } } } }"""


@dataclass
class Comparison:
    """The responses of the two applications to one request."""

    query: str
    variables: dict[str, Any]
    planned: httpx.Response
    plain: httpx.Response

    @property
    def is_reordered(self) -> bool:
        """Returns whether the bytes differ. Errors may come in another order."""
        return self.planned.content != self.plain.content

    @property
    def differs(self) -> bool:
        """Returns whether the responses differ in more than the order of their errors."""
        return self.planned.status_code != self.plain.status_code or (
            self.is_reordered and _in_order(self.planned) != _in_order(self.plain)
        )

    @property
    def has_unexpected_error(self) -> bool:
        """Returns whether graphql-core raised an unexpected error, which clients see masked."""
        return any(error["extensions"]["code"] == "INTERNAL" for error in self.plain.json().get("errors", []))

    def __str__(self) -> str:
        return f"{self.query}\n{self.variables}\n  plans: {self.planned.text}\nwithout: {self.plain.text}\n"


@dataclass
class Clock:
    """The clock of both applications. It stands still during a comparison, because some cursors contain the time."""

    stopped_ms: int | None = None

    def __call__(self) -> int:
        return wall_clock_ms() if self.stopped_ms is None else self.stopped_ms


@dataclass
class ComparedExecutors:
    """Two applications over the same seeded data. Sends an operation to both and compares the responses."""

    planned: System
    plain: System
    clock: Clock
    handles: list[str] = field(default_factory=lambda: list(PEOPLE))
    keys: list[str] = field(default_factory=lambda: ["v0", "v1", "v2", "v3"])
    ids: list[str] = field(default_factory=list)
    cursors: list[str] = field(default_factory=list)
    saved_cursors: list[str] = field(default_factory=list)
    """The cursors of alice's saves and collections."""
    topics: list[str] = field(default_factory=lambda: list(TOPICS))

    async def compare(self, query: str, viewer: str | None = None, **variables: Any) -> Comparison:
        """Sends one operation to both applications."""
        callers = [one.person(viewer, "users:read") for one in (self.planned, self.plain)]
        self.clock.stopped_ms = wall_clock_ms()
        try:
            planned, plain = [await caller.send(query, **variables) for caller in callers]
        finally:
            self.clock.stopped_ms = None
        return Comparison(query, variables, planned, plain)

    async def same(self, query: str, viewer: str | None = None, **variables: Any) -> Any:
        """Returns the common response body. Fails if the two differ."""
        compared = await self.compare(query, viewer, **variables)
        assert not compared.differs, str(compared)
        return compared.planned.json()


@asynccontextmanager
async def compared_executors(make_settings: Callable[..., Settings]) -> AsyncIterator[ComparedExecutors]:
    """Starts both applications over the same seeded data, which does not change afterwards."""
    of_both = {"limits": LIMITLESS, "request_timeout": 60.0, "pending_seconds": 90.0}  # for busy machines
    clock = Clock()
    async with (
        running(make_settings(**of_both), clock) as planned,
        running(make_settings(**of_both, compiled_plans=False), clock) as plain,
    ):
        executors = ComparedExecutors(planned, plain, clock)
        await _seed(planned, executors)
        yield executors


async def _seed(system: System, executors: ComparedExecutors) -> None:
    people = {handle: system.person(handle) for handle in PEOPLE}
    users = {handle: await _user_id(person) for handle, person in people.items()}
    things = {id_.rpartition(":")[2]: id_ for id_ in await _entities(system)}
    for handle, person in people.items():
        for followed in FOLLOWS.get(handle, "").split():
            await person.ask("mutation ($id: ID!) { follow(input: {userId: $id}) { user { id } } }", id=users[followed])
        for verb, wishes in (("like", LIKES), ("dislike", DISLIKES)):
            for key in wishes.get(handle, "").split():
                await person.react(verb, things[key])
    posts = [
        await _publish(people[handle], text, TOPICS[: number % 3])
        for handle, texts in POSTS.items()
        for number, text in enumerate(texts)
    ]
    await system.drain()
    await people["dan"].react("like", posts[0])
    await people["erin"].react("like", posts[-1])
    await system.drain()
    executors.ids = [*things.values(), *users.values(), users["alice"].replace("User", "Viewer"), *posts]
    executors.ids += await add_favourites(system, people, things, posts)
    executors.ids += [f"Topic:{topic}" for topic in TOPICS]
    found = await people["alice"].ask(CURSORS, keys=executors.keys)
    executors.cursors = list(_cursors(found))
    executors.saved_cursors = _cursors(await people["alice"].ask(SAVED_CURSORS))


async def _publish(person: Person, text: str, topics: list[str]) -> str:
    image = "https://images.example.com/cat.jpg"
    payload = (await person.ask(PUBLISH, text=text, topics=topics, image=image))["publishPost"]
    assert payload["userErrors"] == []
    return str(payload["post"]["id"])


async def _user_id(person: Person) -> str:
    id_ = await person.id()
    await person.ask(
        "mutation ($h: String!) { updateProfile(input: {handle: $h, bio: $h}) { userErrors { code } } }",
        h=person.handle,
    )
    return str(id_)


async def _entities(system: System) -> list[str]:
    """Registers entities with and without owner, title, likes and closed comments."""
    registrar = system.person("registrar", "entities:write", "users:write")
    alice, bob = {"externalId": "alice"}, {"externalId": "bob"}
    wishes = [
        {"business": "video", "key": "v0", "title": "Zero \u2713", "owner": alice, "url": "https://a.example/0"},
        {"business": "video", "key": "v1", "title": "One", "owner": bob, "commentsClosed": True},
        {"business": "video", "key": "v2", "owner": alice},
        {"business": "video", "key": "v3"},
        {"business": "article", "key": "a0", "title": "Words"},
    ]
    data = await registrar.ask(ENTITIES, e=wishes)
    assert data["registerEntities"]["userErrors"] == []
    return [entity["id"] for entity in data["registerEntities"]["entities"]]


def _cursors(value: Any) -> list[str]:
    if isinstance(value, list):
        return [cursor for one in value for cursor in _cursors(one)]
    if isinstance(value, dict):
        return [c for key, one in value.items() for c in ([one] if key == "cursor" else _cursors(one))]
    return []


def _in_order(response: httpx.Response) -> bytes:
    """Returns the body with its errors sorted by path, and with keys in their order."""
    body = response.json()
    body.get("errors", []).sort(key=lambda error: (orjson.dumps(error.get("path")), orjson.dumps(error)))
    return orjson.dumps(body)
