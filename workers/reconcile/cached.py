"""Copies in Redis: what all kinds of them are compared by.

A copy follows its rows a moment later, and goes on changing while we look. It drifts if it disagrees with the rows at
two looks, `settle` apart, and has not changed between them: nobody publishes any more what would mend it. Each look
reads the copy first, so that rows are never older. What drifts is dropped, and read from rows by whoever needs it next.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from state import State
from store.keys import believed
from store.redis import Redis
from workers.reconcile.batches import BATCH, Compare, Compared

Wrong = Callable[[State, Sequence[str]], Awaitable[Mapping[str, Any]]]
"""Those of some keys whose values disagree with the rows, and what these values are."""


async def compare(
    state: State,
    redis: Redis,
    kind_of: Callable[[str], str | None],
    wrong: Mapping[str, Wrong],
    drop: Callable[[Sequence[str]], Awaitable[Any]],
) -> Compare:
    """Everything in a Redis that is of a kind that we know."""
    async for found in redis.scan(BATCH):
        by_kind: dict[str, list[str]] = {}
        for raw in found:
            if (key := believed(raw, redis.generation)) and (kind := kind_of(key)) in wrong:
                by_kind.setdefault(str(kind), []).append(key)
        for kind, keys in by_kind.items():
            drifting = await _drifting(state, wrong[kind], keys)
            yield Compared(f"cached_{kind}", len(keys), len(drifting), partial(drop, drifting))


async def _drifting(state: State, wrong: Wrong, keys: Sequence[str]) -> list[str]:
    before = await wrong(state, keys)
    if not before:
        return []
    await asyncio.sleep(state.settings.settle)
    after = await wrong(state, list(before))
    return [key for key, value in after.items() if value == before[key]]
