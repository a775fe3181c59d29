"""Who of those somebody asked about is a member, cached as sorted sets: negatives are remembered, the rest is unknown.

Scores are signed moments, as in store/lists.py; a member never seen in truth has the smallest there is.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from store.cache import Cache
from store.keys import lease
from store.lists import Item
from store.scripts import FILL_MARKS, PUBLISH_MARKS

NEVER = -1
_CAP = 5000
_LIFE_MS = 86_400_000
_SETS_AT_ONCE, _AT_ONCE = 200, 1000


async def read(cache: Cache, key: str, members: Sequence[int]) -> list[bool | None]:
    """Whether each is a member; None where nobody has asked yet."""
    scores = await cache.redis("ZMSCORE", key, *members)
    return [None if score is None else float(score) > 0 for score in scores]


async def fill(cache: Cache, key: str, marks: Sequence[Item], *, token: str) -> None:
    """Installs what was read from truth, under the lease `token`."""
    await cache.redis.run(FILL_MARKS, [key, lease(key)], [token, _LIFE_MS, _CAP, *chain.from_iterable(marks)])


async def publish(cache: Cache, changes: Iterable[tuple[str, Sequence[Item]]]) -> None:
    """Changes the marks of members that somebody has asked about."""
    calls = [
        ((key, lease(key)), (len(some), *chain.from_iterable(some)))
        for key, marks in changes
        for some in (marks[at : at + _AT_ONCE] for at in range(0, len(marks), _AT_ONCE))
    ]
    for at in range(0, len(calls), _SETS_AT_ONCE):
        await cache.redis.run_many(PUBLISH_MARKS, [], calls[at : at + _SETS_AT_ONCE])
