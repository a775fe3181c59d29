"""A worker dies during fan-out: the next worker continues, and each follower's inbox has the post once."""

import asyncio
import random
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from sqlalchemy import text

from domain.ids import PostId, UserId, parse_id
from identity import auth
from runner.process import Process
from state import State, opened
from store import keys
from tests.support.deployment import Deployment
from tests.support.posts import PUBLISH

FOLLOWERS = 8000
ROUNDS = 10

_FOLLOW = text("""
    INSERT INTO followers (user_id, follower_id, moment) SELECT :author, n, 1 FROM generate_series(1, :followers) AS n
""")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def state(deployment: Deployment) -> AsyncIterator[State]:
    """Opens the stores as a separate process does."""
    async with opened(deployment.settings, "fanout-test") as one:
        yield one


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def author(deployment: Deployment, state: State) -> AsyncIterator[httpx.AsyncClient]:
    """Returns a client of an author with thousands of active followers."""
    deployment.start_api()
    await deployment.ready()
    token = auth.mint(deployment.settings, "author")
    signed_in = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=deployment.url, headers=signed_in, trust_env=False) as client:
        answer = await client.post("/graphql", json={"query": "{ viewer { user { id } } }"})
        user = parse_id(answer.json()["data"]["viewer"]["user"]["id"])
        assert isinstance(user, UserId)
        async with state.postgres.transaction() as transaction:
            await transaction.execute(_FOLLOW, author=user.id, followers=FOLLOWERS)
        inboxes = [("ZADD", keys.inbox(follower), 1, "0") for follower in range(1, FOLLOWERS + 1)]
        await state.cache.redis.gather(inboxes, write=True)
        yield client


async def publish(author: httpx.AsyncClient, name: str) -> int:
    answer = await author.post("/graphql", json={"query": PUBLISH, "variables": {"text": name, "key": name}})
    post = parse_id(answer.json()["data"]["publishPost"]["post"]["id"])
    assert isinstance(post, PostId)
    return post.id


async def reached(state: State, post_id: int) -> int:
    """Returns the number of inboxes that have a post."""
    asked = [("ZSCORE", keys.inbox(follower), post_id) for follower in range(1, FOLLOWERS + 1)]
    return sum(score is not None for score in await state.cache.redis.gather(asked))


async def killed_half_way(state: State, deployment: Deployment, post_id: int) -> tuple[Process, int]:
    """Kills a worker during its fan-out. Returns the next worker, and the number of inboxes reached before."""
    worker = deployment.start_worker()
    async with asyncio.timeout(60):
        while not await state.postgres.read(text("SELECT 1 FROM fanouts WHERE reached > 0")):
            await asyncio.sleep(0.002)
    await asyncio.sleep(random.uniform(0, 0.02))
    worker.kill()
    return deployment.start_worker(), await reached(state, post_id)


async def rounds(state: State, deployment: Deployment, author: httpx.AsyncClient, names: list[str]) -> list[int]:
    """Returns for each post the number of inboxes that had it when its worker was killed."""
    had = []
    for name in names:
        post_id = await publish(author, name)
        worker, at_death = await killed_half_way(state, deployment, post_id)
        had.append(at_death)
        async with asyncio.timeout(60):
            while await state.postgres.read(text("SELECT 1 FROM fanouts")):
                await asyncio.sleep(0.05)
        worker.kill()
        assert await reached(state, post_id) == FOLLOWERS
    return had


@pytest.mark.prove
async def test_the_next_worker_completes_an_interrupted_fanout(
    state: State, deployment: Deployment, author: httpx.AsyncClient
) -> None:
    await rounds(state, deployment, author, ["once"])


@pytest.mark.prove
async def test_the_next_worker_completes_every_interrupted_fanout(
    state: State, deployment: Deployment, author: httpx.AsyncClient
) -> None:
    had = await rounds(state, deployment, author, [f"round {n}" for n in range(ROUNDS)])

    assert any(0 < some < FOLLOWERS for some in had)
    print(f"{ROUNDS} rounds; inboxes that had the post when the worker was killed: {had}, of {FOLLOWERS}")
