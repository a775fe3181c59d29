"""Membership, cached as sorted sets: whether a user is a member of another user's list, such as the followers. "Not a
member" is cached too; a missing entry means unknown.

The score of a user is a signed moment. It is the moment of the last change if that made the user a member; minus the
moment of the last change if the user is no member since. The score is NEVER if there was no change. A change with an
older moment than the cached one has no effect.
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
    """Returns for each of `members` whether the user is a member, according to the cached set; None if the set has no
    answer about the user.
    """
    scores = await cache.redis("ZMSCORE", key, *members)
    return [None if score is None else float(score) > 0 for score in scores]


async def fill(cache: Cache, key: str, marks: Sequence[Item], *, token: str) -> None:
    """Caches answers that were read from Postgres under the lease `token`, the right to cache them. Caches nothing if
    the lease is no longer valid. `marks` are pairs (score, user). The score is the moment at which the user became a
    member; the negative moment at which the user ceased to be one; or NEVER. A set that would outgrow its limit is
    emptied first.
    """
    await cache.redis.run(FILL_MARKS, [key, lease(key)], [token, LIFE_MS, _CAP, *chain.from_iterable(marks)])


async def add(cache: Cache, key: str, marks: Sequence[Item]) -> None:
    """Updates the cached answers about the users in `marks`, and adds answers that are not cached. `marks` are as in
    `fill`. Raises RedisDown.
    """
    commands = [("ZADD", key, "NX", *chain.from_iterable(marks)), ("PEXPIRE", key, LIFE_MS, "NX")]
    await cache.change(commands)
    await publish(cache, [(key, marks)])


async def publish(cache: Cache, changes: Iterable[tuple[str, Sequence[Item]]]) -> None:
    """Updates the cached answers about users. `changes` are pairs (key, marks as in `fill`). Answers that are not
    cached stay uncached. Cancels running fills of all given sets, because they may have read older rows. Raises
    RedisDown.
    """
    await cache.change_in_batches(PUBLISH_MARKS, [], lists.calls(changes))
