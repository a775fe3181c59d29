"""Workers publish the scores of posts and comments."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from models.topics import SQUARE, TopicRow
from projections import hot_scores
from store.content import hot as rows
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import System

HOTTEST = "{ square(sort: HOT, first: 5) { nodes { id } } }"


class Gate:
    """A call whose first invocation waits until the gate is opened."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.reached, self.open = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args: Any, **more: Any) -> Any:
        if not self.reached.is_set():
            self.reached.set()
            await self.open.wait()
        return await self._call(*args, **more)


@standalone
async def test_the_worker_with_the_newer_counters_publishes_last(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    post = (await publish(alice, "hello"))["post"]["id"]
    id_ = int(post.removeprefix("Post:"))
    await system.drain()
    await bob.ask(HOTTEST)
    await bob.like(post)
    await system.drain()
    gate = Gate(rows.publish)
    monkeypatch.setattr(rows, "publish", gate)

    slow = asyncio.create_task(hot_scores.publish_posts(system.state, [id_]))
    await gate.reached.wait()
    await carol.like(post)
    fast = asyncio.create_task(system.drain())
    await asyncio.wait({fast}, timeout=0.5)
    gate.open.set()
    await asyncio.gather(slow, fast)

    square = TopicRow(SQUARE).ref
    cached = await rows.cached_scores(system.state.cache, square, [id_])
    (stored,) = await system.rows("SELECT DISTINCT score FROM topic_posts")
    assert cached == {id_: stored[0]}
