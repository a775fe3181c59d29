"""Commits that are lost before or after their execution: the batch is stored once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from settings import Settings
from store.write_log.partition_leases import Fenced
from tests.support.fault_proxy import Loss, Proxy, proxied
from tests.support.journal_entries import count_seen, neighbours, states
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import LIKE, assert_three_likes, ready, three_likes, until, working

COMMIT = b"COMMIT;"


@asynccontextmanager
async def behind_a_proxy(make_settings: Callable[..., Settings]) -> AsyncIterator[tuple[System, Proxy]]:
    """Starts a system with a proxy in front of Postgres that can lose messages."""
    url = make_url(make_settings().database_url)
    assert url.port
    async with proxied(url.port) as proxy:
        through = url.set(port=proxy.port).render_as_string(hide_password=False)
        async with running(make_settings(database_url=through)) as system:
            yield system, proxy


@standalone
async def test_the_entries_of_a_commit_that_never_arrived_are_committed_in_parts(
    make_settings: Callable[..., Settings],
) -> None:
    async with behind_a_proxy(make_settings) as (system, proxy):
        (video,) = await system.videos("v1", owner="owen")
        await three_likes(system, video)
        worker = await ready(system)
        proxy.lose(COMMIT, Loss.REQUEST)

        await worker.step()

        assert proxy.lost == 1
        await assert_three_likes(system)


@standalone
async def test_a_commit_whose_reply_was_lost_is_not_repeated(make_settings: Callable[..., Settings]) -> None:
    async with behind_a_proxy(make_settings) as (system, proxy):
        (video,) = await system.videos("v1", owner="owen")
        assert await count_seen(system.person("zoe"), video) == 0  # fills the cache
        await three_likes(system, video)
        worker = await ready(system)
        proxy.lose(COMMIT, Loss.REPLY)

        with pytest.raises(Fenced):  # the worker's knowledge of its partitions is outdated
            await worker.step()

        assert proxy.lost == 1
        await assert_three_likes(system)  # the commit was executed
        await worker.ownership.renew()
        await worker.step()
        await assert_three_likes(system)
        assert await count_seen(system.person("zoe"), video) == 2  # and the change was published


@standalone
async def test_a_running_worker_recovers_from_lost_commits(
    make_settings: Callable[..., Settings],
) -> None:
    async with behind_a_proxy(lambda **changes: make_settings(partition_lease_seconds=0.4, **changes)) as (
        system,
        proxy,
    ):
        (video,) = await system.videos("v1", owner="owen")
        people = await neighbours(system, 3)
        async with working(system.worker()):
            for number in range(1, 13):
                proxy.lose(COMMIT, Loss.REPLY if number % 2 else Loss.REQUEST)
                one = people[number % 3].person
                await asyncio.gather(one.send(LIKE if number % 6 < 3 else UNLIKE, id=video), return_exceptions=True)
                await until(lambda number=number: lost_is(proxy, number))  # type: ignore[misc]
        await system.drain()

        chains = await system.rows("SELECT user_id, verb FROM like_log ORDER BY user_id, version")
        assert_unbroken(chains)
        likes = sum(state == 1 for state in (await states(system)).values())
        assert await system.rows("SELECT coalesce(sum(value), 0)::int FROM counters WHERE kind = 1") == [(likes,)]


UNLIKE = LIKE.replace("like(", "unlike(")


async def lost_is(proxy: Proxy, number: int) -> bool:
    return proxy.lost >= number


def assert_unbroken(chains: list[tuple[Any, ...]]) -> None:
    """Checks that every change of a user reverses the one before it."""
    liked: dict[int, bool] = {}
    for user, verb in chains:
        assert verb == ("unlike" if liked.get(user) else "like")
        liked[user] = verb == "like"
