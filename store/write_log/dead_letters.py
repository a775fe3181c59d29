"""Where journal entries go that the database refuses: kept whole, whatever is in them."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import text

from store.postgres.client import Postgres, Transaction
from store.write_log.journal import Entry

_INSERT = text("""
    INSERT INTO dead_letters (p, version, entry, error)
    SELECT * FROM unnest(CAST(:ps AS smallint[]), CAST(:versions AS bigint[]), CAST(:entries AS bytea[]),
                         CAST(:errors AS text[]))
    ON CONFLICT (p, version) DO NOTHING
""")
_LIST = text("SELECT p, version, entry, error, refused_at FROM dead_letters ORDER BY refused_at, p, version")
_DELETE = text("DELETE FROM dead_letters WHERE p = :p AND version = :version")


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A refused entry, why, and when."""

    entry: Entry
    error: str
    refused_at: datetime


async def write(transaction: Transaction, refused: Sequence[tuple[Entry, str]]) -> None:
    """Keeps refused entries, in the transaction that moves their journals' heads past them."""
    if refused:
        await transaction.execute(
            _INSERT,
            ps=[entry.partition for entry, _ in refused],
            versions=[entry.version for entry, _ in refused],
            entries=[_encode(entry) for entry, _ in refused],
            errors=[error.encode("ascii", "backslashreplace").decode().replace("\0", "\\0") for _, error in refused],
        )


async def read(postgres: Postgres) -> list[DeadLetter]:
    """All of them, oldest first."""
    return [
        DeadLetter(_decode(row.p, row.version, row.entry), row.error, row.refused_at)
        for row in await postgres.read(_LIST)
    ]


async def remove(transaction: Transaction, entry: Entry) -> None:
    """Forgets a letter whose entry is applied after all, and published."""
    await transaction.execute(_DELETE, p=entry.partition, version=entry.version)


def _encode(entry: Entry) -> bytes:
    return orjson.dumps({_text(name): _text(value) for name, value in entry.fields.items()})


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _decode(partition: int, version: int, stored: bytes) -> Entry:
    fields: dict[str, str] = orjson.loads(stored)
    return Entry(partition, version, {base64.b64decode(n): base64.b64decode(v) for n, v in fields.items()})
