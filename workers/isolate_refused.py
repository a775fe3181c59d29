"""Finds the journal entries in a batch that cannot be stored, so that they become dead letters (entries in a table for
operators) and do not block others.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from observability.logs import Log
from projections.cpu_limit import TooSlow
from store.backoff import rest
from store.postgres.client import is_of_the_server, is_refusal
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced

log = Log(__name__)

T = TypeVar("T")

_PAUSES = 0.2, 0.4, 0.8, 1.6
"""Seconds before each repetition of a single entry that failed for an unclear reason."""


class Isolation(Generic[T]):
    """Commits batches of journal entries, and finds the entries that cannot be stored.

    `commit` writes entries in one transaction: as they are or, if it gets a reason, as dead letters. `takes_writes`
    tells whether Postgres takes other writes now.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[Entry], str | None], Awaitable[T]],
        takes_writes: Callable[[Sequence[Entry]], Awaitable[bool]],
    ) -> None:
        self._commit = commit
        self._takes_writes = takes_writes
        self.results: list[T] = []
        """The results of all calls of `commit` that succeeded."""

    async def run(self, entries: Sequence[Entry]) -> Exception | None:
        """Commits a batch. If that fails although Postgres takes other writes, commits each partition alone, and
        divides the entries of a partition that fails until each entry that fails is alone.

        A single entry that fails becomes a dead letter: at once if the error shows that it cannot be stored, otherwise
        after it has failed five times within some seconds. If the error shows that the server is the reason, the entry
        and those after it in its partition are not committed. Returns the error of such an entry, or None.

        Raises the error of `commit` if Postgres takes no writes, or if the worker has lost a partition. Entries that
        are not committed can be passed to another call.
        """
        if not (error := await self._error(entries)):
            return None
        partitions = [list(some) for _, some in groupby(entries, attrgetter("partition"))]
        failing = [(entries, error)]
        if len(partitions) > 1:
            failing = [(some, error) for some in partitions if (error := await self._error(some))]
        stuck = [error for some, failed in failing if (error := await self._divide(some, failed))]
        return stuck[0] if stuck else None

    async def _error(self, entries: Sequence[Entry], refusal: str | None = None) -> Exception | None:
        """Commits entries: as they are or, if `refusal` gives a reason, as dead letters. Returns None, or the error if
        they are not committed although Postgres takes other writes. Raises the error if Postgres takes no writes or the
        worker has lost a partition.
        """
        try:
            self.results.append(await self._commit(entries, refusal))
        except Fenced:
            raise
        except Exception as error:
            if not _is_clear(error) and not await self._takes_writes(entries):
                raise
            return error
        return None

    async def _divide(self, entries: Sequence[Entry], error: Exception) -> Exception | None:
        """Commits entries of one partition in two parts, after they failed together with the error `error`. Stops at an
        entry that cannot be committed now, and returns its error; otherwise returns None.
        """
        if len(entries) == 1:
            return await self._commit_alone(entries, error)
        middle = len(entries) // 2
        for some in (entries[:middle], entries[middle:]):
            if (failed := await self._error(some)) and (stuck := await self._divide(some, failed)):
                return stuck
        return None

    async def _commit_alone(self, entries: Sequence[Entry], failed: Exception) -> Exception | None:
        """Commits a single entry that failed with the error `failed`: as it is, or as a dead letter. Returns the error
        if the entry cannot be committed now, otherwise None.
        """
        error, pauses = failed, iter(_PAUSES)
        if isinstance(error, TooSlow):  # the process may have been slow, so one failure is not clear
            if not (again := await self._error(entries)):
                return None
            error = again
        while not _is_clear(error):
            if not _may_be_of(error):
                return error
            if (seconds := next(pauses, None)) is None:
                break
            log.warning("an entry failed; trying again", partition=entries[0].partition, error=repr(error))
            await rest(seconds)
            if not (again := await self._error(entries)):
                return None
            error = again
        return await self._error(entries, str(error) or repr(error))


def _is_clear(error: Exception) -> bool:
    """Returns whether an error shows that an entry can never be stored, so that a repetition is useless."""
    if isinstance(error, SQLAlchemyError):
        return is_refusal(error)
    return isinstance(error, (ValueError, TypeError, TooSlow))


def _may_be_of(error: Exception) -> bool:
    """Returns whether the entry may have caused the error, rather than the state of a server or of this process."""
    return not is_of_the_server(error) and not isinstance(error, (OSError, MemoryError))
