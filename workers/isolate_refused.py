"""Isolates journal entries that Postgres refuses for good, so that they become dead letters and do not block others."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from store.postgres.client import is_refusal
from store.write_log.journal import Entry

T = TypeVar("T")


async def isolate(commit: Callable[[Sequence[Entry], str | None], Awaitable[T]], entries: Sequence[Entry]) -> list[T]:
    """Commits entries. If Postgres refuses a batch, splits the batch in halves and commits these, until each refused
    entry is alone. Returns the results of all commits.

    `commit` writes entries in one transaction. A single refused entry is passed to `commit` again, with the reason, to
    be written as a dead letter. Raises all other errors of `commit`.
    """
    try:
        return [await commit(entries, None)]
    except (SQLAlchemyError, ValueError, TypeError) as error:
        if isinstance(error, SQLAlchemyError) and not is_refusal(error):
            raise
        if len(entries) == 1:
            return [await commit(entries, str(error))]
        middle = len(entries) // 2
        return [*await isolate(commit, entries[:middle]), *await isolate(commit, entries[middle:])]
