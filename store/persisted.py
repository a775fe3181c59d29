"""Persisted operations where processes share them: imported ones in Postgres, those clients register in Redis."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from store.keys import automatic_query
from store.postgres.client import Postgres, Transaction
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


@dataclass(frozen=True, slots=True)
class ImportedOperation:
    """An operation as it lies in the table; `kind` is query, mutation or subscription, `source` the file it was in."""

    id: str
    name: str
    kind: str
    text: str
    source: str
    imported_at: datetime | None = None


class Contradicted(Exception):
    """Ids that stand for other texts already."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(f"Imported before with other texts: {', '.join(ids[:5])}{' …' if len(ids) > 5 else ''}")


async def read_imported(postgres: Postgres, since: datetime | None = None) -> list[ImportedOperation]:
    """All of them, oldest first; or what may have been committed since the newest that is known.

    Rows carry the moment their transaction began: those of a minute before are read again, longer than one may last.
    """
    return [ImportedOperation(*row) for row in await postgres.read(_READ, since=since)]


async def write_imported(transaction: Transaction, operations: Sequence[ImportedOperation]) -> int:
    """Adds operations; those that are there already stay as they are. Returns how many are new. Raises Contradicted."""
    ids, texts = [one.id for one in operations], [one.text for one in operations]
    new = await transaction.changed(
        _INSERT,
        ids=ids,
        names=[one.name for one in operations],
        kinds=[one.kind for one in operations],
        texts=texts,
        sources=[one.source for one in operations],
    )
    if rows := await transaction.execute(_CONTRADICTED, ids=ids, texts=texts):
        raise Contradicted([row.id for row in rows])
    return new


class AutomaticQueries:
    """Texts that clients registered by their hash, in as many slots as there may be texts.

    A hash has one slot, where the text registered last lies: `slots` times `longest` bytes is all that strangers can
    fill, whatever they send and in whatever order, and nobody has to sweep. Which of the hashes of a slot is there, the
    text itself says. Each read and write is one trip, and lets the text live for `life_ms` more.
    """

    def __init__(self, redis: Redis, slots: int, longest: int, life_ms: int) -> None:
        self._redis = redis
        self._slots = slots
        self._longest = longest
        self._life_ms = life_ms

    async def get(self, query_hash: str) -> str | None:
        """The text with this SHA-256 in hex, if it is there. Raises RedisDown."""
        found: bytes | None = await self._redis("GETEX", self._key(query_hash), "PX", self._life_ms)
        return found.decode() if found is not None and hashlib.sha256(found).hexdigest() == query_hash else None

    async def put(self, query_hash: str, query: str) -> bool:
        """Registers a text under its own SHA-256; whatever had the slot is gone. False for one too long."""
        content = query.encode()
        if len(content) > self._longest:
            return False
        await self._redis("SET", self._key(query_hash), content, "PX", self._life_ms, write=True)
        return True

    def _key(self, query_hash: str) -> str:
        return automatic_query(int(query_hash[:15], 16) % self._slots)
