"""Measures the fan-out, by which a worker writes a post into the full inboxes of its author's followers: how many
inboxes per second, and when the last follower has the post.

The inboxes are on their own Valkey server, with the settings that docs/operate/install.md recommends for the cache.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import chain

import orjson
from sqlalchemy import text

from bench import crowd
from bench.client import Client, connected
from bench.machine import Machine
from bench.results import Result, compared, percentiles
from bench.rounds import alternate
from bench.writing import publication
from domain.ids import PostId, parse_id
from runner.valkey import CACHE, Valkey
from state import opened
from store import keys
from workers.fanout import CHUNK, Fanouts

_ASK = text("""
    INSERT INTO fanouts (author_id, post_id, partition, moment, since_ms) VALUES (:author, :post, 0, :moment, :since)
""")
_TOGETHER = 100
"""The number of followers in a group. The benchmark polls one follower of each group until the follower has the post,
and then checks the others.
"""
_PAUSE = 0.005
"""The number of seconds between two polls."""


async def measure(machine: Machine) -> list[Result]:
    """Measures the followers per second of a fan-out, and the milliseconds from the acknowledgement of a post until it
    is in each follower's inbox.
    """
    async with _with_cache(machine) as cached:
        return [await _race(cached), *await _watch(cached)]


@asynccontextmanager
async def _with_cache(machine: Machine) -> AsyncIterator[Machine]:
    """Yields a copy of `machine` with a separate cache server, which its running API does not use."""
    with Valkey(machine.home / "cache", settings=CACHE) as cache:
        settings = machine.settings.model_copy(update={"cache_url": cache.url})
        async with opened(settings, "bench-cache") as state:
            yield replace(machine, settings=settings, state=state)


async def _race(machine: Machine) -> Result:
    """Compares a worker's fan-out, which also reads followers and stores its progress, with only the Redis commands
    that add to inboxes and trim them.
    """
    state, author = machine.state, machine.state.new_id()
    followers = await crowd.gather(machine, author, machine.sizes.raced_followers)
    bare = [f"bare:{follower}" for follower in followers]
    await crowd.fill(state, crowd.inboxes(followers))
    await crowd.fill(state, bare)
    fanouts = Fanouts(state)

    async def pushed() -> float:
        now_ms = state.now_ms()
        async with state.postgres.transaction() as transaction:
            ask = {"author": author, "post": state.new_id(), "moment": now_ms << 10, "since": now_ms}
            await transaction.execute(_ASK, **ask)
        started = time.perf_counter()
        while await fanouts.step([0]):
            pass
        return len(followers) / (time.perf_counter() - started)

    async def piped() -> float:
        post, moment, most = state.new_id(), state.now_ms() << 10, state.settings.caches.inbox_posts
        started = time.perf_counter()
        for at in range(0, len(bare), CHUNK):
            each = [
                (("ZADD", name, moment, post), ("ZREMRANGEBYRANK", name, 0, -most - 1))
                for name in bare[at : at + CHUNK]
            ]
            await state.cache.redis.gather([*chain.from_iterable(each)], write=True)
        return len(bare) / (time.perf_counter() - started)

    worker, raw = await alternate(machine.sizes.rounds, pushed, piped)
    return compared("fanout", "followers/s, against bare ZADD and trim", worker, raw, at_least=0.8)


async def _watch(machine: Machine) -> list[Result]:
    """Publishes posts through the API, which a worker fans out, and measures when followers have them."""
    people, sizes = machine.community.people, machine.sizes
    author = people[len(people) // 2 - 1]  # has no followers yet
    followers = await crowd.gather(machine, author.user_id, sizes.followers)
    await crowd.fill(machine.state, crowd.inboxes(followers))
    delays: list[float] = []
    async with AsyncExitStack() as stack:
        most = str(sizes.followers + 1)
        stack.enter_context(
            machine.worker(PLAUDIT_CACHE_URL=machine.settings.cache_url or "", PLAUDIT_PUSH_FOLLOWER_LIMIT=most)
        )
        client = await stack.enter_async_context(connected(machine.api_port, 1))
        for number in range(sizes.watched_posts + 1):  # the first post fills the caches
            seen = await _seen(machine, client, publication(author, number), followers)
            delays += seen if number else []
    return percentiles("fanout", f"ms from acknowledgement to {sizes.followers:,} inboxes", delays)


async def _seen(machine: Machine, client: Client, request: bytes, followers: Sequence[int]) -> list[float]:
    """Publishes a post by `request`. Returns, for each follower, the milliseconds from the acknowledgement until the
    inbox had the post, at most the pause between two polls too many.
    """
    answer = orjson.loads(await client.ask(request))["data"]["publishPost"]
    acknowledged = time.perf_counter()
    post = parse_id(answer["post"]["id"])
    assert isinstance(post, PostId)
    waiting = [followers[at : at + _TOGETHER] for at in range(0, len(followers), _TOGETHER)]
    delays: list[float] = []
    while waiting:
        await asyncio.sleep(_PAUSE)
        first = await _having(machine, [some[0] for some in waiting], post.id)
        begun = [some for some, has in zip(waiting, first, strict=True) if has]
        have = iter(await _having(machine, [*chain.from_iterable(begun)], post.id))
        now = time.perf_counter()
        left = [[one for one in some if not next(have)] for some in begun]
        delays += [(now - acknowledged) * 1000] * (sum(map(len, begun)) - sum(map(len, left)))
        waiting = [some for some, has in zip(waiting, first, strict=True) if not has] + [some for some in left if some]
    return delays


async def _having(machine: Machine, users: Sequence[int], post_id: int) -> list[bool]:
    scores = await machine.state.cache.redis.gather([("ZSCORE", keys.inbox(user), post_id) for user in users])
    return [score is not None for score in scores]
