"""No worker runs, and Redis restarts or stays down: API processes verify it, or make writes direct."""

import asyncio
from typing import Any

import httpx
import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.deployment import Deployment
from tests.support.system import REACT, SEEN, Api, Person

WRITTEN = 2.5
"""Seconds after which Redis has written an acknowledged change to its file, also if the disk is slow (`everysec`)."""
BOUND = 60.0
"""Seconds. Much less is needed on an idle machine."""


async def likes(person: Person, video: str) -> Any:
    """Likes a video. Repeats the request until it is acknowledged. Returns the payload."""
    async with asyncio.timeout(BOUND):
        while True:
            body = (await person.send(REACT % "like", id=video, key=f"{person.handle}-{video}")).json()
            if "errors" not in body:
                return body["data"]["like"]
            assert {error["extensions"]["code"] for error in body["errors"]} == {"UNAVAILABLE"}
            await asyncio.sleep(0.2)


@pytest.mark.prove
@pytest.mark.timeout(300)
async def test_writes_go_on_without_workers_when_redis_restarts_and_when_it_stays_down(
    deployment: Deployment, stores: tuple[Postgres, Valkey]
) -> None:
    _, redis = stores
    worker = deployment.start_worker()
    deployment.start_api()
    await deployment.workers_started(worker)
    await deployment.ready()
    async with httpx.AsyncClient(base_url=deployment.url, trust_env=False, timeout=30) as http:
        api = Api(http, deployment.settings)
        (video,) = await api.videos("no-worker")
        alice, bob, carol = (api.person(f"{name}-no-worker") for name in ("alice", "bob", "carol"))
        for person in (alice, bob, carol):
            await person.id()
        worker.kill()
        await likes(alice, video)

        await asyncio.sleep(WRITTEN)
        redis.kill()
        redis.start()
        assert (await likes(bob, video))["userErrors"] == []
        await asyncio.sleep(WRITTEN)
        redis.kill()
        assert (await likes(carol, video))["userErrors"] == []
        redis.start()

        deployment.start_worker()
        async with asyncio.timeout(BOUND):
            while (await alice.send(SEEN, id=video)).json()["data"]["node"]["likeCount"] != 3:
                await asyncio.sleep(0.2)
    deployment.stop()
