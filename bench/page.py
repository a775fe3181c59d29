"""Measures two cached pages, of entities and of users: the API with plans and without, and hand-written code."""

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import orjson

from bench.client import Client, Unexpected, connected, graphql
from bench.community import BUSINESS, Pair, Person
from bench.likes import LIKED, requests
from bench.machine import Machine
from bench.results import Result, compared
from bench.rounds import Turn, alternate
from bench.working import emptied, working
from domain.ids import UserId

ENTITIES = """query ($business: String!, $keys: [String!]!) {
  entities(business: $business, keys: $keys) {
    id title likeCount dislikeCount viewCount shareCount viewerReaction
    owner { id handle displayName viewerRelation }
  }
}"""
PEOPLE = """query ($people: [String!]!) {
  users(externalIds: $people) {
    id handle displayName viewerRelation followerCount
    followers(first: 5) { nodes { id handle displayName viewerRelation } }
  }
}"""
FOLLOW = "mutation ($id: ID!) { follow(input: {userId: $id}) { userErrors { code } } }"
FOLLOWED = b'"userErrors":[]'


@dataclass(frozen=True, slots=True)
class Sides:
    """The requests for the pages, by name, and a client of each server: the API with plans (`plans`), hand-written code
    (`by_hand`), and the API without plans (`plain`).
    """

    pages: dict[str, bytes]
    plans: Client
    by_hand: Client
    plain: Client

    @property
    def all(self) -> Sequence[Client]:
        """Returns the clients of all servers."""
        return self.plans, self.by_hand, self.plain


async def measure(machine: Machine) -> list[Result]:
    """Measures pages per second of the API with plans, of the API without plans, and of hand-written code."""
    async with serving(machine) as sides:
        return await race("page", machine, sides)


async def race(section: str, machine: Machine, sides: Sides) -> list[Result]:
    """Measures each page on all servers, which take turns. Returns the pages per second of the API with plans, compared
    to hand-written code and to the API without plans. `section` is the name under which the results are shown.
    """
    results: list[Result] = []
    for name, page in sides.pages.items():
        expected, seconds = await same(sides, page), machine.sizes.round_seconds

        def turn(client: Client, page: bytes = page, expected: bytes = expected, seconds: float = seconds) -> Turn:
            async def rate() -> float:
                return (await client.flood(itertools.repeat(page), expected, seconds)).rate

            return rate

        plans, by_hand, plain = await alternate(machine.sizes.rounds, *map(turn, sides.all))
        results.append(compared(section, f"{name}/s, against by hand", plans, by_hand, at_least=0.8))
        results.append(compared(section, f"{name}/s, against graphql-core", plans, plain, at_least=8))
    return results


@asynccontextmanager
async def serving(machine: Machine) -> AsyncIterator[Sides]:
    """Starts all servers, and prepares pages with likes and follows by the viewer, some of which are pending. Yields
    the clients and the pages.
    """
    viewer, people = machine.community.people[0], [person.subject for person in _shown(machine)]
    pages = {
        f"pages of {len(machine.community.shown)} entities": graphql(
            viewer.token,
            ENTITIES,
            {"business": BUSINESS, "keys": [entity.key for entity in machine.community.shown]},
        ),
        f"pages of {len(people)} users with followers": graphql(viewer.token, PEOPLE, {"people": people}),
    }
    async with served(machine, pages) as sides:
        await _settled(machine, sides.plans)
        await _just_now(machine, sides.plans)
        yield sides


@asynccontextmanager
async def served(machine: Machine, pages: dict[str, bytes]) -> AsyncIterator[Sides]:
    """Starts all servers, and yields their clients with these pages."""
    async with AsyncExitStack() as stack:
        ports = [machine.api_port, *map(stack.enter_context, (machine.baseline("by_hand"), machine.plain_api()))]
        opened = [connected(port, machine.sizes.page_connections) for port in ports]
        plans, by_hand, plain = [await stack.enter_async_context(one) for one in opened]
        yield Sides(pages, plans, by_hand, plain)


async def same(sides: Sides, page: bytes) -> bytes:
    """Returns the data that all servers answer for a page when everything is cached. Raises Unexpected if one byte
    differs.
    """
    return await agreed(sides.all, page)


async def agreed(servers: Sequence[Client], page: bytes) -> bytes:
    """Returns the data that these servers answer for a page. Asks the first server twice, to fill caches. Raises
    Unexpected if one byte differs between servers.
    """
    await servers[0].ask(page)
    answers = [_data(await one.ask(page)) for one in servers]
    if len(set(answers)) > 1:
        raise Unexpected(b"\n".join(answers))
    return answers[0]


def _data(body: bytes) -> bytes:
    """Returns the member `data` of an answer, with its name, as bytes. Raises Unexpected if it is not written
    compactly.
    """
    data = b'"data":' + orjson.dumps(orjson.loads(body)["data"])
    if data not in body:
        raise Unexpected(body)
    return data


def _shown(machine: Machine) -> Sequence[Person]:
    return machine.community.people[1 : machine.sizes.page_people + 1]


async def _settled(machine: Machine, client: Client) -> None:
    """Adds likes to all entities of the page and followers to all people on it, and waits until a worker has stored
    them and updated the caches.

    The viewer likes every second entity and follows some of the people. Some of them follow the viewer.
    """
    viewer, *others = machine.community.people[: machine.sizes.page_likers + 1]
    entities, people = machine.community.shown, _shown(machine)
    fans = machine.community.people[len(people) + 1 :][: machine.sizes.page_followers + 1]
    pairs: list[Pair] = [(person, entity) for person in others for entity in entities]
    follows = [(fan, person) for person in people for fan in fans[1:]] + [(fans[0], viewer), (people[0], viewer)]
    follows += [(viewer, person) for person in (*people[1::2], *fans[::2])]
    async with working(machine) as worker:
        await client.flood(requests(iter([*pairs, *((viewer, one) for one in entities[1::2])])), LIKED)
        await client.flood(map(follow, follows), FOLLOWED)
        await emptied(worker)


async def _just_now(machine: Machine, client: Client) -> None:
    """Adds a like and a follow by the viewer, which stay pending while the pages are measured, because
    no worker runs.
    """
    viewer, person = machine.community.people[0], _shown(machine)[2]
    await client.flood(requests(iter([(viewer, machine.community.shown[0])])), LIKED)
    await client.flood(iter([follow((viewer, person))]), FOLLOWED)


def follow(pair: tuple[Person, Person]) -> bytes:
    """Returns a request in which the first person follows the second."""
    follower, followee = pair
    return graphql(follower.token, FOLLOW, {"id": str(UserId(followee.user_id))})
