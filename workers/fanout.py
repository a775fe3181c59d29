"""Fan-out: posts into the inboxes of their authors' followers, a chunk at a time, and out of them when deleted.

What is to be done is a row per post, written in the transaction that made it visible; how far it has come is in the
row. A worker that dies repeats a chunk at most, and pushing twice is pushing once. Progress and lag are exported.
"""

from collections.abc import Collection

import metrics
from state import State
from store import timelines
from store.lists import Item
from store.timelines import Fanout
from workers.together import together

CHUNK = 1000
"""Followers pushed to between two looks at the row."""
_AT_ONCE = 8


class Fanouts:
    """Those of one worker's partitions."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.backlog = False
        """Whether there was more to do than the last step did."""

    async def step(self, partitions: Collection[int]) -> int:
        """A chunk of each of the oldest few. Returns how many chunks there were."""
        due = await timelines.due(self._state.postgres, partitions, _AT_ONCE) if partitions else []
        done = await together(*[self._chunk(fanout) for fanout in due])
        self.backlog = len(due) == _AT_ONCE or not all(done)
        now_ms = self._state.now_ms()
        metrics.FANOUT_LAG.set(max((now_ms - fanout.since_ms for fanout in due), default=0) / 1000)
        return len(due)

    async def _chunk(self, fanout: Fanout) -> bool:
        """The next followers of one. Returns whether it is done."""
        state, item = self._state, Item(fanout.moment, fanout.post_id)
        followers = await timelines.next_followers(state.postgres, fanout, CHUNK)
        await timelines.push(state.cache, item, followers, cap=state.settings.inbox_posts)
        done = len(followers) < CHUNK
        async with state.postgres.transaction() as transaction:
            await timelines.advance(transaction, fanout, None if done else followers[-1])
        metrics.FANOUT_PUSHES.inc(len(followers))
        if done:
            metrics.FANOUT_SECONDS.observe(max(0, state.now_ms() - fanout.since_ms) / 1000)
        return done
