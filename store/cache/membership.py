"""Who of those somebody asked about is a member, cached as sorted sets: negatives are remembered, the rest is unknown.

Scores are signed moments, as in store/cache/lists.py; of a member that truth has never seen it is NEVER.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from store.cache import lists
from store.cache.lists import LIFE_MS, Item
from store.cache.values import Cache
from store.keys import lease
from store.scripts import FILL_MARKS, PUBLISH_MARKS

NEVER = -1
_CAP = 5000


async def read(cache: Cache, key: str, members: Sequence[int]) -> list[bool | None]:
    """Whether each is a member; None where nobody has asked yet."""
    scores = await cache.redis("ZMSCORE", key, *members)
    return [None if score is None else float(score) > 0 for score in scores]


async def fill(cache: Cache, key: str, marks: Sequence[Item], *, token: str) -> None:
    """Installs what was read from truth, under the lease `token`."""
    await cache.redis.run(FILL_MARKS, [key, lease(key)], [token, LIFE_MS, _CAP, *chain.from_iterable(marks)])


async def publish(cache: Cache, changes: Iterable[tuple[str, Sequence[Item]]]) -> None:
    """Changes the marks of members that somebody has asked about."""
    for some in lists.calls(changes):
        await cache.redis.run_many(PUBLISH_MARKS, [], some)
