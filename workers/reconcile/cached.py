"""Compares cached copies in Redis with their rows, for all kinds of copies.

A copy follows its rows with a delay, and may change during the comparison. A copy drifts if two comparisons,
`pending_seconds` apart, disagree with the rows, and the copy has not changed in between: then no publication will
correct it any more. Each comparison reads the copy before the rows, so that the rows are never older. A copy that
drifts is removed from the cache, and the next read fills it from rows.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from state import State
from store.groups import grouped
from store.reconcile.batches import BATCH
from store.reconcile.cached import scan
from store.redis.client import Redis
from workers.reconcile.batches import Compare, Compared, uncounted

FindMismatches = Callable[[State, Sequence[str]], Awaitable[Mapping[str, Any]]]
"""Returns those of the given keys whose cached values disagree with the rows, each with a fingerprint, which shows
whether the value has changed when it is compared again.
"""

_SUSPECTS = 10_000
"""The most keys that wait for their second comparison. If more wait, the run first waits for the second comparison of
the oldest.
"""


class _Suspects(NamedTuple):
    """Keys of cached copies that disagreed with the rows at the first comparison, with fingerprints of the copies
    (`values`). The second comparison is due at `due`, a time of `time.monotonic`.
    """

    kind: str
    values: Mapping[str, Any]
    due: float


async def compare(
    state: State,
    redis: Redis,
    kind_of: Callable[[str], str | None],
    find_mismatches: Mapping[str, FindMismatches],
    drop: Callable[[Sequence[str]], Awaitable[Any]],
) -> Compare:
    """Compares the cached copies of known kinds in a Redis server with their rows, and yields the results. `kind_of`
    returns the kind of a key, None for other keys; `find_mismatches` has the comparison of each known kind. To repair
    copies that drift, `drop` removes their keys.
    """
    waiting: deque[_Suspects] = deque()
    async for count, found in scan(redis, BATCH):
        by_kind = grouped((of, key) for key in found if (of := kind_of(key)) and of in find_mismatches)
        yield uncounted(count - sum(map(len, by_kind.values())))
        for kind, keys in by_kind.items():
            suspects = await find_mismatches[kind](state, keys)
            yield Compared(f"cached_{kind}", len(keys), 0)
            if suspects:
                waiting.append(_Suspects(kind, suspects, time.monotonic() + state.settings.pending_seconds))
        while waiting and (waiting[0].due <= time.monotonic() or _too_many(waiting)):
            async for compared in _compare_again(state, waiting.popleft(), find_mismatches, drop):
                yield compared
    for one in waiting:
        async for compared in _compare_again(state, one, find_mismatches, drop):
            yield compared


def _too_many(waiting: deque[_Suspects]) -> bool:
    return sum(len(one.values) for one in waiting) > _SUSPECTS


async def _compare_again(
    state: State,
    suspects: _Suspects,
    find_mismatches: Mapping[str, FindMismatches],
    drop: Callable[[Sequence[str]], Awaitable[Any]],
) -> AsyncIterator[Compared]:
    await asyncio.sleep(max(0.0, suspects.due - time.monotonic()))
    after = await find_mismatches[suspects.kind](state, list(suspects.values))
    drifting = [key for key, value in after.items() if value == suspects.values[key]]
    yield Compared(f"cached_{suspects.kind}", 0, len(drifting), partial(drop, drifting))
    yield uncounted(len(suspects.values))
