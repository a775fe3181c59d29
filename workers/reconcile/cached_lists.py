"""Compares cached lists with their rows. A cached list has a floor, the position below which it is incomplete: it must
have all members from the rows that are above its floor.

Lists of users must have no other members. Lists of posts and comments may have rejected ones, which readers filter out
(ADR 16).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from models.counters import EntityRef
from settings import TOPICS, USERS
from state import State
from store.cache.lists import Item
from store.content import big_accounts, comment_lists, comments, outboxes, topics
from store.people import follows
from store.postgres.client import Postgres
from store.reactions import likers
from store.reconcile.cached import name_of, read_list, ref_of, scored
from workers.reconcile.cached import FindMismatches


class CachedList(NamedTuple):
    """A kind of cached list. `read_rows` reads the first items of a list from rows; its arguments are Postgres, the
    name of the list, which is a part of the cache key, and the number of items.
    """

    read_rows: Callable[[Postgres, str, int], Awaitable[list[Item]]]
    may_have_extra: bool = True
    """Whether a list may have members that the rows do not have."""


_Page = Callable[[Postgres, EntityRef, Item | None, int], Awaitable[list[Item]]]


def _of(page: _Page, ref: Callable[[str], EntityRef]) -> Callable[[Postgres, str, int], Awaitable[list[Item]]]:
    async def read_rows(postgres: Postgres, name: str, count: int) -> list[Item]:
        return await page(postgres, ref(name), None, count)

    return read_rows


def _user(name: str) -> EntityRef:
    return EntityRef(USERS, int(name))


async def _replies(postgres: Postgres, name: str, count: int) -> list[Item]:
    root_id = int(name)
    root = (await comments.by_id(postgres, [root_id])).get(root_id)
    return await comment_lists.oldest(postgres, root.subject, None, count, root_id) if root else []


async def _reactors(postgres: Postgres, name: str, count: int) -> list[Item]:
    ref, _, kind = name.rpartition(":")
    return await likers.reactors_from_truth(postgres, ref_of(ref), int(kind), None, count)


async def _pulled(postgres: Postgres, _: str, count: int) -> list[Item]:
    return (await big_accounts.newest(postgres))[:count]


_KINDS = {
    "likers": CachedList(_of(likers.likers_from_truth, ref_of), may_have_extra=False),
    "reactors": CachedList(_reactors, may_have_extra=False),
    "followers": CachedList(_of(follows.followers_page, _user), may_have_extra=False),
    "friends": CachedList(_of(follows.friends_page, _user), may_have_extra=False),
    "follow_requests": CachedList(_of(follows.requests_page, _user), may_have_extra=False),
    "outbox": CachedList(_of(outboxes.visible_page, _user)),
    "own": CachedList(_of(outboxes.own_page, _user)),
    "square": CachedList(_of(outboxes.square_page, lambda _: EntityRef(TOPICS, 0))),
    "under": CachedList(_of(topics.page, lambda name: EntityRef(TOPICS, int(name)))),
    "comments": CachedList(_of(comment_lists.newest, ref_of)),
    "oldest": CachedList(_of(comment_lists.oldest, ref_of)),
    "replies": CachedList(_replies),
    "pulled": CachedList(_pulled),
}


async def _find_mismatches(kind: CachedList, state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    """Returns the keys of cached lists that disagree with their rows, each with a fingerprint of the list. Reads one
    list at a time, because lists are long.
    """
    found: dict[str, Any] = {}
    for key in keys:
        raw, floor = await read_list(state.cache.redis, key)
        if floor is None:
            continue
        held = scored(raw)
        rows = await kind.read_rows(state.postgres, name_of(key), len(held) + 1)
        if not _agrees(kind, held, rows, int(float(floor))):
            found[key] = hash((*raw, floor))
    return found


def _agrees(kind: CachedList, held: Mapping[int, int], rows: Sequence[Item], floor: int) -> bool:
    above = {item.member: item.score for item in rows if item.score > floor}
    if kind.may_have_extra:
        return all(held.get(member, 0) >= moment for member, moment in above.items())
    return above == {member: moment for member, moment in held.items() if moment > floor}


FINDERS: Mapping[str, FindMismatches] = {name: partial(_find_mismatches, kind) for name, kind in _KINDS.items()}
