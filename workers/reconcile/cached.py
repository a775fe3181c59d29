"""Copies in Redis: what all kinds of them are compared by.

A copy follows its rows a moment later, and goes on changing while we look. It drifts if it disagrees with the rows at
two looks, `settle` apart, and has not changed between them: nobody publishes any more what would mend it. Each look
reads the copy first, so that rows are never older. What drifts is dropped, and read from rows by whoever needs it next.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from state import State
from store.reconcile.batches import BATCH
from store.reconcile.cached import scan
from store.redis.client import Redis
from workers.reconcile.batches import Compare, Compared, passed

Wrong = Callable[[State, Sequence[str]], Awaitable[Mapping[str, Any]]]
"""Those of some keys whose values disagree with the rows, and something small that tells these values from others."""

_SUSPECTS = 10_000
"""So many keys at most wait for their second look while others are looked at."""


class _Suspects(NamedTuple):
    """What disagreed at a first look, and when the second one is due, by the clock of `time.monotonic`."""

    kind: str
    values: Mapping[str, Any]
    due: float


async def compare(
    state: State,
    redis: Redis,
    kind_of: Callable[[str], str | None],
    wrong: Mapping[str, Wrong],
    drop: Callable[[Sequence[str]], Awaitable[Any]],
) -> Compare:
    """Everything in a Redis that is of a kind that we know; the rest is passed over."""
    waiting: deque[_Suspects] = deque()
    async for count, found in scan(redis, BATCH):
        by_kind = _by_kind(found, kind_of, wrong)
        yield passed(count - sum(map(len, by_kind.values())))
        for kind, keys in by_kind.items():
            suspects = await wrong[kind](state, keys)
            yield Compared(f"cached_{kind}", len(keys), 0)
            if suspects:
                waiting.append(_Suspects(kind, suspects, time.monotonic() + state.settings.pending_seconds))
        while waiting and (waiting[0].due <= time.monotonic() or _many(waiting)):
            async for compared in _again(state, waiting.popleft(), wrong, drop):
                yield compared
    for one in waiting:
        async for compared in _again(state, one, wrong, drop):
            yield compared


def _by_kind(
    found: Sequence[str], kind_of: Callable[[str], str | None], wrong: Mapping[str, Wrong]
) -> dict[str, list[str]]:
    by_kind: dict[str, list[str]] = {}
    for key in found:
        if (kind := kind_of(key)) in wrong:
            by_kind.setdefault(str(kind), []).append(key)
    return by_kind


def _many(waiting: deque[_Suspects]) -> bool:
    return sum(len(one.values) for one in waiting) > _SUSPECTS


async def _again(
    state: State,
    suspects: _Suspects,
    wrong: Mapping[str, Wrong],
    drop: Callable[[Sequence[str]], Awaitable[Any]],
) -> AsyncIterator[Compared]:
    await asyncio.sleep(max(0.0, suspects.due - time.monotonic()))
    after = await wrong[suspects.kind](state, list(suspects.values))
    drifting = [key for key, value in after.items() if value == suspects.values[key]]
    yield Compared(f"cached_{suspects.kind}", 0, len(drifting), partial(drop, drifting))
    yield passed(len(suspects.values))
