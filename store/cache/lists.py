"""Newest-first lists, cached as sorted sets: the newest N, and a floor below which truth knows.

Scores are moments (store/write_log/journal.py), negative for members that have gone; a change with an older moment
loses, so that publishers may be late, repeat themselves, or overtake each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from store.cache.values import Cache
from store.keys import lease
from store.redis.client import Redis, RedisDown
from store.scripts import EXTEND_LIST, FILL_LIST, PUBLISH_LIST, PUBLISH_SCORES

FLOOR = b"0"

ROOM = 50
"""Room for members of the cursor's own moment, which are in order of id and may lie before it."""
LIFE_MS = 86_400_000
ScriptCall = tuple[Sequence[str], Sequence[object]]
_SETS_AT_ONCE, _AT_ONCE = 200, 1000
"""So many sets are one script call, and so many changes of one set: Lua unpacks no more than 8000 values."""


class Item(NamedTuple):
    """A member and the moment it joined. Items compare as lists are ordered: by moment, then by id."""

    moment: int
    member: int


NEWEST = Item(1 << 62, 1 << 62)
"""Later than any item there can be: where a list's first page starts."""


@dataclass(slots=True)
class Page:
    """Items newest first, all there are above the moment `floor`; `complete` when nobody need look below it."""

    items: list[Item]
    floor: int
    complete: bool


async def read(
    redis: Redis, keys: Sequence[str], before: Sequence[Item | None], counts: Sequence[int]
) -> list[Page | None]:
    """So many items of each list older than `before`, in one round trip. None is cold."""
    commands: list[tuple[object, ...]] = []
    for key, start, count in zip(keys, before, counts, strict=True):
        newest = start.moment if start else "+inf"
        commands.append(("ZRANGE", key, newest, "(0", "BYSCORE", "REV", "LIMIT", 0, count + ROOM, "WITHSCORES"))
        commands.append(("ZSCORE", key, FLOOR))
    answers = await redis.gather(commands)
    return [
        None if floor is None else _page(raw, int(float(floor)), start, count)
        for raw, floor, start, count in zip(answers[::2], answers[1::2], before, counts, strict=True)
    ]


async def scores(cache: Cache, key: str, members: Sequence[int]) -> dict[int, int]:
    """Returns the scores of those members that a cached list has. Without Redis it returns none."""
    if not members:
        return {}
    with suppress(RedisDown):
        found = zip(members, await cache.redis("ZMSCORE", key, *members), strict=True)
        return {member: int(float(score)) for member, score in found if score is not None}
    return {}


def _page(raw: Sequence[bytes], floor: int, start: Item | None, count: int) -> Page | None:
    items: list[Item] = []
    for member, score in zip(raw[::2], raw[1::2], strict=True):
        if len(items) == count or (moment := int(float(score))) <= floor:
            break
        item = Item(moment, int(member))
        if start is None or item < start:
            items.append(item)
    whole = len(raw) < 2 * (count + ROOM)
    if len(items) < count and not whole:
        return None  # more of the cursor's own moment than there is room for: truth pages by id as well
    return Page(items, floor, complete=len(items) >= count or floor == 0)


def calls(changes: Iterable[tuple[str, Sequence[Item]]]) -> Iterator[list[ScriptCall]]:
    """What a script is called with to change sets of moments: a few of them at once, a part of a long one at a time."""
    each: list[ScriptCall] = [
        ((key, lease(key)), (len(some), *chain.from_iterable(some)))
        for key, items in changes
        for some in (items[at : at + _AT_ONCE] for at in range(0, len(items), _AT_ONCE))
    ]
    return (each[at : at + _SETS_AT_ONCE] for at in range(0, len(each), _SETS_AT_ONCE))


async def publish(
    cache: Cache,
    changes: Iterable[tuple[str, Sequence[Item]]],
    *,
    cap: int,
    life_ms: int = LIFE_MS,
    announced: bool = False,
) -> None:
    """Adds items to lists that exist; a negative moment removes its member. A life of 0 is not prolonged.

    Those that change say so in the channel of their key, where they are `announced`.
    """
    say = cache.redis.publish_command if announced else ""
    for some in calls(changes):
        await cache.redis.run_many(PUBLISH_LIST, [cap, life_ms, say], some)


async def publish_scores(cache: Cache, changes: Iterable[tuple[str, Sequence[Item]]], *, cap: int) -> None:
    """Gives members of lists that exist and are ordered by score their scores, 0 to those that have gone."""
    for some in calls(changes):
        await cache.redis.run_many(PUBLISH_SCORES, [cap], some)


async def fill(cache: Cache, key: str, newest: Sequence[Item], *, token: str, cap: int, life_ms: int = LIFE_MS) -> None:
    """Installs the newest `cap` items read from truth, under the lease `token`. One more tells where the floor is."""
    floor = newest[cap].moment if len(newest) > cap else 0
    args = [token, life_ms, floor, *chain.from_iterable(newest[:cap])]
    await cache.redis.run(FILL_LIST, [key, lease(key)], args)


async def extend(
    cache: Cache,
    key: str,
    below: Sequence[Item],
    *,
    floor: int,
    whole: bool,
    token: str,
    cap: int,
    life_ms: int = LIFE_MS,
) -> None:
    """Puts what truth has right below `floor` under it, as long as the list keeps to its cap; `whole` if there is no
    more.
    """
    lowest = 0 if whole else below[-1].moment
    args = [token, life_ms, cap, floor, lowest, *chain.from_iterable(below)]
    await cache.redis.run(EXTEND_LIST, [key, lease(key)], args)
