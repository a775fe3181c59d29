"""Compares users' own sets in Redis with rows: the users that they follow, and their reactions. Pending changes have no
rows yet, so they are ignored.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from models.counters import EntityRef
from settings import USERS
from state import State
from store.people.follows import following_page
from store.reconcile.cached import forget_set, owner_of, read_set, scored
from store.write_log.pending import FOLLOW, REACT, Pending
from workers.reconcile.cached import FindMismatches

_Held = dict[int, int]
"""The members of a set and their scores. The score of member 0 is the floor."""
_ReadRows = Callable[[State, int, int, _Held], Awaitable[_Held]]
"""Reads the set of a user in a business from rows: the members of the given set, and all members above its floor."""


async def _follows(state: State, user_id: int, _: int, held: _Held) -> _Held:
    count = max(len(held), state.settings.follow_limit) + 1
    rows = await following_page(state.postgres, EntityRef(USERS, user_id), None, count)
    return {item.member: item.moment for item in rows}


async def _reactions(state: State, user_id: int, business_id: int, held: _Held) -> _Held:
    business, members = state.businesses_by_id[business_id], [member for member in held if member]
    found = await state.reactions.from_truth(user_id, business, members, asked_ms=None, newest=True)
    return {entity_id: item.moment for entity_id, item in found.items()}


def _find_mismatches(what: str, read_rows: _ReadRows) -> FindMismatches:
    async def find_mismatches(state: State, keys: Sequence[str]) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        for key in keys:
            user_id, business_id = owner_of(key)
            if business_id not in state.businesses_by_id and business_id != USERS:
                continue  # the business is not configured any more
            raw = await read_set(state.redis, key)
            pending = await (state.pending.get_follows if what == FOLLOW else state.pending.get)(user_id)
            held = scored(raw)
            rows = await read_rows(state, user_id, business_id, held)
            if not _agrees(held, rows, _pending_members(pending, what, business_id)):
                found[key] = hash(tuple(raw))
        return found

    return find_mismatches


def _pending_members(pending: Pending, what: str, business_id: int) -> set[int]:
    return {ref.entity_id for ref in pending.all_of(what) if ref.business_id == business_id}


def _agrees(held: _Held, rows: _Held, pending: set[int]) -> bool:
    floor = held.pop(0, None)
    members = all(rows.get(member) == score for member, score in held.items() if member not in pending)
    return members and (
        floor is None
        or all(member in held for member, score in rows.items() if score > floor and member not in pending)
    )


async def drop(state: State, keys: Sequence[str]) -> None:
    """Removes own sets from Redis, except sets with pending changes. The next run compares those again."""
    await asyncio.gather(*[forget_set(state.redis, state.keys, key) for key in keys])


FINDERS: Mapping[str, FindMismatches] = {
    "follow": _find_mismatches(FOLLOW, _follows),
    "react": _find_mismatches(REACT, _reactions),
}
