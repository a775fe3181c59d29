"""One import: reads the records of each kind in chunks, and passes them to the module of the kind."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import count, islice
from typing import Any, Generic, NamedTuple, TypeVar

from archive.importing.known import Known, Library, Unknown
from archive.importing.patience import patiently
from archive.importing.rejects import Rejects
from archive.importing.spool import Line, Spool
from archive.lines import BadLine, decoded
from archive.records import Post, Record
from domain.errors import BadInput, PlauditError, Refused
from domain.versions import version_at
from models.base import ms
from models.counters import EntityRef
from projections import hot_scores
from settings import COMMENTS, POSTS
from state import State
from store.archive import chunks
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Transaction

R = TypeVar("R", bound=Record)
Report = Callable[[str, int, int], None]
"""A function that gets the progress: the kind, the number of its records that are done, and the number of all its
records.
"""
_AT_ONCE = 500
"""How many lines are decoded before other tasks may run."""
_MOST_SCORED = 20_000
"""How many posts and comments are collected before their hot scores are computed."""


class Invalid(Exception):
    """Raised for a record that cannot be imported. The message says why."""


class Removed(Exception):
    """Raised if the removal of an entity or user to which a chunk refers has begun since the chunk read it."""


REJECTED = Invalid, Unknown, Refused, BadInput
"""The exceptions because of which a record is rejected."""


class Item(NamedTuple, Generic[R]):
    """A record, and the line that it comes from."""

    line: Line
    record: R


class Kind(NamedTuple):
    """How the records of a kind are imported: the number of records in a chunk, the number of chunks that are written
    at the same time, and the function that imports a chunk.
    """

    chunk: int
    parallel: int
    store: Callable[["Import", Sequence[Item[Any]]], Coroutine[Any, Any, None]]


class Import:
    """One import of the lines in `spool`. Writes rejected lines to `rejects`, and calls `report` with the progress. If
    `library` has declared objects, the import is a check, which writes nothing to the stores. If `events` is true,
    stores outgoing events about what is imported.
    """

    def __init__(
        self, state: State, spool: Spool, rejects: Rejects, library: Library, report: Report, *, events: bool = False
    ) -> None:
        self.state = state
        self.sends_events = events
        self.library = library
        self._spool = spool
        self._rejects = rejects
        self._report = report
        self._now_ms = state.now_ms()
        self._scored: set[EntityRef] = set()
        self._left_out: set[Line] = set()
        """The rejected and postponed lines of the chunks that are being imported."""
        self._made_up = count(-1, -1)
        self.done = Counter[str]()
        """The number of records of each kind that were imported, or had been imported before."""

    async def execute(self, kinds: Mapping[str, Kind]) -> None:
        """Imports the records of these kinds, one kind after the other. Raises PostgresDown or RedisDown if a store is
        down for longer than a minute. Then the records that are imported already stay, and another run imports the
        others.
        """
        self._spool.sort("comment")  # so that floors are in the order of time, and parents come first
        for name, kind in kinds.items():
            await self._import(name, kind)
        await self._score()

    async def _import(self, name: str, kind: Kind) -> None:
        """Imports the records of a kind. Then imports the postponed ones, and repeats this as long as each repetition
        postpones fewer records. Rejects those that are left.
        """
        left = self._spool.counts[name]
        while True:
            await self._run(name, kind)
            if not 0 < self._spool.postponed < left:
                break
            left = self._spool.postponed
            self._spool.resume(name)
        if self._spool.postponed:
            self._spool.resume(name)
            for item in self._decoded(name, self._spool.lines(name)):
                record = item.record
                missing = f"post {record.quote_of}" if isinstance(record, Post) else f"comment {record.parent}"
                self.reject_line(item.line, f"There is no {missing}.")

    async def _run(self, name: str, kind: Kind) -> None:
        """Imports all lines of a kind, several chunks at the same time."""
        lines, total, running = self._spool.lines(name), self._spool.counts[name], set[asyncio.Task[None]]()
        try:
            while items := await self._chunk(name, lines, kind.chunk):
                self.done[name] += len(items)
                running.add(asyncio.create_task(self._store(kind, items)))
                if len(running) >= kind.parallel:
                    await _first(running)
                self._report(name, self.done[name], total)
                if len(self._scored) > _MOST_SCORED:
                    await self._score()
            while running:
                await _first(running)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _store(self, kind: Kind, items: Sequence[Item[Any]]) -> None:
        """Imports a chunk. Imports it again if the removal of an entity or user to which it refers begins meanwhile.
        Then the records about this entity or user are rejected.
        """
        lines, is_written = {item.line for item in items}, False
        while not is_written:
            try:
                await kind.store(self, items)
                is_written = True
            except Removed:
                items = [item for item in items if item.line not in self._left_out]
        self._left_out -= lines

    @asynccontextmanager
    async def writing(self, known: Known | None = None) -> AsyncIterator[Transaction]:
        """Yields the transaction of a chunk that refers to the objects of `known`. Raises Removed, and writes nothing,
        if the removal of one of them has begun since `known` was read.
        """
        async with self.state.postgres.transaction() as transaction:
            await chunks.hold(transaction)
            if known and await known.removed(transaction) != (known.erased, known.deleted):
                raise Removed
            yield transaction

    async def _chunk(self, kind: str, lines: Iterator[Line], size: int) -> list[Item[Any]]:
        """Returns the next records of a kind, up to `size`; an empty list at the end of the lines. Lets other tasks run
        in between, so that chunks that are being written make progress.
        """
        items = list[Item[Any]]()
        while len(items) < size and (some := list(islice(lines, _AT_ONCE))):
            items += self._decoded(kind, some)
            await asyncio.sleep(0)
        return items

    def _decoded(self, kind: str, lines: Iterable[Line]) -> Iterator[Item[Any]]:
        for line in lines:
            try:
                yield Item(line, decoded(kind, line.text))
            except BadLine as error:
                self.reject_line(line, str(error))

    def reject(self, item: Item[Any], error: Exception) -> None:
        """Rejects a record because of one of the exceptions in REJECTED."""
        self.done[item.record.kind] -= 1
        self._left_out.add(item.line)
        self.reject_line(item.line, _message(error))

    def reject_line(self, line: Line, reason: str) -> None:
        """Rejects a line that is not a record."""
        self._rejects.add(line, reason)

    def note(self, item: Item[Any], change: str) -> None:
        """Records that a record was imported with a change."""
        self._rejects.add(item.line, change, imported=True)

    def postpone(self, item: Item[Any]) -> None:
        """Keeps a record for later, because the comment to which it refers may be imported after it."""
        self.done[item.record.kind] -= 1
        self._left_out.add(item.line)
        self._spool.postpone(item.record.kind, item.line)

    def version(self, time: datetime) -> int:
        """Returns the version of a change that was made at this time. Raises Invalid if the time is in the future."""
        return version_at(self.time(time))

    def time(self, time: datetime) -> int:
        """Returns a time in milliseconds since the Unix epoch. Raises Invalid if it is in the future."""
        if time.microsecond % 1000:
            time = time.replace(microsecond=time.microsecond // 1000 * 1000)
        if (found := ms(time)) > self._now_ms:
            raise Invalid("The time is in the future.")
        return found

    @property
    def is_check(self) -> bool:
        """Tells whether the import only checks the records."""
        return self.library.declared is not None

    def made_up_id(self) -> int:
        """Returns an id for an object that the checked archive would create. It is negative, so no object has it."""
        return next(self._made_up)

    def declare(self, kind: str, objects: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Remembers objects that a checked archive would create, as (name, facts)."""
        assert self.library.declared
        self.library.declared.add(kind, ((name, list(facts)) for name, facts in objects))

    async def send(self, transaction: Transaction, add: Callable[[OutgoingEvents], None]) -> None:
        """Stores the outgoing events that `add` adds to the collection that it gets. Does nothing, and does not call
        `add`, if the import sends no events. Call it after all rows of the transaction except counters are written.
        """
        if self.sends_events:
            events = OutgoingEvents(self.state.keys.partition_of)
            add(events)
            await events.write(transaction)

    def score(self, refs: Iterable[EntityRef]) -> None:
        """Adds the posts and comments among these objects to those whose hot scores are computed later."""
        self._scored.update(ref for ref in refs if ref.business_id in (POSTS, COMMENTS))

    async def _score(self) -> None:
        scored, self._scored = self._scored, set()
        await patiently(lambda: hot_scores.publish(self.state, scored))


async def _first(running: set[asyncio.Task[None]]) -> None:
    """Waits until one of these tasks has ended, and removes the task. Raises the exception of the task."""
    ended, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    task = ended.pop()
    running.remove(task)
    task.result()


def _message(error: Exception) -> str:
    """Returns why a record is rejected, with the names of the fields."""
    if isinstance(error, Refused):
        return " ".join(f"{'.'.join(one.field)}: {one.message}" if one.field else one.message for one in error.errors)
    return error.message if isinstance(error, PlauditError) else str(error)
