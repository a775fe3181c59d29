"""Reactions: the viewer's own to a page of entities, a user's likes, an entity's likers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from degraded import Degraded
from loaders.lists import ListKind
from models.counters import EntityRef
from models.likes import Reaction
from settings import Business
from state import State
from store import keys, lists
from store.journal import moment_of
from store.likes import likers_from_truth, reaction_of
from store.lists import NEWEST, Item
from store.pending import REACT, Pending
from store.redis import RedisDown


async def reactions_of(
    state: State, user_id: int, pending: Callable[[], Awaitable[Pending]], refs: Sequence[EntityRef]
) -> list[Reaction]:
    """A user's reaction to each entity: what is pending, else the cached set, else one query per business.

    Whoever calls has asked for what is pending, so that waiting for it comes last.
    """
    by_business: dict[int, list[int]] = {}
    for ref in refs:
        by_business.setdefault(ref.business_id, []).append(ref.entity_id)
    held = [_held(state, user_id, business, ids) for business, ids in by_business.items()]
    answers = [await held[0]] if len(held) == 1 else await asyncio.gather(*held)
    found = dict(zip(by_business, answers, strict=True))
    for (what, ref), history in (await pending()).histories.items():
        if what == REACT and ref.business_id in found:
            found[ref.business_id][ref.entity_id] = Reaction(history.latest)
    return [found[business][entity] for business, entity in refs]


async def _held(state: State, user_id: int, business_id: int, ids: list[int]) -> dict[int, Reaction]:
    business = state.businesses_by_id[business_id]
    try:
        held = await state.reactions.held(user_id, business_id, ids)
        cold = [entity for entity, reaction in held.states.items() if reaction is None]
        known = {entity: reaction for entity, reaction in held.states.items() if reaction is not None}
        if not cold:
            return known
        asked_ms = await state.reactions.clock_ms(user_id, business_id)
        return known | await _from_truth(state, user_id, business, cold, asked_ms, newest=not held.warm)
    except RedisDown:
        return await _from_truth(state, user_id, business, ids, None, newest=False)


async def _from_truth(
    state: State, user_id: int, business: Business, ids: list[int], asked_ms: int | None, *, newest: bool
) -> dict[int, Reaction]:
    scored = await state.reactions.from_truth(user_id, business, ids, asked_ms=asked_ms, newest=newest)
    return {e: reaction_of(scored[e].moment) if e in scored else Reaction.NONE for e in ids}


async def user_likes(
    state: State, degraded: Degraded, user_id: int, business: Business, before: Item | None, count: int
) -> list[Item]:
    """What a user likes, newest first: from their set as far as it reaches, below its floor from rows (L4).

    Without either, what waits to be stored is missing.
    """
    below = before or NEWEST
    try:
        page, pending = await asyncio.gather(
            _held_likes(state, user_id, business, before, count), state.pending.get(user_id)
        )
    except RedisDown as error:
        degraded.incomplete("User.likes", error)
        return await state.reactions.likes_from_truth(user_id, business.id, below, count)
    if page is None:
        return await _older_likes(state, user_id, business, pending, below, count)
    if page.complete:
        return page.items
    below = min(below, Item(page.floor + 1, 0))
    return page.items + await _older_likes(state, user_id, business, pending, below, count - len(page.items))


async def _older_likes(
    state: State, user_id: int, business: Business, pending: Pending, before: Item, count: int
) -> list[Item]:
    """From rows, as they will be once what is pending has come to them."""
    changed = {
        ref.entity_id: history
        for (what, ref), history in pending.histories.items()
        if what == REACT and ref.business_id == business.id
    }
    rows = await state.reactions.likes_from_truth(user_id, business.id, before, count + len(changed))
    coming = [Item(moment_of(h.version), entity) for entity, h in changed.items() if h.latest == Reaction.LIKE]
    items = [item for item in rows if item.member not in changed] + [item for item in coming if item < before]
    return sorted(items, reverse=True)[:count]


async def _held_likes(
    state: State, user_id: int, business: Business, before: Item | None, count: int
) -> lists.Page | None:
    page = await state.reactions.held_likes(user_id, business.id, before, count)
    if page is None:
        asked_ms = await state.reactions.clock_ms(user_id, business.id)
        await state.reactions.from_truth(user_id, business, [], asked_ms=asked_ms, newest=True)
        page = await state.reactions.held_likes(user_id, business.id, before, count)
    return page


def likers(state: State) -> ListKind:
    """Who likes an entity, newest first (L5)."""
    return ListKind(
        key=keys.likers,
        cap=lambda ref: state.businesses_by_id[ref.business_id].cached_likers,
        truth=lambda ref, before, count: likers_from_truth(state.postgres, ref, before, count),
    )
