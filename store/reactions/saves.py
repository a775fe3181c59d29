"""Saves: the script that changes a user's saves, the cached saves of a user, and pages from rows."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from models.saves import NOT_SAVED, Save, SavedKind
from store.keys import Keys
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.reactions.collections import CollectionsNotCached
from store.reactions.likes import Known, NotCached, oldest_moment
from store.redis.client import Redis, RedisDown
from store.scripts import FILL_SAVES
from store.scripts import SAVE as SAVE_SCRIPT
from store.write_log import operations
from store.write_log.operations import Changed, Operation, Outcome, Status
from store.write_log.pending import SAVE, among, changes_of, field_of

_IDLE_MS = 30 * 86_400_000
_FLOOR = "0"
NEWEST = Save(1 << 62, 0, 0, NOT_SAVED)
"""A place above all saves."""


class Which(NamedTuple):
    """The part of a user's saves that a list has: those of a kind, of a collection, or all."""

    kind: SavedKind | None = None
    collection_id: int | None = None

    def has(self, save: Save) -> bool:
        """Returns whether a save is in this part."""
        return (self.kind is None or SavedKind.of(save.ref) is self.kind) and (
            self.collection_id in (None, save.collection_id)
        )


ALL = Which()


class SavesPage(NamedTuple):
    """A page to read: at most `most` of a user's saves, older than `before`."""

    user_id: int
    which: Which
    before: Save
    most: int


_AMONG = text("""
    SELECT s.moment, s.business_id, s.entity_id, s.collection_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN saves s USING (business_id, entity_id)
    WHERE s.user_id = :user AND s.collection_id <> 0
""")
# Each branch reads one index; the other one is skipped, because its first condition does not depend on rows. A
# distributed Postgres accepts a LIMIT for each page only because each page is joined with the row of its user.
_PAGES = text("""
    SELECT w.page, s.moment, s.business_id, s.entity_id, s.collection_id
    FROM (
        SELECT u.user_id, p.collection_id, p.kind, p.moment, p.business_id, p.entity_id, p.count, p.page
        FROM unnest(CAST(:users AS bigint[]), CAST(:collections AS bigint[]), CAST(:kinds AS smallint[]),
                    CAST(:moments AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                    CAST(:counts AS int[]), CAST(:pages AS smallint[]))
            AS p(user_id, collection_id, kind, moment, business_id, entity_id, count, page)
        JOIN users u USING (user_id)
    ) AS w
    CROSS JOIN LATERAL (
        (SELECT moment, business_id, entity_id, collection_id FROM saves
         WHERE w.collection_id = 0 AND user_id = w.user_id AND kind = w.kind AND collection_id <> 0
           AND (moment, business_id, entity_id) < (w.moment, w.business_id, w.entity_id)
         ORDER BY moment DESC, business_id DESC, entity_id DESC LIMIT w.count)
        UNION ALL
        (SELECT moment, business_id, entity_id, collection_id FROM saves
         WHERE w.collection_id > 1 AND user_id = w.user_id AND collection_id = w.collection_id AND kind = w.kind
           AND collection_id > 1 AND (moment, business_id, entity_id) < (w.moment, w.business_id, w.entity_id)
         ORDER BY moment DESC, business_id DESC, entity_id DESC LIMIT w.count)
    ) AS s
""")
_STATE = text("""
    SELECT collection_id FROM saves WHERE user_id = :user AND business_id = :business AND entity_id = :entity
""")


class HeldSaves(NamedTuple):
    """A user's cached saves, or those of some targets. The user has no others with moments above `floor`. `floor` is
    None if the saves are cold.
    """

    saves: Mapping[EntityRef, Save]
    floor: int | None

    def rules_out(self, ref: EntityRef) -> bool:
        """Returns whether the user has certainly not saved a target that is not in `saves`: the target is younger than
        the floor, so a save of it would be cached.
        """
        return self.floor is not None and (self.floor == 0 or self.floor < oldest_moment(ref.entity_id))


