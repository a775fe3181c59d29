"""The actions whose cost may depend on the number of rows: pages with nothing cached, and writes that a
worker stores.
"""

import asyncio
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import asyncpg
import orjson

from bench.client import Client, Unexpected, graphql
from bench.community import Person
from bench.curves import cost
from bench.curves.cost import Action, Cost
from bench.curves.ids import ENTITIES, POSTS, TOPICS, USERS, WRITTEN, topic_name
from bench.curves.rows import VIDEO
from bench.curves.viewers import handle
from bench.home import HOME
from bench.machine import Machine
from bench.working import emptied
from bench.writing import PUBLISHED, publication, remark
from domain.ids import PostId
from models.counters import EntityRef
from models.likes import REACT, Reaction
from models.own_sets import Transition
from settings import POSTS as POST
from store.write_log.operations import Operation, Status
from workers.worker import Worker

_USER = "{ id handle displayName }"
_POST = f"{{ id text likeCount commentCount viewerReaction author {_USER} }}"
_PLACES = "{ rank score node { id likeCount } }"
_NOTHING = re.compile(rb'":null}{1,2},"extensions"')
"""Matches the end of an answer in which the object or list that was asked for is null."""
_LIKES = 500
_REMARKS = 4

PAGES: dict[str, str] = {
    "an entity, with its likers": f"""query ($key: String!) {{ entity(business: "video", key: $key) {{
        id title likeCount commentCount viewerReaction owner {_USER} likers(first: 20) {{ nodes {_USER} }} }} }}""",
    "home page": HOME,
    "profile, with followers": f"""query ($handle: String!) {{ user(handle: $handle) {{
        id followerCount followingCount likesReceivedCount followers(first: 20) {{ nodes {_USER} }} }} }}""",
    "hot comments": f"""query ($post: ID!) {{ node(id: $post) {{ ... on Post {{
        comments(sort: HOT, first: 20) {{ nodes {{ id text floor likeCount author {_USER} }} }} }} }} }}""",
    "new comments": f"""query ($post: ID!) {{ node(id: $post) {{ ... on Post {{
        comments(sort: NEWEST, first: 20) {{ nodes {{ id text floor likeCount author {_USER} }} }} }} }} }}""",
    "likers of the most popular post": f"""query ($post: ID!) {{ node(id: $post) {{ ... on Post {{
        likeCount likers(first: 20) {{ nodes {_USER} }} }} }} }}""",
    "notifications": f"""query {{ viewer {{ unreadNotificationCount notifications(first: 20) {{
        nodes {{ id kind read message actorCount actors {_USER} subject {{ id }} }} }} }} }}""",
    "leaderboard of the day": f"query {{ leaderboard(window: DAY) {_PLACES} }}",
    "leaderboard of the week": f"query {{ leaderboard(window: WEEK) {_PLACES} }}",
    "leaderboard of all time": f"query {{ leaderboard(window: ALL) {_PLACES} }}",
    "hot posts of a topic": f"""query ($topic: String!) {{
        topic(name: $topic) {{ posts(sort: HOT) {{ nodes {_POST} }} }} }}""",
    "new posts of the square": f"query {{ square(sort: LATEST) {{ nodes {_POST} }} }}",
}  # fmt: skip
"""The queries of the pages, by the names that the curves have."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The objects that the actions use: the running system, a superuser's connection to Postgres, a client of the API,
    a worker that owns all partitions, the viewers, and the number of other users (`users`).
    """

    machine: Machine
    connection: asyncpg.Connection
    client: Client
    worker: Worker
    viewers: Sequence[Person]
    users: int


async def costs(bench: Bench) -> dict[str, Cost]:
    """Runs all actions, and returns the cost of each by its name."""
    actions = {name: _reading(bench, query) for name, query in PAGES.items()}
    actions["a like, stored"] = _liking(bench)
    actions["a comment, written and stored"] = _writing(bench, _remarks(bench))
    actions["a post, written and stored"] = _writing(bench, _publications(bench))
    return {name: await cost.of(bench.machine, bench.connection, action) for name, action in actions.items()}


def _reading(bench: Bench, query: str) -> Action:
    """Returns an action in which each viewer reads the page of this query once, each time with nothing cached."""

    async def read() -> int:
        for number, viewer in enumerate(bench.viewers):
            await cost.empty(bench.machine)
            answer = await bench.client.ask(graphql(viewer.token, query, _variables(bench, query, number)))
            if b'"errors"' in answer or _NOTHING.search(answer):
                raise Unexpected(answer)
        return len(bench.viewers)

    return read


def _variables(bench: Bench, query: str, number: int) -> dict[str, Any]:
    """Returns the variables of a query for the viewer with this number. Each viewer reads about another user, entity
    and topic.
    """
    chosen = handle(Random(number).randrange(bench.users))
    possible = {
        "key": chosen,
        "handle": chosen,
        "post": PostId.text(POSTS),
        "topic": topic_name(number % TOPICS),
        "first": 20,
    }
    return {name: value for name, value in possible.items() if f"${name}:" in query}


def _liking(bench: Bench) -> Action:
    """Returns an action in which the worker stores likes of random users, of posts and entities. Nothing is cached
    before.
    """

    async def like() -> int:
        random = Random(bench.users)
        await cost.empty(bench.machine)
        await asyncio.gather(*[_react(bench.machine, random, bench.users) for _ in range(_LIKES)])
        await bench.connection.fetchval("SELECT pg_stat_statements_reset()")
        await bench.machine.state.redis.client.execute_command("CONFIG", "RESETSTAT")
        return await emptied(bench.worker)

    return like


async def _react(machine: Machine, random: Random, users: int) -> None:
    state, user, number = machine.state, random.randrange(users), random.randrange(users * WRITTEN)
    business, entity, owner = (POST, POSTS + number, number // WRITTEN)
    if number % 3 == 0:
        business, entity, owner = VIDEO, ENTITIES + number // WRITTEN, number // WRITTEN
    entry = {"actor": USERS + user, "business": business, "entity": entity, "owner": USERS + owner, "ip": "203.0.113.7"}
    entry["verb"] = "like"
    operation = Operation(secrets.token_hex(16), "bench", 60_000)
    change = Transition(REACT, EntityRef(business, entity), Reaction.LIKE, orjson.dumps(entry))
    outcome = await state.own_sets.change(USERS + user, change, operation, (0, state.now_ms()))
    assert outcome.status is Status.DONE


def _writing(bench: Bench, requests: Iterator[bytes]) -> Action:
    """Returns an action that sends write requests with nothing cached, and then lets the worker store the changes."""

    async def write() -> int:
        await cost.empty(bench.machine)
        flood = await bench.client.flood(requests, PUBLISHED)
        await emptied(bench.worker)
        return flood.answered

    return write


def _remarks(bench: Bench) -> Iterator[bytes]:
    return (
        remark(viewer, PostId.text(POSTS + Random(at * 100 + number).randrange(bench.users * WRITTEN)))
        for at in range(_REMARKS)
        for number, viewer in enumerate(bench.viewers)
    )


def _publications(bench: Bench) -> Iterator[bytes]:
    return (publication(viewer, at) for at in range(_REMARKS) for viewer in bench.viewers)
