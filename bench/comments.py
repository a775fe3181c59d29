"""Measures cached pages of posts with their hottest comments: the API with plans and without, and hand-written code."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import orjson

from bench import page
from bench.client import Client, graphql
from bench.home import LIKED, likes
from bench.machine import Machine
from bench.page import Sides
from bench.results import Result
from bench.working import emptied, working
from bench.writing import PUBLISHED, publication, remark

PAGE = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Post {
  id text createdAt likeCount dislikeCount commentCount viewerReaction author { id handle displayName }
  comments(sort: HOT, first: 3) {
    nodes {
      id text floor createdAt deleted likeCount dislikeCount replyCount viewerReaction
      author { id handle displayName }
    }
    pageInfo { hasNextPage }
  }
} } }"""
_LIKERS = 6


async def measure(machine: Machine) -> list[Result]:
    """Measures pages per second of the API with plans, of the API without plans, and of hand-written code."""
    async with serving(machine) as sides:
        return await page.race("comments", machine, sides)


@asynccontextmanager
async def serving(machine: Machine) -> AsyncIterator[Sides]:
    """Starts all servers, and prepares a page of posts, for a viewer who has pending likes of a post and of a comment.
    Yields the clients and the page.
    """
    viewer, *authors = machine.community.people[: machine.sizes.commented_posts + 1]
    async with page.served(machine, {}) as sides:
        posts = [await _published(sides.plans, publication(author, 0)) for author in authors]
        asked = graphql(viewer.token, PAGE, {"ids": posts})
        sides.pages[f"pages of {len(posts)} posts with 3 comments each"] = asked
        await _settled(machine, sides.plans, posts, asked)
        yield sides


async def _settled(machine: Machine, client: Client, posts: list[str], asked: bytes) -> None:
    """Adds comments to the posts, likes to some comments, and the viewer's likes to every second post. `asked` is the
    request for the page.
    """
    viewer, *others = machine.community.people
    remarks = (remark(others[at % len(others)], post) for at, post in enumerate(posts * machine.sizes.remarks))
    async with working(machine) as worker:
        await client.flood(remarks, PUBLISHED)
        await emptied(worker)
        comments = await _comments(client, asked)
        for at, liker in enumerate(others[:_LIKERS]):
            await client.flood(likes(liker, comments[at :: at + 2]), LIKED)
        await client.flood(likes(viewer, posts[1::2] + comments[::3]), LIKED)
        await emptied(worker)
    await client.flood(likes(viewer, [posts[0], comments[1]]), LIKED)


async def _published(client: Client, request: bytes) -> str:
    return str(orjson.loads(await client.ask(request))["data"]["publishPost"]["post"]["id"])


async def _comments(client: Client, asked: bytes) -> list[str]:
    """Returns the ids of the comments on the page for which `asked` is the request."""
    posts = orjson.loads(await client.ask(asked))["data"]["nodes"]
    return [comment["id"] for post in posts for comment in post["comments"]["nodes"]]
