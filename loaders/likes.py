"""Lists of reactions: the likes of a user, and the likers of an entity."""

import asyncio
from collections.abc import Sequence

from domain.degraded import Degraded
from loaders.lists import ListKind, ListPage
from loaders.loader import Loader
from models.counters import EntityRef
from models.follows import FollowState
from models.likes import REACT, Reaction
from models.users import UserRow
from settings import Business
from state import State
from store.cache import lists
from store.cache.lists import NEWEST, Item
from store.reactions.likers import likers_from_truth, likers_key
from store.reactions.likes import likes_page
from store.redis.client import RedisDown
from store.write_log.journal import moment_of
from store.write_log.pending import Pending

_NEWEST_LIKERS = 200
"""The number of an entity's newest likers that are searched for followed users (L8)."""


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


async def by_followed(
    state: State,
    likers: Loader[ListPage, list[Item]],
    follows: Loader[int, FollowState],
    users: Loader[int, UserRow | None],
    wanted: Sequence[tuple[EntityRef, int]],
) -> list[list[UserRow]]:
    """Returns the users that the viewer follows among an entity's newest likers, for each entity and maximum number of
    users.
    """

    def newest(ref: EntityRef) -> ListPage:
        cached = state.businesses_by_id[ref.business_id].cached_likers
        return ListPage(ref, None, min(cached, _NEWEST_LIKERS), partial=True)

    found = await likers.load_many([newest(ref) for ref, _ in wanted])
    people = sorted({item.member for items in found for item in items})
    states = await follows.load_many(people)
    followed = {person for person, one in zip(people, states, strict=True) if one is FollowState.FOLLOWS}
    chosen = [[item.member for item in items if item.member in followed] for items in found]
    # Profiles of all of them, because hidden users must not shorten the list.
    rows = await asyncio.gather(*[users.ask(some, each=True) for some in chosen])
    return [_first_shown(some, most) for some, (_, most) in zip(rows, wanted, strict=True)]


def _first_shown(rows: Sequence[UserRow | Exception | None], most: int) -> list[UserRow]:
    """Returns the first users, without hidden ones. Raises the exception of a user who may be one of the first."""
    first = [row for row in rows if row][:most]
    if error := next((row for row in first if isinstance(row, Exception)), None):
        raise error
    return first  # type: ignore[return-value]  # no exceptions are left
