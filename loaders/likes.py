"""Lists of reactions: the likes of a user, and the likers of an entity."""

import asyncio
from collections.abc import Sequence

from domain.degraded import Degraded
from loaders.lists import ListKind
from models.likes import Reaction
from settings import Business
from state import State
from store.cache import lists
from store.cache.lists import NEWEST, Item
from store.reactions.likers import likers_from_truth, likers_key
from store.reactions.likes import likes_page
from store.redis.client import RedisDown
from store.write_log.journal import moment_of
from store.write_log.pending import REACT, Pending


async def user_likes(
    state: State, degraded: Degraded, user_id: int, business: Business, before: Item | None, count: int
) -> list[Item]:
    """Reads up to `count` likes of a user in a business that are older than `before`, newest first: from the user's
    cached set, and below its floor from rows (L4).

    While Redis is down, the result lacks likes that are not stored yet.
    """
    below = before or NEWEST
    try:
        page, pending = await asyncio.gather(
            _held_likes(state, user_id, business, before, count), state.pending.get(user_id)
        )
    except RedisDown as error:
        degraded.incomplete("User.likes", error)
        return await likes_page(state.postgres, user_id, business.id, below, count)
    if page is None:
        return await _older_likes(state, user_id, business, pending, below, count)
    if page.complete:
        return page.items
    below = min(below, Item(page.floor + 1, 0))
    return page.items + await _older_likes(state, user_id, business, pending, below, count - len(page.items))


async def _older_likes(
    state: State, user_id: int, business: Business, pending: Pending, before: Item, count: int
) -> list[Item]:
    """Reads up to `count` likes of a user that are older than `before` from rows, and applies the user's pending
    changes.
    """
    changed = {
        ref.entity_id: history
        for (what, ref), history in pending.histories.items()
        if what == REACT and ref.business_id == business.id
    }
    rows = await likes_page(state.postgres, user_id, business.id, before, count + len(changed))
    coming = [Item(moment_of(h.version), entity) for entity, h in changed.items() if h.latest == Reaction.LIKE]
    items = [item for item in rows if item.member not in changed] + [item for item in coming if item < before]
    return sorted(items, reverse=True)[:count]


async def _held_likes(
    state: State, user_id: int, business: Business, before: Item | None, count: int
) -> lists.Page | None:
    key = state.own_sets.key(REACT, user_id, business.id)
    (page,) = await lists.read(state.redis, [key], [before], [count])
    if page is None:
        await state.own_sets.warm(REACT, user_id, business.id)
        (page,) = await lists.read(state.redis, [key], [before], [count])
    return page


def likers(state: State) -> ListKind:
    """Returns the kind of list (`ListKind`) for the users who like an entity, newest like first (L5)."""
    return ListKind(
        key=likers_key,
        cap=lambda ref: state.businesses_by_id[ref.business_id].cached_likers,
        truth=lambda ref, before, count: likers_from_truth(state.postgres, ref, before, count),
    )


async def newest_likes(state: State, users: Sequence[int], business_id: int, count: int) -> list[list[Item]]:
    """Returns up to `count` of the newest likes of each user, from cached sets only: no likes of a user whose set is
    cold. Raises RedisDown.
    """
    keys = [state.own_sets.key(REACT, user, business_id) for user in users]
    pages = await lists.read(state.redis, keys, [None] * len(keys), [count] * len(keys))
    return [page.items if page else [] for page in pages]
