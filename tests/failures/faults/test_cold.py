"""Requests without any cached value: each value is read once, within the limit of concurrent statements (D5)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import text

from settings import Settings
from state import opened
from tests.support.metrics import metric
from tests.support.stores import standalone
from tests.support.system import System, running

QUERY = "query ($id: ID!) { node(id: $id) { ... on Entity { title likeCount dislikeCount } } }"
CONNECTIONS = 6
_LOCK = text("LOCK TABLE counters IN ACCESS EXCLUSIVE MODE")
_WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")


def statements() -> int:
    return int(metric("sql_queries_total"))


async def cost(asked: Callable[[], Awaitable[Any]]) -> int:
    """Returns the number of SQL statements of a request with empty caches."""
    before = statements()
    await asked()
    return statements() - before


@standalone
async def test_a_value_that_a_hundred_requests_need_at_once_is_read_once(system: System) -> None:
    videos = await system.videos(*(f"v{n}" for n in range(4)))
    alice = system.person("alice")
    for video in videos:
        await alice.like(video)
    await system.drain()
    await system.empty_redis()

    async def crowd() -> None:
        readers = [system.person(None) for _ in range(100)]
        answers = await asyncio.gather(*[reader.ask(QUERY, id=videos[0]) for reader in readers])
        assert {answer["node"]["likeCount"] for answer in answers} == {1}

    by_one = await cost(lambda: system.person(None).ask(QUERY, id=videos[1]))
    by_a_hundred = await cost(crowd)

    assert by_one > 0
    assert by_a_hundred == by_one


@standalone
async def test_concurrent_reads_stay_within_the_connection_limit(make_settings: Callable[..., Settings]) -> None:
    async with (
        running(make_settings(database_connections=CONNECTIONS)) as system,
        opened(make_settings(), "lock") as other,
    ):
        videos = await system.videos(*(f"v{n}" for n in range(40)))
        await system.empty_redis()

        async with other.postgres.transaction() as transaction:
            await transaction.execute(_LOCK)
            readers = [asyncio.create_task(system.person(None).send(QUERY, id=video)) for video in videos]
            waiting = [(await other.postgres.read(_WAITING))[0][0] for _ in range(200)]
        bodies = [(await reader).json() for reader in readers]

        assert max(waiting) == CONNECTIONS - 2
        assert [body["data"]["node"]["likeCount"] for body in bodies] == [0] * len(videos)
