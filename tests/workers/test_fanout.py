"""Steps of the fan-out: their cost and size, and that each follower's inbox gets each post."""

import asyncio
from collections.abc import Callable, Sequence

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import text

from runner.valkey import Valkey
from settings import Settings
from store import keys
from store.cache.lists import FLOOR
from store.redis.client import RedisDown
from tests.support.citus import LOCK_QUERIES
from tests.support.outages import stopped
from tests.support.stores import standalone
from tests.support.system import System, running
from workers import fanout
from workers.fanout import Fanouts

_ASK = text("""
    INSERT INTO fanouts (author_id, post_id, partition, moment, since_ms) VALUES (:author, :post, 0, :moment, :since)
""")
_FOLLOW = text("INSERT INTO followers (user_id, follower_id, moment) VALUES (:author, :follower, 1)")
_AUTHORS = 1_000_000
"""The first author id. Ids of posts and followers are smaller."""


async def followed(system: System, author: int, followers: Sequence[int]) -> None:
    """Creates an author whose followers were all active lately."""
    async with system.state.postgres.transaction() as transaction:
        for follower in followers:
            await transaction.execute(_FOLLOW, author=author, follower=follower)
    await system.state.cache.redis.gather([("ZADD", keys.inbox(one), 1, FLOOR) for one in followers], write=True)


async def make_due(system: System, author: int, post: int, moment: int | None = None) -> None:
    """Makes a post due after all posts with smaller ids."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(_ASK, author=author, post=post, moment=moment or 1000 + post, since=post)


async def inbox(system: System, user: int) -> list[int]:
    """Returns the posts of an inbox, newest first."""
    found = await system.state.cache.redis("ZRANGE", keys.inbox(user), "+inf", "(1", "BYSCORE", "REV")
    return [int(post) for post in found]


def counted(name: str) -> int:
    """Returns the value of a metric of this process."""
    return int(REGISTRY.get_sample_value(name) or 0)


@standalone
@pytest.mark.parametrize("posts", [1, 40])
async def test_a_step_costs_one_query_and_one_transaction_for_any_number_of_posts(system: System, posts: int) -> None:
    for n in range(1, posts + 1):
        await followed(system, _AUTHORS + n, [n, n + 1, n + 2])
        await make_due(system, _AUTHORS + n, n)
    fanouts, before = Fanouts(system.state), counted("plaudit_sql_queries_total")

    assert await fanouts.step([0]) == posts

    assert 2 <= counted("plaudit_sql_queries_total") - before <= 1 + LOCK_QUERIES
    assert not fanouts.backlog
    assert await system.rows("SELECT * FROM fanouts") == []
    for n in range(1, posts + 1):
        assert n in await inbox(system, n + 1)


async def test_a_step_has_a_maximum_size_and_the_next_one_continues(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fanout, "CHUNK", 4)
    monkeypatch.setattr(fanout, "_AT_ONCE", 6)
    numbers = [5, 0, 3, 9, 4, 1, 0, 0, 2]
    for post, number in enumerate(numbers, 1):
        await followed(system, _AUTHORS + post, range(1, number + 1))
        await make_due(system, _AUTHORS + post, post)
    fanouts, before, pushes = Fanouts(system.state), counted("plaudit_fanout_pushes_total"), list[int]()

    while await fanouts.step([0]):
        pushes.append(counted("plaudit_fanout_pushes_total") - before - sum(pushes))

    assert max(pushes) == 6
    assert sum(pushes) == sum(numbers)
    assert not fanouts.backlog
    for user in range(1, 10):
        mine = [post for post, number in enumerate(numbers, 1) if number >= user]
        assert await inbox(system, user) == mine[::-1]


@standalone
async def test_the_oldest_post_is_first_and_the_last_of_a_step_is_continued(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fanout, "_AT_ONCE", 5)
    for post in (2, 1):
        await followed(system, _AUTHORS + post, [1, 2, 3])
        await make_due(system, _AUTHORS + post, post)
    fanouts = Fanouts(system.state)

    assert await fanouts.step([0]) == 2
    assert await system.rows("SELECT post_id, reached FROM fanouts") == [(2, 2)]
    assert fanouts.backlog
    assert await fanouts.step([0]) == 1
    assert await inbox(system, 3) == [2, 1]


@standalone
async def test_a_post_without_remaining_followers_at_the_end_of_a_step_makes_a_backlog(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fanout, "_AT_ONCE", 3)
    await followed(system, _AUTHORS + 1, [1, 2])
    for post in (1, 2, 3):
        await make_due(system, _AUTHORS + post, post)
    fanouts = Fanouts(system.state)

    assert await fanouts.step([0]) == 2
    assert fanouts.backlog
    assert await fanouts.step([0]) == 2
    assert await system.rows("SELECT * FROM fanouts") == []


async def test_a_post_that_is_pushed_twice_is_in_an_inbox_once_and_a_deleted_post_stays_out(system: System) -> None:
    await followed(system, _AUTHORS, [1, 2])
    for post in (7, 8):
        await make_due(system, _AUTHORS, post)
    fanouts = Fanouts(system.state)
    await fanouts.step([0])
    await make_due(system, _AUTHORS, 7, moment=-5000)
    await make_due(system, _AUTHORS, 8)

    await fanouts.step([0])

    assert [await inbox(system, user) for user in (1, 2)] == [[8], [8]]
    await make_due(system, _AUTHORS, 7)
    await fanouts.step([0])
    assert [await inbox(system, user) for user in (1, 2)] == [[8], [8]]


async def test_the_lag_is_exported_while_no_post_can_be_pushed(
    make_settings: Callable[..., Settings], two_redis: tuple[Valkey, Valkey]
) -> None:
    state, cache = two_redis
    own = {"redis_url": state.url, "cache_url": cache.url, "redis_mode": "standalone"}
    async with running(make_settings(**own)) as system:
        await followed(system, _AUTHORS, [1])
        await make_due(system, _AUTHORS, 1)
        fanouts = Fanouts(system.state)
        async with stopped(cache, system.state.cache.redis):
            with pytest.raises(RedisDown):
                await fanouts.step([0])
            assert counted("plaudit_fanout_lag_seconds") > 0

        assert await fanouts.step([0]) == 1
        assert await fanouts.step([0]) == counted("plaudit_fanout_lag_seconds") == 0


@standalone
async def test_steps_go_on_until_other_work_has_ended(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanout, "CHUNK", 2)
    fanouts, other = Fanouts(system.state), asyncio.get_running_loop().create_future()
    followers = range(1, 6)
    await followed(system, _AUTHORS, followers)
    running_steps = asyncio.create_task(fanouts.run_until(other, [0]))

    for post in (100, 101):  # the second becomes due while the steps run
        await make_due(system, _AUTHORS, post)
        async with asyncio.timeout(20):
            while not all([post in await inbox(system, follower) for follower in followers]):
                await asyncio.sleep(0.01)
    other.set_result(None)

    assert await running_steps == 6
    assert await system.rows("SELECT * FROM fanouts") == []
