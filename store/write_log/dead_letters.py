"""Dead letters: journal entries that Postgres has refused to store, kept unchanged in a table of their own."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import text

from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.write_log.journal import Entry

_INSERT = text("""
    INSERT INTO dead_letters (p, version, entry, error)
    SELECT * FROM unnest(CAST(:ps AS smallint[]), CAST(:versions AS bigint[]), CAST(:entries AS bytea[]),
                         CAST(:errors AS text[]))
    ON CONFLICT (p, version) DO NOTHING
""")
_LIST = text("SELECT p, version, entry, error, refused_at FROM dead_letters ORDER BY refused_at, p, version")
_COUNT = text("SELECT count(*) FROM dead_letters")
_DELETE = text("DELETE FROM dead_letters WHERE p = :p AND version = :version")


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A journal entry that Postgres has refused to store, with the error and the time of the refusal."""

    entry: Entry
    error: str
    refused_at: datetime


async def write(transaction: Transaction, refused: Sequence[tuple[Entry, str]]) -> None:
    """Stores refused entries, each with its error. Call this function in the transaction that records the entries as
    processed (`advance_heads`).
    """
    rows = [(entry.partition, entry.version, _encode(entry), _printable(error)) for entry, error in refused]
    await transaction.execute(_INSERT, **columns(rows, "ps", "versions", "entries", "errors"))


async def read(postgres: Postgres) -> list[DeadLetter]:
    """Returns all dead letters, oldest first."""
    return [
        DeadLetter(_decode(row.p, row.version, row.entry), row.error, row.refused_at)
        for row in await postgres.read(_LIST)
    ]


async def count(postgres: Postgres) -> int:
    """Returns the number of dead letters."""
    return int((await postgres.read(_COUNT))[0][0])


async def remove(transaction: Transaction, entry: Entry) -> None:
    """Removes the dead letter of an entry. Call this when the entry has been stored and published after all."""
    await transaction.execute(_DELETE, p=entry.partition, version=entry.version)


def _printable(error: str) -> str:
    return error.encode("ascii", "backslashreplace").decode().replace("\0", "\\0")


def _encode(entry: Entry) -> bytes:
    return orjson.dumps({_text(name): _text(value) for name, value in entry.fields.items()})


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _decode(partition: int, version: int, stored: bytes) -> Entry:
    fields: dict[str, str] = orjson.loads(stored)
    return Entry(partition, version, {base64.b64decode(n): base64.b64decode(v) for n, v in fields.items()})
