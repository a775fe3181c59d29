"""Collections: the script that changes collections, a user's cached collections, and their rows.

All collections of a user are one hash in the slot of the user, as the user's saves. So the script that saves into a
collection sees at once that it was deleted, and all readers see the owner's last change.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from sqlalchemy import text

from models.collections import CollectionRow
from models.counters import EntityRef
from settings import COLLECTIONS
from store.gather import gather_all
from store.groups import grouped
from store.keys import Keys
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.redis.client import Redis
from store.scripts import FILL_COLLECTIONS, SET_COLLECTION
from store.write_log import operations
from store.write_log.operations import Operation, Outcome
from store.write_log.pending import COLLECTION, field_of

_WEEK_MS = 7 * 86_400_000
_COMPLETE = b"0"

_OF_USERS = text("""
    SELECT user_id, collection_id, name, is_public FROM collections
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND NOT deleted
""")
_WRITE = text("""
    INSERT INTO collections AS c (user_id, collection_id, name, is_public, deleted, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:collections AS bigint[]), CAST(:names AS text[]),
                         CAST(:publics AS boolean[]), CAST(:deletions AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, collection_id) DO UPDATE SET
        name = excluded.name, is_public = excluded.is_public, deleted = excluded.deleted, version = excluded.version
    WHERE c.version < excluded.version
""")

_LEAVING = text("""
    SELECT user_id, collection_id FROM (
        SELECT DISTINCT ON (user_id) user_id, collection_id FROM collections WHERE deleted AND NOT emptied
        ORDER BY user_id, collection_id LIMIT 1000
    ) AS first_of_each_user
    ORDER BY random() LIMIT :count
""")
_EMPTIED = text("""
    UPDATE collections SET emptied = true
    WHERE user_id = :user AND collection_id = :collection AND deleted
      AND NOT EXISTS (SELECT FROM saves WHERE user_id = :user AND collection_id = :collection AND collection_id > 1)
""")

StoredCollection = tuple[int, int, str, bool, bool, int]
"""A row: user, collection, name, whether others may see it, whether it is deleted, version."""


class CollectionVerb(Enum):
    """A change of a collection that its owner requests."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class CollectionChange(NamedTuple):
    """A change of one collection. None leaves a field as it is. `judged` is the name that the moderation rules allow if
    the collection is public afterwards.
    """

    verb: CollectionVerb
    collection_id: int
    name: str | None = None
    is_public: bool | None = None
    judged: str | None = None

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of the collection."""
        return EntityRef(COLLECTIONS, self.collection_id)

    def after(self, owner_id: int, was: CollectionRow | None) -> CollectionRow:
        """Returns the collection after this change, given the collection before."""
        name = self.name if self.name is not None else was.name if was else ""
        is_public = self.is_public if self.is_public is not None else bool(was and was.is_public)
        return CollectionRow(owner_id, self.collection_id, name, is_public)

    def allows(self, after: CollectionRow) -> bool:
        """Returns whether the collection may be so after this change."""
        return self.verb is CollectionVerb.DELETE or not after.is_public or after.name == self.judged

    def fields(self, after: CollectionRow) -> dict[str, object]:
        """Returns the state in the journal entry of a direct write, given the collection after this change."""
        state = int(self.verb is not CollectionVerb.DELETE)
        return {"kind": COLLECTION, "state": state, "public": int(after.is_public), "name": after.name.encode()}


class CollectionsNotCached:
    """The result of a script that changed nothing, because the user's collections are not cached."""


