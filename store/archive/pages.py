"""Reads tables page by page in the order of a key, so that an export of any size needs little memory.

The pages are separate statements. A row that changes meanwhile is read before or after its change, or not at all if its
key is new and lower than those of the pages that were read.
"""

from collections.abc import AsyncIterator
from typing import NamedTuple

from sqlalchemy import TextClause, text

from store.postgres.client import Postgres, Rows

FEW = 200
"""The most rows of a page of posts or comments, which may have long texts, and of pages that API processes read."""
MANY = 500
"""The most rows of other pages."""
_LOWEST = -1
"""A number that is lower than all parts of keys, and with which the first page begins."""


class Source(NamedTuple):
    """A statement that reads a page of a table, its parameters that contain the last key of the page before, and the
    size of a page.
    """

    statement: TextClause
    key: tuple[str, ...]
    size: int


def source(table: str, columns: str, *, key: str, where: str, size: int = MANY) -> Source:
    """Returns the source of the rows of a table that fulfil the condition `where`, in the order of `key`: names of
    columns that contain numbers and are unique among these rows. `columns` are the columns to read, with the key.
    """
    names = tuple(key.split(", "))
    after = ", ".join(f":{name}" for name in names)
    statement = f"SELECT {columns} FROM {table} WHERE {where} AND ({key}) > ({after}) ORDER BY {key} LIMIT :size"  # noqa: S608
    return Source(text(statement), names, size)


async def pages(postgres: Postgres, wanted: Source, **parameters: object) -> AsyncIterator[Rows]:
    """Yields all rows of a source, page by page. `parameters` are those of its condition. Raises PostgresDown."""
    last = dict.fromkeys(wanted.key, _LOWEST)
    while rows := await postgres.read(wanted.statement, size=wanted.size, **parameters, **last):
        yield rows
        if len(rows) < wanted.size:
            return
        last = {name: getattr(rows[-1], name) for name in wanted.key}
