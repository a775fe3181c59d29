"""Fan-out: posts into the inboxes of their authors' followers, a chunk at a time, and out of them when deleted.

What is to be done is a row per post, written in the transaction that made it visible; how far it has come is in the
row. A worker that dies repeats a step at most, and pushing twice is pushing once. Progress and lag are exported.
"""

from collections.abc import Collection

from observability import metrics
from state import State
from store.content import timelines

CHUNK = 1000
"""Followers of one post pushed to between two looks at its row; and so many posts at once."""
_AT_ONCE = 8000
"""Followers of all posts of a step: of hundreds of authors who have a few, or of eight who have thousands."""


class Fanouts:
    """Those of one worker's partitions."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.backlog = False
        """Whether there was more to do than the last step did."""

    async def step(self, partitions: Collection[int]) -> int:
        """A chunk of each of the oldest, read, pushed and remembered together. Returns how many there were."""
        state = self._state
        due = await timelines.due(state.postgres, partitions, chunk=CHUNK, most=_AT_ONCE) if partitions else []
        self._measure_lag(due)
        if due:
            posts = [(chunk.item, chunk.followers) for chunk in due]
            await timelines.push(state.cache, posts, cap=state.settings.inbox_posts)
            async with state.postgres.transaction() as transaction:
                await timelines.advance(transaction, due)
        self.backlog = len(due) == CHUNK or any(chunk.reached is not None for chunk in due)
        self._measure(due)
        return len(due)

    def _measure_lag(self, due: Collection[timelines.Chunk]) -> None:
        """Also where nothing can be pushed, because the cache alone is away."""
        now_ms = self._state.now_ms()
        metrics.FANOUT_LAG.set(max((now_ms - chunk.since_ms for chunk in due), default=0) / 1000)

    def _measure(self, due: Collection[timelines.Chunk]) -> None:
        now_ms = self._state.now_ms()
        metrics.FANOUT_PUSHES.inc(sum(len(chunk.followers) for chunk in due))
        for chunk in due:
            if chunk.reached is None:
                metrics.FANOUT_SECONDS.observe(max(0, now_ms - chunk.since_ms) / 1000)
