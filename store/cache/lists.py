"""Newest-first lists, cached as sorted sets: the newest N items, and a floor. The floor is a moment: items up to it are
only in Postgres.

Scores are moments, which are positions in the order of time (domain/versions.py). The score of a removed member is
negative: minus the moment of its removal. A change with an older moment than the stored one has no effect. So
publishers may be late, repeat a change, or overtake each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from store.cache.values import Cache
from store.groups import chunks
from store.keys import lease
from store.redis.calls import ScriptCall
from store.redis.client import Redis, RedisDown
from store.scripts import EXTEND_LIST, FILL_LIST, PUBLISH_LIST, PUBLISH_SCORES

FLOOR = b"0"

ROOM = 50
"""How many items to read in addition to those of a page: items with the same moment as the cursor are ordered by id and
may lie before it.
"""
LIFE_MS = 86_400_000
_SETS_AT_ONCE, _AT_ONCE = 100, 1000
"""How many sets one script call changes, and how many changes of one set it gets. Other commands wait for a script, and
Lua unpacks at most 8000 values.
"""


class Item(NamedTuple):
    """A member of a cached list (an id), and its score. In newest-first lists, the score is the moment at which the
    member joined; in other lists, what the list is ordered by. Items compare in the order of lists: by score, then by
    id.
    """

    score: int
    member: int


class Above(Item):
    """The start of a page that is read backward. In place of an item that stands before a page, it says: the page has
    the items that come directly before this item in their list, nearest first. So these pages are oldest first.
    """

    __slots__ = ()


NEWEST = Item(1 << 62, 1 << 62)
"""An item later than any other. The first page of a list starts here."""


@dataclass(slots=True)
class Page:
    """A page of a cached list, newest first, and the list's floor: the moment up to which items are only in Postgres.
    `complete` means that the caller need not read older items for this page from Postgres.
    """

    items: list[Item]
    floor: int
    complete: bool


async def read(
    redis: Redis, keys: Sequence[str], before: Sequence[Item | None], counts: Sequence[int], *, partly: bool = False
) -> list[Page | None]:
    """Reads one page of each list, in one round trip. For each key, `before` has the item after which the page begins
    (None: the page begins with the newest item; Above: the page is read backward), and `counts` the largest number of
    items.

    Returns None for a list that is not cached, or of which too many items have the same moment as `before`. Also
    returns None for a page that is read backward from below the floor. With
    `partly`, also returns None for a list whose server is down. Without, raises RedisDown if any server is down.
    """
    commands: list[tuple[object, ...]] = []
    for key, start, count in zip(keys, before, counts, strict=True):
        newest = start.score if start else "+inf"
        part = (newest, "(0", "BYSCORE", "REV") if not isinstance(start, Above) else (newest or "(0", "+inf", "BYSCORE")
        commands.append(("ZRANGE", key, *part, "LIMIT", 0, count + ROOM, "WITHSCORES"))
        commands.append(("ZSCORE", key, FLOOR))
    answers = await redis.gather(commands, partly=partly)
    return [
        None if floor is None or raw is None else _page(raw, int(float(floor)), start, count)
        for raw, floor, start, count in zip(answers[::2], answers[1::2], before, counts, strict=True)
    ]


def newest_of(items: Iterable[Item], before: Item | None, count: int) -> list[Item]:
    """Returns the newest `count` of these items that are older than `before`, newest first; if `before` is an `Above`,
    the oldest `count` of those that are newer, oldest first. The items may be in any order.
    """
    if isinstance(before, Above):
        return sorted(item for item in items if item > before)[:count]
    return sorted((item for item in items if before is None or item < before), reverse=True)[:count]


async def heads(redis: Redis, keys: Sequence[str], before: Item | None) -> list[Item | None]:
    """Returns an item for each list, in one round trip: no item of the list that comes after `before` (None: no item of
    the list) has a later moment. This is the newest such item, `before` itself, or, if only Postgres has older items,
    the floor with the member 0. Returns None for a list that is not cached, or whose server is down.
    """
    latest = before.score if before else "+inf"
    commands: list[tuple[object, ...]] = []
    for key in keys:
        commands.append(("ZRANGE", key, latest, "(0", "BYSCORE", "REV", "LIMIT", 0, 1, "WITHSCORES"))
        commands.append(("ZSCORE", key, FLOOR))
    try:
        answers = await redis.gather(commands, partly=True)
    except RedisDown:
        return [None] * len(keys)
    return [
        None if newest is None or floor is None else max(_item(FLOOR, floor), *map(_item, newest[::2], newest[1::2]))
        for newest, floor in zip(answers[::2], answers[1::2], strict=True)
    ]


def _item(member: bytes, score: bytes) -> Item:
    return Item(int(float(score)), int(member))


async def scores(cache: Cache, key: str, members: Sequence[int]) -> dict[int, int]:
    """Returns the score of each of `members` that the cached list contains, by member. In newest-first lists, removed
    members have negative scores. Returns no scores if Redis is down.
    """
    if not members:
        return {}
    with suppress(RedisDown):
        found = zip(members, await cache.redis("ZMSCORE", key, *members), strict=True)
        return {member: int(float(score)) for member, score in found if score is not None}
    return {}


def _page(raw: Sequence[bytes], floor: int, start: Item | None, count: int) -> Page | None:
    if isinstance(start, Above):
        return _page_above(raw, floor, start, count)
    items: list[Item] = []
    ends = len(raw) < 2 * (count + ROOM)
    for member, stored in zip(raw[::2], raw[1::2], strict=True):
        score = int(float(stored))
        if score <= floor or (len(items) >= count and score < items[-1].score):
            ends = True
            break
        item = Item(score, int(member))
        if start is None or item < start:
            items.append(item)
    if not ends:
        return None  # more items share a score than were read; Postgres pages by id as well
    items.sort(reverse=True)  # Redis orders members with one score as texts, so 9 comes before 10
    return Page(items[:count], floor, complete=len(items) >= count or floor == 0)


def _page_above(raw: Sequence[bytes], floor: int, start: Above, count: int) -> Page | None:
    if start.score <= floor != 0:
        return None  # items that are nearer to the start may be only in Postgres
    found = (_item(*one) for one in zip(raw[::2], raw[1::2], strict=True))
    items = sorted(item for item in found if item > start and item.score > floor)
    if len(raw) == 2 * (count + ROOM) and (len(items) < count or items[count - 1].score == items[-1].score):
        return None  # more items share a score than were read
    return Page(items[:count], floor, complete=True)


def calls(changes: Iterable[tuple[str, Sequence[Item]]]) -> Iterator[Sequence[ScriptCall]]:
    """Yields the keys and arguments of the script calls that make `changes`, pairs (key, items), in cached lists or
    memberships. A call has up to `_AT_ONCE` changes of one key. Calls are yielded in batches of up to `_SETS_AT_ONCE`.
    """
    each = (
        ((key, lease(key)), (len(some), *chain.from_iterable(some)))
        for key, items in changes
        for some in chunks(items, _AT_ONCE)
    )
    while batch := list(islice(each, _SETS_AT_ONCE)):
        yield batch


async def publish(
    cache: Cache,
    changes: Iterable[tuple[str, Sequence[Item]]],
    *,
    cap: int,
    life_ms: int = LIFE_MS,
    announced: bool = False,
) -> None:
    """Adds items to those lists that are cached. `changes` are pairs (key, items); a negative moment removes the
    member. A list that grows to more than a tenth above `cap` items is cut to the newest `cap`, and its floor rises.
    Prolongs the lifetimes of the lists to `life_ms`, unless that is 0. Cancels running fills of all given lists,
    because they may have read older rows.

    With `announced`, each list that changes publishes a message in the channel of its key. Raises RedisDown.
    """
    command = cache.redis.publish_command if announced else ""
    await cache.change_in_batches(PUBLISH_LIST, [cap, life_ms, command], calls(changes))


async def publish_scores(cache: Cache, changes: Iterable[tuple[str, Sequence[Item]]], *, cap: int) -> None:
    """Sets the scores of members in those lists that are cached. `changes` are pairs (key, items); a score of 0 removes
    the member. A list that grows to more than a tenth above `cap` items is cut to the `cap` with the highest scores.
    Cancels running fills of all given lists, because they may have read older rows. Raises RedisDown.
    """
    await cache.change_in_batches(PUBLISH_SCORES, [cap], calls(changes))


async def fill(cache: Cache, key: str, newest: Sequence[Item], *, token: str, cap: int, life_ms: int = LIFE_MS) -> None:
    """Caches a list for `life_ms`: the newest `cap` items, read from Postgres under the lease `token`, which is the
    right to cache the list. Caches nothing if the lease is no longer valid. If `newest` has more than `cap` items, the
    moment of the next item becomes the floor; otherwise the list is complete. Ends the lease. Raises RedisDown.
    """
    floor = newest[cap].score if len(newest) > cap else 0
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
    """Adds older items to a cached list: `below`, those directly below its floor `floor`, read from Postgres under the
    lease `token`. Sets the lifetime of the list to `life_ms`. `whole` means that there are no older items; only then,
    `below` may be empty.

    Leaves the list as it is if it would outgrow `cap`, or if its floor or lease has changed meanwhile. Ends the lease
    in any case. Raises RedisDown.
    """
    lowest = 0 if whole else below[-1].score
    args = [token, life_ms, cap, floor, lowest, *chain.from_iterable(below)]
    await cache.redis.run(EXTEND_LIST, [key, lease(key)], args)
