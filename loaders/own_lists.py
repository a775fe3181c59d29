"""Pages of a user's own set in one business: the objects in state 1, newest first."""

import asyncio

from domain.degraded import Degraded
from domain.versions import moment_of
from settings import Business
from state import State
from store.cache import lists
from store.cache.lists import NEWEST, Item
from store.own_sets.kinds import KINDS
from store.redis.client import RedisDown
from store.write_log.pending import Pending

_LISTED = 1
"""The only state that lists show."""


async def page(
    state: State,
    degraded: Degraded,
    field: str,
    kind: str,
    user_id: int,
    business: Business,
    before: Item | None,
    count: int,
) -> list[Item]:
    """Reads up to `count` objects that are older than `before`: first from the user's cached set, then, where it ends,
    from rows.

    While Redis is down, changes that are only in a journal are missing, and `extensions.degraded` lists `field`.
    """
    below = before or NEWEST
    try:
        held, pending = await asyncio.gather(
            _held(state, kind, user_id, business, before, count), state.pending.get(user_id)
        )
    except RedisDown as error:
        degraded.incomplete(field, error)
        return await KINDS[kind].page(state.postgres, user_id, business.id, below, count)
    if held is None:
        return await _older(state, kind, user_id, business, pending, below, count)
    if held.complete:
        return held.items
    below = min(below, Item(held.floor + 1, 0))
    return held.items + await _older(state, kind, user_id, business, pending, below, count - len(held.items))


async def _older(
    state: State, kind: str, user_id: int, business: Business, pending: Pending, before: Item, count: int
) -> list[Item]:
    """Reads up to `count` objects that are older than `before` from rows, and applies the user's pending changes."""
    changed = {
        ref.entity_id: history for ref, history in pending.all_of(kind).items() if ref.business_id == business.id
    }
    rows = await KINDS[kind].page(state.postgres, user_id, business.id, before, count + len(changed))
    coming = [Item(moment_of(one.version), entity) for entity, one in changed.items() if one.latest == _LISTED]
    items = [item for item in rows if item.member not in changed] + [item for item in coming if item < before]
    return sorted(items, reverse=True)[:count]


async def _held(
    state: State, kind: str, user_id: int, business: Business, before: Item | None, count: int
) -> lists.Page | None:
    key = state.own_sets.key(kind, user_id, business.id)
    (held,) = await lists.read(state.redis, [key], [before], [count])
    if held is None:
        await state.own_sets.warm(kind, user_id, business.id)
        (held,) = await lists.read(state.redis, [key], [before], [count])
    return held
