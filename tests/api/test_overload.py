"""A process that runs as many requests as it may: others are refused at once, and those that run are answered."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
import pytest_asyncio
from sqlalchemy import text

import metrics
from settings import Settings
from tests.system import REACT, Person, System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

ENTITY = """query ($key: String!) { entity(business: "video", key: $key) { title } }"""
WAITING = "SELECT count(*) FROM pg_locks WHERE relation = 'entities'::regclass AND NOT granted"
MOST = 2


@pytest_asyncio.fixture
async def full(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """A system with room for two, where nothing runs out of time."""
    lasting = {"request_timeout": 30, "settle": 60, "database_timeout": 30}
    async with running(make_settings(requests_at_once=MOST, **lasting)) as system:
        await system.videos("v0", "v1", "v2")
        await system.empty_redis()
        yield system


async def begun(system: System, person: Person) -> list[asyncio.Task[httpx.Response]]:
    """As many requests as may run, all of which wait for the table."""
    asked = [asyncio.create_task(person.send(ENTITY, key=f"v{n}")) for n in range(MOST)]
    async with asyncio.timeout(20):
        while (await system.rows(WAITING))[0][0] < MOST:
            await asyncio.sleep(0.01)
    return asked


def shed() -> float:
    return float(metrics.REQUESTS_SHED._value.get())


async def test_one_more_than_may_run_is_refused_at_once_and_the_others_are_answered(full: System) -> None:
    nobody, before = full.person(None), shed()
    async with full.state.postgres.transaction() as transaction:
        await transaction.execute(text("LOCK TABLE entities IN ACCESS EXCLUSIVE MODE"))
        asked = await begun(full, nobody)

        read = await nobody.send(ENTITY, key="v2")
        written = await full.person("alice").send(REACT % "like", id="Entity:video:v2")
        streamed = await full.http.post("/graphql", json={"query": "{ x }"}, headers={"accept": "text/event-stream"})
        told = [(await full.http.get(path)).status_code for path in ("/livez", "/readyz", "/metrics")]

        assert not any(request.done() for request in asked)

    for refused in (read, written, streamed):
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert refused.headers["cache-control"] == "no-store"
        (error,) = refused.json()["errors"]
        assert error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": 1.0}
    assert shed() - before == 3
    assert told == [200, 200, 200]
    titles = [(await request).json()["data"]["entity"]["title"] for request in asked]
    assert titles == ["v0", "v1"]
    assert (await nobody.ask(ENTITY, key="v2"))["entity"]["title"] == "v2"