class Saves:
    """The saves of each user: changed by one script, read with one command, rebuilt from rows."""

    def __init__(
        self, redis: Redis, keys: Keys, postgres: Postgres, *, cap: int, pending_ms: int, journal_max_entries: int
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._cap = cap
        self._pending_ms = pending_ms
        self._journal_bound = journal_max_entries

    async def save(
        self,
        actor_id: int,
        collection_id: int,
        ref: EntityRef,
        counters: Sequence[int],
        operation: Operation,
        entry: bytes,
        known: Known | None,
        only: int | None = None,
    ) -> Outcome | NotCached | CollectionsNotCached:
        """Saves a target into a collection, or removes the save (`NOT_SAVED`), and appends `entry` to the journal,
        atomically. `counters` are the ids of the counters that the target's business defines. `known` is the current
        collection as read from Postgres; None if it was not read. With `only`, changes nothing unless this is the
        current collection.
        """
        named = [
            self._keys.saves(actor_id),
            self._keys.pending(actor_id),
            self._keys.operation(actor_id, operation.digest),
            self._keys.collections(actor_id),
        ]
        changes = changes_of(ref, counters)
        args = [
            *(collection_id, _member(ref), field_of(SAVE, ref), operation.fingerprint, operation.life_ms),
            *(oldest_moment(ref.entity_id), *(known or ("", 0)), self._pending_ms),
            *(self._cap, _IDLE_MS, self._journal_bound, "" if only is None else only, entry),
            *(field_of(*change) for change in changes),
        ]
        answer = await operations.run(self._redis, self._keys, SAVE_SCRIPT, actor_id, named, args)
        match answer:
            case [b"COLD", asked_ms, loaded]:
                return NotCached(int(asked_ms), bool(loaded))
            case [b"COLLECTIONS"]:
                return CollectionsNotCached()
            case [b"DONE", state, histories]:
                pending = among(self._keys.partition_of(actor_id), changes, histories)
                return Outcome(Status.DONE, after=Changed(int(state), pending))
            case _:
                return Outcome.parse(answer)

    def held(self, user_id: int, refs: Sequence[EntityRef]) -> "asyncio.Future[HeldSaves]":
        """Reads a user's saves of these targets from the cache. The command is queued at once."""

        def parse(raw: Sequence[bytes | None]) -> HeldSaves:
            floor, *values = raw
            found = zip(refs, values, strict=True)
            return HeldSaves({ref: _save(ref, value) for ref, value in found if value}, _floor(floor))

        return self._redis("HMGET", self._keys.saves(user_id), _FLOOR, *map(_member, refs), read=parse)

    async def forget(self, users: Sequence[int]) -> None:
        """Removes the cached saves of these users. The saves can be read again from rows."""
        await self._redis.gather([("DEL", self._keys.saves(user)) for user in users], write=True)

    async def all_held(self, user_id: int) -> HeldSaves:
        """Reads all cached saves of a user."""
        return parse(await self._redis("HGETALL", self._keys.saves(user_id)))

    async def clock_ms(self, user_id: int) -> int:
        """Returns the time of the Redis server that has this user's cached saves, in milliseconds since the Unix epoch.
        Pass it as `asked_ms` to `from_truth`.
        """
        return await self._redis.clock_ms(self._keys.saves(user_id))

    async def from_truth(
        self, user_id: int, refs: Sequence[EntityRef], *, asked_ms: int | None, newest: bool
    ) -> Mapping[EntityRef, Save]:
        """Reads a user's saves of these targets from rows. Targets that are not saved are left out.

        Adds the saves to the cached ones, unless `asked_ms` is None, Redis is down or its data was lost meanwhile. With
        `newest`, a second query reads the user's newest saves, and the cached saves become complete down to the oldest
        of them.
        """
        generation = self._redis.generation
        rows = (
            await self._postgres.read(_AMONG, user=user_id, **columns(refs, "businesses", "entities")) if refs else ()
        )
        saves = {save.ref: save for save in map(Save._make, rows)}
        (page,) = await self.pages([SavesPage(user_id, ALL, NEWEST, self._cap)]) if newest else [[]]
        if asked_ms is not None and self._redis.generation == generation:
            floor: int | str = "" if not newest else page[-1].moment if len(page) >= self._cap else 0
            with suppress(RedisDown):
                await self._install(user_id, {*page, *saves.values()}, floor, asked_ms)
        return saves | {save.ref: save for save in page}

    async def _install(self, user_id: int, saves: set[Save], floor: int | str, asked_ms: int) -> None:
        named = [self._keys.saves(user_id), self._keys.pending(user_id)]
        args = [asked_ms, self._pending_ms, floor, self._cap, _IDLE_MS, f"{SAVE}:"]
        pairs = ((_member(one.ref), f"{one.moment} {one.collection_id}") for one in sorted(saves, reverse=True))
        await self._redis.run(FILL_SAVES, named, [*args, *(part for pair in pairs for part in pair)])

    async def pages(self, pages: Sequence[SavesPage]) -> list[list[Save]]:
        """Reads pages of saves from rows, in one query. Returns the saves of each page, newest first."""
        names = "users", "collections", "kinds", "moments", "businesses", "entities", "counts", "pages"
        wanted = [row for at, page in enumerate(pages) for row in _wanted(page, at)]
        rows = await self._postgres.read(_PAGES, **columns(wanted, *names))
        found: list[list[Save]] = [[] for _ in pages]
        for at, *save in rows:
            found[at].append(Save(*save))
        return [sorted(saves, reverse=True)[: page.most] for saves, page in zip(found, pages, strict=True)]


def parse(raw: Sequence[bytes]) -> HeldSaves:
    """Parses all cached saves of a user, as HGETALL returns them."""
    held = dict(zip(raw[::2], raw[1::2], strict=True))
    floor = _floor(held.pop(_FLOOR.encode(), None))
    saves = (_save(_ref(target), value) for target, value in held.items())
    return HeldSaves({save.ref: save for save in saves}, floor)


async def collection_in(transaction: Transaction, user_id: int, ref: EntityRef) -> int:
    """Reads the collection into which a user has saved a target, inside a transaction. Returns `NOT_SAVED` if there is
    no row.
    """
    rows = await transaction.execute(_STATE, user=user_id, business=ref.business_id, entity=ref.entity_id)
    return int(rows[0].collection_id) if rows else NOT_SAVED


def _wanted(page: SavesPage, at: int) -> list[tuple[int, ...]]:
    """Returns what to read for the page with the index `at`: one list for each kind. The collection is 0 for all."""
    kind, collection_id = page.which
    kinds = [kind] if kind else list(SavedKind)
    return [(page.user_id, collection_id or 0, one.value, *page.before[:3], page.most, at) for one in kinds]


def _member(ref: EntityRef) -> str:
    return f"{ref.business_id}:{ref.entity_id}"


def _ref(member: bytes) -> EntityRef:
    return EntityRef(*map(int, member.split(b":")))


def _save(ref: EntityRef, value: bytes) -> Save:
    moment, collection_id = map(int, value.split())
    return Save(moment, *ref, collection_id)


def _floor(value: bytes | None) -> int | None:
    return None if value is None else int(value)
