"""Two pages, everything cached: by the API with plans, by the API without them, and by hand."""

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
    """The pages as requests, by name, and who answers them."""

    pages: dict[str, bytes]
    plans: Client
    by_hand: Client
    plain: Client

    @property
    def all(self) -> Sequence[Client]:
        """Everybody who answers."""
        return self.plans, self.by_hand, self.plain


async def measure(machine: Machine) -> list[Result]:
    """Pages per second."""
    async with serving(machine) as sides:
        return await race("page", machine, sides)


async def race(section: str, machine: Machine, sides: Sides) -> list[Result]:
    """The same over servers that are running already."""
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
    """All servers, and pages for somebody who likes and follows some of what is on them, partly just now."""
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
    """All servers, for these pages."""
    async with AsyncExitStack() as stack:
        ports = [machine.api_port, *map(stack.enter_context, (machine.baseline("by_hand"), machine.plain_api()))]
        opened = [connected(port, machine.sizes.page_connections) for port in ports]
        plans, by_hand, plain = [await stack.enter_async_context(one) for one in opened]
        yield Sides(pages, plans, by_hand, plain)


async def same(sides: Sides, page: bytes) -> bytes:
    """The data all servers answer with once their caches are warm. Raises Unexpected where it differs by a byte."""
    await sides.plans.ask(page)
    answers = [_data(await one.ask(page)) for one in sides.all]
    if len(set(answers)) > 1:
        raise Unexpected(b"\n".join(answers))
    return answers[0]


def _data(body: bytes) -> bytes:
    """The member `data` of an answer, as it lies in it."""
    data = b'"data":' + orjson.dumps(orjson.loads(body)["data"])
    if data not in body:
        raise Unexpected(body)
    return data


def _shown(machine: Machine) -> Sequence[Person]:
    return machine.community.people[1 : machine.sizes.page_people + 1]


async def _settled(machine: Machine, client: Client) -> None:
    """Every entity of the page gets likes of several people, every other one also that of the page's viewer; everybody
    on the page gets followers, of whom the viewer follows some, and some follow the viewer. All of it is published.
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
    """What the viewer has pending while the pages are measured."""
    viewer, person = machine.community.people[0], _shown(machine)[2]
    await client.flood(requests(iter([(viewer, machine.community.shown[0])])), LIKED)
    await client.flood(iter([follow((viewer, person))]), FOLLOWED)


def follow(pair: tuple[Person, Person]) -> bytes:
    """The first follows the second."""
    follower, followee = pair
    return graphql(follower.token, FOLLOW, {"id": str(UserId(followee.user_id))})
