"""Compares users' own sets in Redis with rows: the users that they follow or have asked to follow, their reactions,
saves, collections, blocks, mutes, muted threads, and the users that block them. Pending changes have no rows yet, so
they are ignored.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from models.collections import CollectionRow
from models.counters import EntityRef
from models.saves import Save
from settings import USERS
from state import State
from store.people import boundary_rows
from store.people.boundaries import scored_threads
from store.people.follows import follow_set_of
from store.reactions import collections
from store.reactions.saves import HeldSaves, parse
from store.reconcile.cached import forget_set, owner_of, read_hash, read_set, scored
from store.write_log.pending import BLOCK, COLLECTION, FOLLOW, MUTE, REACT, SAVE, THREAD, Pending
from workers.reconcile.cached import FindMismatches

_NEVER_PENDING = "blocker"
_Held = dict[Any, int]
"""The members of a set and their scores. The score of member 0 is the floor. Members are ids, but `EntityRef`s in a set
of muted threads.
"""
_ReadRows = Callable[[State, int, int, _Held], Awaitable[_Held]]
"""Reads the set of a user in a business from rows: the members of the given set, and all members above its floor."""


async def _follows(state: State, user_id: int, _: int, __: _Held) -> _Held:
    return {item.member: item.moment for item in await follow_set_of(state.postgres, user_id)}


async def _blocks(state: State, user_id: int, _: int, __: _Held) -> _Held:
    return dict((await boundary_rows.stored(state.postgres, user_id, 0)).boundaries.blocks)


async def _mutes(state: State, user_id: int, _: int, held: _Held) -> _Held:
    """Returns the stored mutes. Mutes that have ended may be in the set or not."""
    stored = dict((await boundary_rows.stored(state.postgres, user_id, 0)).boundaries.mutes)
    now_ms = state.now_ms()
    return {user: until for user, until in stored.items() if until > now_ms or user in held}


async def _threads(state: State, user_id: int, _: int, __: _Held) -> _Held:
    return dict((await boundary_rows.stored(state.postgres, user_id, 0)).boundaries.threads)


async def _blockers(state: State, user_id: int, _: int, held: _Held) -> _Held:
    """Returns the marks of the users who block the user. Other marks are as they are in the set."""
    members = [user for user in held if user]
    stored = await boundary_rows.marks(state.postgres, user_id, members, complete=0 in held)
    return {user: mark for user, mark in held.items() if user and mark < 0 and user not in stored} | stored


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
            pending = await _pending_of(state, what)(user_id)
            held = _held(what, raw)
            rows = await read_rows(state, user_id, business_id, held)
            if not _agrees(held, rows, _pending_members(pending, what, business_id)):
                found[key] = hash(tuple(raw))
        return found

    return find_mismatches


def _pending_of(state: State, what: str) -> Callable[[int], Awaitable[Pending]]:
    if what in (BLOCK, MUTE, THREAD):
        return state.pending.get_boundaries
    return state.pending.get_follows if what == FOLLOW else state.pending.get


def _held(what: str, raw: Sequence[bytes]) -> _Held:
    if what != THREAD:
        return scored(raw)
    return {**scored_threads(raw), **({0: 0} if b"0" in raw[::2] else {})}


def _pending_members(pending: Pending, what: str, business_id: int) -> set[Any]:
    if what == THREAD:
        return set(pending.all_of(THREAD))
    return {ref.entity_id for ref in pending.all_of(what) if ref.business_id == business_id}


def _agrees(held: _Held, rows: _Held, pending: set[Any]) -> bool:
    floor = held.pop(0, None)
    members = all(rows.get(member) == score for member, score in held.items() if member not in pending)
    return members and (
        floor is None
        or all(member in held for member, score in rows.items() if abs(score) > floor and member not in pending)
    )


async def _find_saves(state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    """Returns the keys of cached saves that disagree with the rows, each with a fingerprint of its saves."""
    found: dict[str, Any] = {}
    for key in keys:
        user_id, _ = owner_of(key)
        raw = await read_hash(state.redis, key)
        pending = (await state.pending.get(user_id)).all_of(SAVE)
        held = parse(raw)
        rows = await state.saves.from_truth(user_id, list(held.saves), asked_ms=None, newest=True)
        if not _saves_agree(held, rows, pending):
            found[key] = hash(tuple(raw))
    return found


def _saves_agree(held: HeldSaves, rows: Mapping[EntityRef, Save], pending: Collection[EntityRef]) -> bool:
    """Returns whether cached saves have the moments and collections of their rows, and lack none above the floor."""
    floor = held.floor
    return all(rows.get(ref) == save for ref, save in held.saves.items() if ref not in pending) and (
        floor is None
        or all(ref in held.saves for ref, save in rows.items() if save.moment > floor and ref not in pending)
    )


async def _find_collections(state: State, keys: Sequence[str]) -> Mapping[str, Any]:
    """Returns the keys of cached collections that disagree with the rows, each with a fingerprint of its content."""
    found: dict[str, Any] = {}
    for key in keys:
        user_id, _ = owner_of(key)
        raw = await read_hash(state.redis, key)
        pending = (await state.pending.get(user_id)).all_of(COLLECTION)
        stored = (await collections.of_users(state.postgres, [user_id]))[user_id]
        held = collections.parse(user_id, raw)
        if held is None or _settled(held, pending) != _settled(stored, pending):
            found[key] = hash(tuple(raw))
    return found


def _settled(rows: Sequence[CollectionRow], pending: Collection[EntityRef]) -> list[CollectionRow]:
    return [row for row in rows if row.ref not in pending]


async def drop(state: State, keys: Sequence[str]) -> None:
    """Removes own sets from Redis, except sets with pending changes. The next run compares those again."""
    await asyncio.gather(*[forget_set(state.redis, state.keys, key) for key in keys])


FINDERS: Mapping[str, FindMismatches] = {
    "follow": _find_mismatches(FOLLOW, _follows),
    "blocks": _find_mismatches(BLOCK, _blocks),
    "mutes": _find_mismatches(MUTE, _mutes),
    "threads": _find_mismatches(THREAD, _threads),
    "blockers": _find_mismatches(_NEVER_PENDING, _blockers),
    "react": _find_mismatches(REACT, _reactions),
    "saves": _find_saves,
    "collections": _find_collections,
}
