"""Isolates journal entries that cannot be stored, so that they become dead letters and do not block others."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from domain.errors import Unavailable
from observability.logs import Log
from store.backoff import rest
from store.postgres.client import is_of_the_server, is_refusal
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced
from workers.cpu_limit import TooSlow

log = Log(__name__)

T = TypeVar("T")

_PAUSES = 0.2, 0.4, 0.8, 1.6
"""Seconds before each repetition of a single entry that failed for an unclear reason."""


async def isolate(
    commit: Callable[[Sequence[Entry], str | None], Awaitable[T]],
    answers: Callable[[], Awaitable[bool]],
    entries: Sequence[Entry],
) -> list[T]:
    """Commits entries. If a batch fails and the store is not the reason, splits the batch in halves and commits these,
    until each entry that fails is alone. Returns the results of all commits.

    `commit` writes entries in one transaction. A single entry that fails is passed to `commit` again, with the reason,
    to be written as a dead letter: at once if the reason is clear, otherwise after it has failed five times within
    some seconds while the store answered. `answers` tells whether the store answers other statements now.

    Raises the error of `commit` if the store is overloaded or unavailable, or if the worker has lost a partition. The
    whole call can then be repeated.
    """
    for wait in (*_PAUSES, None):
        try:
            return [await commit(entries, None)]
        except Exception as error:
            if not _is_clear(error) and not (_may_be_of(error) and await answers()):
                raise
            if len(entries) > 1:
                break
            if wait is None or _is_clear(error):
                return [await commit(entries, str(error) or repr(error))]
            log.warning("an entry failed; trying again", partition=entries[0].partition, error=repr(error))
        await rest(wait)
    middle = len(entries) // 2
    return [*await isolate(commit, answers, entries[:middle]), *await isolate(commit, answers, entries[middle:])]


def _is_clear(error: Exception) -> bool:
    """Returns whether an error shows that an entry cannot be stored, so that a repetition cannot work."""
    if isinstance(error, SQLAlchemyError):
        return is_refusal(error)
    return isinstance(error, ValueError | TypeError | TooSlow)


def _may_be_of(error: Exception) -> bool:
    """Returns whether the entries may be the reason of an error, rather than the state of a server or this process."""
    if isinstance(error, Unavailable | DBAPIError):
        return not is_of_the_server(error)
    return not isinstance(error, Fenced | OSError | MemoryError)
