"""Compares cached lists with their rows: above its floor, a list must have all members that the rows have.

Lists of users must have no other members. Lists of posts and comments may: they keep rejected ones, which readers
filter out (ADR 16).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from models.counters import EntityRef
from settings import TOPICS, USERS
from state import State
from store.cache.lists import Item
from store.content import comment_lists, comments, outboxes, timelines, topics
from store.people import follows
from store.postgres.client import Postgres
from store.reactions import likes
from store.reconcile.cached import name_of, read_list, ref_of, scored
from workers.reconcile.cached import Wrong


class List(NamedTuple):
    """A kind of cached list. `truth` reads the first items of a list from rows, by the name in its key."""

    truth: Callable[[Postgres, str, int], Awaitable[list[Item]]]
    keeps: bool = True
    """Whether a list may have members that the rows do not have."""


_Page = Callable[[Postgres, EntityRef, Item | None, int], Awaitable[list[Item]]]


def _of(page: _Page, ref: Callable[[str], EntityRef]) -> Callable[[Postgres, str, int], Awaitable[list[Item]]]:
    async def truth(postgres: Postgres, name: str, count: int) -> list[Item]:
        return await page(postgres, ref(name), None, count)

    return truth


def _user(name: str) -> EntityRef:
    return EntityRef(USERS, int(name))


async def _replies(postgres: Postgres, name: str, count: int) -> list[Item]:
    root_id = int(name)
    root = (await comments.by_id(postgres, [root_id])).get(root_id)
    return await comment_lists.oldest(postgres, root.subject, None, count, root_id) if root else []


async def _pulled(postgres: Postgres, _: str, count: int) -> list[Item]:
    return (await timelines.pulled(postgres))[:count]


_KINDS = {
    "likers": List(_of(likes.likers_from_truth, ref_of), keeps=False),
    "followers": List(_of(follows.followers_page, _user), keeps=False),
    "friends": List(_of(follows.friends_page, _user), keeps=False),
    "outbox": List(_of(outboxes.visible_page, _user)),
    "own": List(_of(outboxes.own_page, _user)),
    "square": List(_of(outboxes.square_page, lambda _: EntityRef(TOPICS, 0))),
    "under": List(_of(topics.page, lambda name: EntityRef(TOPICS, int(name)))),
    "comments": List(_of(comment_lists.newest, ref_of)),
    "oldest": List(_of(comment_lists.oldest, ref_of)),
    "replies": List(_replies),
    "pulled": List(_pulled),
}


async def _wrong(kind: List, state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    """Returns the lists that disagree with their rows, with fingerprints. Reads one at a time, as lists are long."""
    found: dict[str, Any] = {}
    for key in keys:
        raw, floor = await read_list(state.cache.redis, key)
        if floor is None:
            continue
        held = scored(raw)
        truth = await kind.truth(state.postgres, name_of(key), len(held) + 1)
        if not _agrees(kind, held, truth, int(float(floor))):
            found[key] = hash((*raw, floor))
    return found


def _agrees(kind: List, held: Mapping[int, int], truth: Sequence[Item], floor: int) -> bool:
    above = {item.member: item.moment for item in truth if item.moment > floor}
    if kind.keeps:
        return all(held.get(member, 0) >= moment for member, moment in above.items())
    return above == {member: moment for member, moment in held.items() if moment > floor}


WRONG: Mapping[str, Wrong] = {name: partial(_wrong, kind) for name, kind in _KINDS.items()}
