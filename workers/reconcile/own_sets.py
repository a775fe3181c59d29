"""Compares users' own sets in Redis, such as likes and follows, with rows (store/own_sets/kinds/). Also compares the
cached sets of users that block a user. Changes that workers have not stored yet have no rows, so they are ignored.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from models.counters import EntityRef
from models.own_sets import Member
from state import State
from store.own_sets.kind import Kind
from store.own_sets.kinds import KINDS
from store.own_sets.own_sets import AllHeld
from store.people import boundary_rows
from store.people.boundary_rows import BLOCKER
from store.reconcile.cached import own_kind_of, owner_of, read_set, scored
from workers.reconcile.cached import FindMismatches


async def _find_mismatches(kind: Kind, state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    """Compares users' own sets of one kind in Redis with their rows. Returns the keys of those that disagree, each with
    a fingerprint of its members.
    """
    found: dict[str, Any] = {}
    for key in keys:
        user_id, business_id = owner_of(key)
        if kind.by_business and business_id not in state.businesses_by_id:
            continue  # the business is not configured any more
        (held,) = await state.own_sets.all_held(kind.name, [user_id], business_id)
        pending = {*(await state.pending.get_of(user_id, kind.name)).all_of(kind.name)}
        refs = [member.ref for member in held.members]
        rows = await state.own_sets.from_rows(kind.name, user_id, refs, business_id, asked_ms=None, newest=True)
        now_ms = state.now_ms()
        left = {ref for ref, row in rows.items() if kind.expires and row.state <= now_ms}
        if not _agrees(held, rows, pending, left):
            found[key] = hash((held.floor, *sorted(held.members)))
    return found


def _agrees(held: AllHeld, rows: Mapping[EntityRef, Member], pending: set[EntityRef], left: set[EntityRef]) -> bool:
    """Returns whether the members of a cached set are as in their rows, and whether no member above the set's floor
    (below which the set is incomplete) is missing. Members in `left`, whose state has expired, may be in the set or
    not. Members in `pending` are not compared.
    """
    present = {member.ref: member for member in held.members}
    settled = all(rows.get(ref) == member for ref, member in present.items() if ref not in pending)
    missing = [row for ref, row in rows.items() if ref not in present and ref not in pending and ref not in left]
    return settled and (held.floor is None or all(row.moment <= held.floor for row in missing))


async def _find_blockers(state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    """Compares the cached sets of users who block a user. Returns the keys of those that disagree with the rows, each
    with a fingerprint. A set has a mark for each block or unblock; marks of users who have never blocked the user have
    no rows.
    """
    found: dict[str, Any] = {}
    for key in keys:
        user_id, _ = owner_of(key)
        raw = await read_set(state.redis, key)
        held = scored(raw)
        is_complete = held.pop(0, None) is not None
        stored = await boundary_rows.marks(state.postgres, user_id, [*held], complete=is_complete)
        if {user: mark for user, mark in held.items() if mark > 0 or user in stored} != stored:
            found[key] = hash(tuple(raw))
    return found


async def drop(state: State, keys: Sequence[str]) -> None:
    """Removes own sets from Redis, except sets with changes that are not stored yet. The next run compares
    those again.
    """
    await asyncio.gather(*[_drop(state, key) for key in keys])


async def _drop(state: State, key: str) -> None:
    user_id, business_id = owner_of(key)
    what = own_kind_of(key)
    if what == BLOCKER:
        await state.boundaries.forget_blockers(user_id)
    elif what:
        await state.own_sets.forget_settled(what, user_id, business_id)


FINDERS: Mapping[str, FindMismatches] = {
    **{name: partial(_find_mismatches, kind) for name, kind in KINDS.items()},
    BLOCKER: _find_blockers,
}
