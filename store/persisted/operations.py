"""Persisted operations that all processes share: operators import some into Postgres, and clients register others in
Redis.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from store.keys import automatic_query
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.redis.client import Redis

_INSERT = text("""
    INSERT INTO persisted_operations (id, name, kind, document, source)
    SELECT * FROM unnest(CAST(:ids AS text[]), CAST(:names AS text[]), CAST(:kinds AS text[]), CAST(:texts AS text[]),
                         CAST(:sources AS text[]))
    ON CONFLICT (id) DO NOTHING
""")
_CONTRADICTED = text("""
    SELECT id FROM persisted_operations JOIN unnest(CAST(:ids AS text[]), CAST(:texts AS text[])) AS new (id, document)
    USING (id) WHERE new.document <> persisted_operations.document ORDER BY id
""")
_READ = text("""
    SELECT id, name, kind, document, source, imported_at FROM persisted_operations
    WHERE CAST(:since AS timestamptz) IS NULL OR imported_at > CAST(:since AS timestamptz) - interval '1 minute'
    ORDER BY imported_at, id
""")
_PAGE = text("""
    SELECT id, name, kind, document, source, imported_at FROM persisted_operations
    WHERE CAST(:since AS timestamptz) IS NULL
        OR (imported_at, id) > (CAST(:since AS timestamptz), CAST(:after_id AS text))
    ORDER BY imported_at, id LIMIT :count
""")
_WITH_TEXTS = text("""
    SELECT id, name, kind, document, source, imported_at FROM persisted_operations
    WHERE document = ANY(CAST(:texts AS text[])) ORDER BY imported_at, id
""")


@dataclass(frozen=True, slots=True)
class ImportedOperation:
    """An imported operation. `kind` is query, mutation or subscription. `source` is the file that contained it.
    `imported_at` is None before it is stored.
    """

    id: str
    name: str
    kind: str
    text: str
    source: str
    imported_at: datetime | None = None


class Contradicted(Exception):
    """Raised for an import if other texts are already stored under some of its ids. `ids` has all of these ids."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        super().__init__(f"Imported before with other texts: {', '.join(ids[:5])}{' …' if len(ids) > 5 else ''}")


async def read_imported(postgres: Postgres, since: datetime | None = None) -> list[ImportedOperation]:
    """Returns all imported operations, oldest first. With `since`, returns those that may have been committed later.

    `imported_at` is when the transaction of an import began, and no transaction lasts a minute. So operations that were
    imported up to a minute before `since` are returned too.
    """
    return [ImportedOperation(*row) for row in await postgres.read(_READ, since=since)]


async def read_imported_page(
    postgres: Postgres, since: datetime | None, after_id: str, count: int
) -> list[ImportedOperation]:
    """Returns up to `count` imported operations, oldest first: those after the one that was imported at `since` with
    the id `after_id`, or the oldest ones if `since` is None.
    """
    rows = await postgres.read(_PAGE, since=since, after_id=after_id, count=count)
    return [ImportedOperation(*row) for row in rows]


async def read_with_texts(postgres: Postgres, texts: Sequence[str]) -> list[ImportedOperation]:
    """Returns all imported operations with one of these texts, oldest first. An operation can have several ids."""
    return [ImportedOperation(*row) for row in await postgres.read(_WITH_TEXTS, texts=list(texts))] if texts else []


async def write_imported(transaction: Transaction, operations: Sequence[ImportedOperation]) -> int:
    """Adds to Postgres the operations whose ids are not stored yet. Returns how many it has added. Raises Contradicted
    if an id is stored with another text; the transaction must then be rolled back.
    """
    rows = ((one.id, one.name, one.kind, one.text, one.source) for one in operations)
    values = columns(rows, "ids", "names", "kinds", "texts", "sources")
    new = await transaction.changed(_INSERT, **values)
    if other := await transaction.execute(_CONTRADICTED, ids=values["ids"], texts=values["texts"]):
        raise Contradicted([row.id for row in other])
    return new


class AutomaticQueries:
    """The queries that clients registered by their hash, in a fixed number of slots.

    Each hash belongs to one slot, a Redis key. A slot contains the text that was registered last. A reader compares the
    hash of this text with the requested hash. So clients can fill at most `slots * longest` bytes, whatever they send.
    Each read or write is one round trip. After it, the text is kept for `life_ms` milliseconds.
    """

    def __init__(self, redis: Redis, slots: int, longest: int, life_ms: int) -> None:
        self._redis = redis
        self._slots = slots
        self._longest = longest
        self._life_ms = life_ms

    async def get(self, query_hash: str) -> str | None:
        """Returns the query text with this SHA-256 (in hex); None if it is not registered. Raises RedisDown."""
        found: bytes | None = await self._redis("GETEX", self._key(query_hash), "PX", self._life_ms)
        return found.decode() if found is not None and hashlib.sha256(found).hexdigest() == query_hash else None

    async def put(self, query_hash: str, query: str) -> bool:
        """Registers a query text under `query_hash`, which must be the text's SHA-256 (in hex), in place of the
        slot's earlier text. Returns False, and registers nothing, if the text is longer than `longest` bytes. Raises
        RedisDown.
        """
        content = query.encode()
        if len(content) > self._longest:
            return False
        await self._redis("SET", self._key(query_hash), content, "PX", self._life_ms, write=True)
        return True

    def _key(self, query_hash: str) -> str:
        return automatic_query(int(query_hash[:15], 16) % self._slots)
