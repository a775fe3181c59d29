"""Reads the list of what a user has saved: from the cache and, for the part that is not cached, from Postgres."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from domain.degraded import Degraded
from domain.versions import moment_of
from loaders.loader import Loader
from models.saves import NOT_SAVED, SAVE, Save
from state import State
from store.groups import grouped
from store.own_sets.own_sets import AllHeld
from store.reactions.saves import NEWEST, SavesPage, read_pages
from store.redis.client import RedisDown


class CachedSaves(NamedTuple):
    """The newest saves of a user, from the cache, newest first: `every` has all of them, `by_collection` those of each
    collection by its id. The user has no other saves whose moments are above `floor`.
    """

    every: Sequence[Save]
    by_collection: Mapping[int, Sequence[Save]]
    floor: int

    @classmethod
    def of(cls, held: AllHeld) -> "CachedSaves":
        """Returns the saves in a cached set, newest first; no saves if the set is not cached."""
        floor = NEWEST.moment if held.floor is None else held.floor
        saves = (Save(one.moment, *one.ref, one.state) for one in held.members)
        every = sorted((one for one in saves if one.moment > floor), reverse=True)
        return cls(every, grouped((one.collection_id, one) for one in every), floor)

    def before(self, wanted: SavesPage) -> list[Save]:
        """Returns the cached saves that belong on the page `wanted`, newest first."""
        collection_id = wanted.which.collection_id
        saves = self.every if collection_id is None else self.by_collection.get(collection_id, ())
        return list(islice((one for one in saves if _fits(one, wanted)), wanted.most))


_NOTHING_CACHED = CachedSaves((), {}, NEWEST.moment)


class OlderSaves(NamedTuple):
    """Saves of a user, from rows and pending changes. If `error` is set, changes that are not stored yet may be
    missing.
    """

    saves: list[Save]
    error: RedisDown | None = None


async def page(
    cached_saves: Loader[int, CachedSaves] | None,
    older_saves: Loader[SavesPage, OlderSaves],
    degraded: Degraded,
    field: str,
    wanted: SavesPage,
) -> tuple[list[Save], bool]:
    """Reads a page of a user's saves, newest first. Returns the saves, and whether they include all changes.

    Reads the user's cached saves, which all pages of a request share, and from Postgres what is older. Pass
    `cached_saves` only for the viewer's own pages. Without it, the whole page comes from Postgres: a request may have
    pages of a hundred users, and a user has a thousand cached saves.

    While Redis is down, changes that are not stored yet are missing, and `field` (the schema coordinate of the list) is
    listed in `extensions.degraded`. Raises PostgresDown.
    """
    error: RedisDown | None = None
    cached = _NOTHING_CACHED
    if cached_saves:
        try:
            cached = await cached_saves.load(wanted.user_id)
        except RedisDown as down:
            error = down
    newest = cached.before(wanted)
    if len(newest) < wanted.most and cached.floor > 0:
        below = min(wanted.before, Save(cached.floor + 1, 0, 0, NOT_SAVED))
        older = await older_saves.load(wanted._replace(before=below, most=wanted.most - len(newest)))
        newest, error = newest + older.saves, error or older.error
    if error:
        degraded.incomplete(field, error)
    return newest, error is None


async def cached_of(state: State, users: Sequence[int]) -> Sequence[CachedSaves | Exception]:
    """Returns the cached saves of users, and RedisDown in place of those that cannot be read."""
    return await asyncio.gather(*[_cached_or_error(state, user) for user in users])


async def _cached_or_error(state: State, user_id: int) -> CachedSaves | Exception:
    try:
        return CachedSaves.of(await state.own_sets.all_loaded(SAVE, user_id))
    except RedisDown as error:
        return error


async def older(state: State, pages: Sequence[SavesPage]) -> list[OlderSaves]:
    """Reads pages of saves from Postgres, in one query. Applies the changes of their users that are not stored yet."""
    users = list(dict.fromkeys(page.user_id for page in pages))
    changed = dict(zip(users, await asyncio.gather(*[_changed(state, user) for user in users]), strict=True))
    known = [changed[page.user_id] for page in pages]
    longer = [page._replace(most=page.most + len(one.saves)) for page, one in zip(pages, known, strict=True)]
    rows = await read_pages(state.postgres, longer)
    return [OlderSaves(_merged(*one), one[1].error) for one in zip(pages, known, rows, strict=True)]


async def _changed(state: State, user_id: int) -> OlderSaves:
    """Returns a user's changes of saves that may not be stored yet, including removals. If they cannot be read, sets
    `error`.
    """
    if state.redis.is_suspended:
        return OlderSaves([], RedisDown())
    try:
        pending = (await state.pending.get(user_id)).all_of(SAVE)
    except RedisDown as error:
        return OlderSaves([], error)
    return OlderSaves([Save(moment_of(one.version), *ref, one.latest) for ref, one in pending.items()])


def _merged(wanted: SavesPage, changed: OlderSaves, rows: Sequence[Save]) -> list[Save]:
    refs = {one.ref for one in changed.saves}
    coming = [one for one in changed.saves if one.collection_id != NOT_SAVED and _fits(one, wanted)]
    return sorted([*(one for one in rows if one.ref not in refs), *coming], reverse=True)[: wanted.most]


def _fits(save: Save, wanted: SavesPage) -> bool:
    return save < wanted.before and wanted.which.has(save)
