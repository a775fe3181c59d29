"""Measures a cached home page of posts: the API with plans and without, and hand-written code."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import orjson

from bench import page
from bench.client import Client, graphql
from bench.community import Person
from bench.machine import Machine
from bench.page import FOLLOWED, Sides, follow
from bench.results import Result
from bench.working import emptied, working
from bench.writing import PUBLISHED, publication

HOME = """query ($first: Int!) {
  viewer { home(first: $first) {
    nodes {
      id text createdAt editedAt likeCount dislikeCount viewCount shareCount viewerReaction auditStatus
      topics { name } images { url alt } author { id handle displayName }
    }
    pageInfo { hasNextPage endCursor }
  } }
}"""
LIKE = "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"
UNLIKE = "mutation ($id: ID!) { unlike(input: {targetId: $id}) { userErrors { code } } }"
LIKED = b'"userErrors":[]'
_WRITTEN_EACH = 2


async def measure(machine: Machine) -> list[Result]:
    """Measures home pages per second of the API with plans, of the API without plans, and of hand-written code."""
    async with serving(machine) as sides:
        return await page.race("home", machine, sides)


@asynccontextmanager
async def serving(machine: Machine) -> AsyncIterator[Sides]:
    """Starts all servers, and prepares the home page of a viewer who has a pending like of one of the posts. Yields the
    clients and the page.
    """
    viewer, count = machine.community.people[0], machine.sizes.home_posts
    asked = graphql(viewer.token, HOME, {"first": count})
    async with page.served(machine, {f"home pages of {count} posts": asked}) as sides:
        await settled(machine, sides.plans, asked)
        yield sides


async def settled(machine: Machine, client: Client, asked: bytes) -> None:
    """Makes the viewer follow authors who have published posts, and like every second post of the page. `asked` is the
    request for the page.
    """
    viewer, *authors = machine.community.people[: machine.sizes.home_posts + 1]
    async with working(machine) as worker:
        await client.flood(map(follow, [(viewer, author) for author in authors]), FOLLOWED)
        for number in range(_WRITTEN_EACH):
            await client.flood(iter([publication(author, number) for author in authors]), PUBLISHED)
        await emptied(worker)
        await client.flood(likes(viewer, (await _ids(client, asked))[1::2]), LIKED)
        await emptied(worker)
    await client.flood(likes(viewer, (await _ids(client, asked))[:1]), LIKED)


async def _ids(client: Client, asked: bytes) -> list[str]:
    home = orjson.loads(await client.ask(asked))["data"]["viewer"]["home"]
    return [post["id"] for post in home["nodes"]]


def likes(viewer: Person, ids: list[str]) -> Iterator[bytes]:
    """Yields requests in which the viewer likes the posts with these ids."""
    return (graphql(viewer.token, LIKE, {"id": id_}) for id_ in ids)