class Collections:
    """The collections of all users."""

    def __init__(
        self, redis: Redis, keys: Keys, postgres: Postgres, *, limit: int, pending_ms: int, journal_max_entries: int
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._limit = limit
        self._pending_ms = pending_ms
        self._journal_bound = journal_max_entries

    async def change(
        self, actor_id: int, change: CollectionChange, operation: Operation, entry: bytes
    ) -> Outcome | CollectionsNotCached:
        """Changes a collection and appends `entry` to the journal, atomically. The value of the outcome is the id of
        the collection.
        """
        named = [
            self._keys.collections(actor_id),
            self._keys.pending(actor_id),
            self._keys.operation(actor_id, operation.digest),
        ]
        public = "" if change.is_public is None else int(change.is_public)
        args = [
            *(change.verb.value, change.collection_id, field_of(COLLECTION, change.ref)),
            *(operation.fingerprint, operation.life_ms, public, (change.name or "").encode()),
            *(self._limit, _WEEK_MS, self._journal_bound, entry, (change.judged or "").encode()),
        ]
        answer = await operations.run(self._redis, self._keys, SET_COLLECTION, actor_id, named, args)
        return CollectionsNotCached() if answer[0] == b"COLD" else Outcome.parse(answer)

    async def forget(self, users: Sequence[int]) -> None:
        """Removes the cached collections of these users. The collections can be read again from rows."""
        await self._redis.gather([("DEL", self._keys.collections(user)) for user in users], write=True)

    async def of(self, users: Sequence[int]) -> dict[int, list[CollectionRow]]:
        """Returns all collections of each user, newest first: from the cache, or from rows. Raises RedisDown."""
        raw = await self._redis.gather([("HGETALL", self._keys.collections(user)) for user in users])
        held = {user: parse(user, one) for user, one in zip(users, raw, strict=True)}
        cold = [user for user, one in held.items() if one is None]
        rows = await self.warm(cold) if cold else {}
        return {user: rows[user] if one is None else one for user, one in held.items()}

    async def warm(self, users: Sequence[int]) -> dict[int, list[CollectionRow]]:
        """Reads all collections of these users from rows, in one query, and caches them. Returns them."""
        generation = self._redis.generation
        asked = await gather_all(*[self._redis.clock_ms(self._keys.collections(user)) for user in users])
        rows = await of_users(self._postgres, users)
        if self._redis.generation == generation:
            await gather_all(*[self._fill(user, rows[user], ms) for user, ms in zip(users, asked, strict=True)])
        return rows

    async def _fill(self, user_id: int, rows: Sequence[CollectionRow], asked_ms: int) -> None:
        named = [self._keys.collections(user_id), self._keys.pending(user_id)]
        pairs = ((row.collection_id, b"%d %s" % (row.is_public, row.name.encode())) for row in rows)
        args = [asked_ms, self._pending_ms, _WEEK_MS, f"{COLLECTION}:{COLLECTIONS}:"]
        await self._redis.run(FILL_COLLECTIONS, named, [*args, *(part for pair in pairs for part in pair)])


def parse(user_id: int, raw: Sequence[bytes]) -> list[CollectionRow] | None:
    """Parses the cached collections of a user, as HGETALL returns them. Returns None if they are incomplete."""
    held = dict(zip(raw[::2], raw[1::2], strict=True))
    if held.pop(_COMPLETE, None) is None:
        return None
    rows = (CollectionRow(user_id, int(id_), one[2:].decode(), one[:1] == b"1") for id_, one in held.items())
    return _newest_first(rows)


def _newest_first(rows: Iterable[CollectionRow]) -> list[CollectionRow]:
    return sorted(rows, key=lambda row: row.collection_id, reverse=True)


async def of_users(source: Postgres | Transaction, users: Sequence[int]) -> dict[int, list[CollectionRow]]:
    """Reads all collections of each user from rows, newest first."""
    ask = source.read if isinstance(source, Postgres) else source.execute
    rows = [CollectionRow(*row) for row in await ask(_OF_USERS, users=list(users))]
    rows_of = grouped((row.owner_id, row) for row in rows)
    return {user: _newest_first(rows_of.get(user, ())) for user in users}


async def leaving(postgres: Postgres, count: int) -> list[tuple[int, int]]:
    """Returns up to `count` deleted collections in which something may still be saved, as (user, collection): at most
    one of each user. The users are chosen at random among the first thousand, so that each has its turn, and a long
    backlog is not read whole.
    """
    return [(user, collection) for user, collection in await postgres.read(_LEAVING, count=count)]


async def mark_emptied(transaction: Transaction, user_id: int, collection_id: int) -> None:
    """Records that nothing is saved in a deleted collection any more. Does nothing if something is."""
    await transaction.execute(_EMPTIED, user=user_id, collection=collection_id)


async def write(transaction: Transaction, rows: Sequence[StoredCollection]) -> None:
    """Writes collections, except those whose stored rows have the same or a higher version. `rows` have each collection
    at most once.
    """
    names = "users", "collections", "names", "publics", "deletions", "versions"
    await transaction.execute(_WRITE, **columns(sorted(rows), *names))
