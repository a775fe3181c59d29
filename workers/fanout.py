"""Fan-out: pushes posts into the inboxes of their authors' followers, removes deleted posts from these inboxes, and
pushes reposts to the followers of those who repost.

The transaction that makes a post public, deletes it or stores a repost also writes a fan-out row, which stores the
progress of the fan-out. If a worker dies, at most one step is repeated, which changes nothing.
"""

import asyncio
from collections.abc import Collection
from typing import Any

from observability import metrics
from state import State
from store.content import fanouts, inboxes

CHUNK = 2000
"""The most followers of one post in one step."""
_AT_ONCE = 8000
"""The most followers of all posts together in one step. A post without followers counts as one."""


class Fanouts:
    """Processes the unfinished fan-outs in one worker's partitions. A fan-out pushes a post into the inboxes of the
    author's followers, or removes it from there.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self.backlog = False
        """Whether a fan-out was unfinished after the last step."""

    async def run_until(self, ended: asyncio.Future[Any], partitions: Collection[int]) -> int:
        """Repeats `step` until the future `ended` is done, at least once. Pauses while there is no work. Returns the
        number of chunks of followers that were processed.
        """
        chunks = 0
        while True:
            chunks += await self.step(partitions)
            if not self.backlog:
                await asyncio.wait([ended], timeout=self._state.settings.batches.window_seconds)
            if ended.done():
                return chunks

    async def step(self, partitions: Collection[int]) -> int:
        """Processes the next chunk of followers of each of the oldest fan-outs in these partitions, and stores the
        progress. Returns the number of chunks.
        """
        state = self._state
        due = await fanouts.due(state.postgres, partitions, chunk=CHUNK, most=_AT_ONCE) if partitions else []
        # the lag is exported before the push, because the push fails while the cache is down
        now_ms = state.now_ms()
        metrics.FANOUT_LAG.set(max((now_ms - chunk.since_ms for chunk in due), default=0) / 1000)
        if due:
            cap = state.settings.caches.inbox_posts
            if posts := [(chunk.item, chunk.followers) for chunk in due if not chunk.is_repost]:
                await inboxes.push(state.cache, posts, cap=cap)
            if reposts := [(chunk.item, chunk.followers) for chunk in due if chunk.is_repost]:
                await inboxes.push_reposts(state.cache, reposts, cap=cap)
            async with state.postgres.transaction() as transaction:
                await fanouts.advance(transaction, due)
        self.backlog = any(chunk.reached is not None for chunk in due)
        now_ms = state.now_ms()
        metrics.FANOUT_PUSHES.inc(sum(len(chunk.followers) for chunk in due))
        for chunk in due:
            if chunk.reached is None:
                metrics.FANOUT_SECONDS.observe(max(0, now_ms - chunk.since_ms) / 1000)
        return len(due)
