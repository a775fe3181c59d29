"""Selections: write the selected fields as JSON for all rows (objects) of a level, and join these texts to JSON
objects.

A level starts all its lookups before it awaits the first result, so that they share round trips. Only fields with a
selection of their own can start more lookups. These fields run concurrently.

Neighbouring fields that depend on nothing but the object's row (not on the viewer, on variables or on the time) become
one member, whose text is kept. While Redis returns equal bytes, all requests get the same row object, so its text is
written once. Rows that were changed for a viewer are new objects in each request, so their texts are never kept.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from itertools import chain, groupby, repeat
from sys import getsizeof
from typing import Any, ClassVar, NamedTuple
from weakref import WeakValueDictionary

from graphql import GraphQLObjectType

from execution.fields import Batched, LookupRequest
from execution.run import ColumnResult, ColumnValues, Completer, Frame, JsonColumn, PlanRun, Site, gathered, started

MOST_ROWS = 500
"""The number of objects that are completed in one turn of the event loop. With a cursor for each, this takes about 3 ms
of CPU time.
"""
_FREQUENT = 3
"""The number of calls after which a `KeptTexts` begins to keep texts."""
_MOST_BYTES = 32_000_000
_ENTRY_BYTES = 1000
"""The bytes counted for each kept row, besides its values and its text: for objects and entries of dictionaries."""


class LeafLookup(NamedTuple):
    """A field whose values are looked up by a loader, and that has neither arguments nor a selection. Fields of the
    same selection with the same loader and keys share one lookup. `finish` writes the values as JSON; `site` is the
    place of the field in the document, `key` its key in the response.
    """

    lookup: Batched
    finish: Completer
    site: Site
    key: str


class Compiled(NamedTuple):
    """A compiled field or type. `complete` computes the JSON texts. If they depend on nothing but the row of the
    object, `static` is the selection in a canonical form, a text: equal selections of a type have equal forms.
    Otherwise `static` is None.
    """

    complete: Completer | LeafLookup
    static: str | None

    @property
    def completer(self) -> Completer:
        assert not isinstance(self.complete, LeafLookup)
        return self.complete


class Member(NamedTuple):
    """A compiled field of an object: the start of its JSON text, such as `"title":`, and the completer of its value. If
    the text depends on nothing but the row of the object, `static` is the canonical form of the field, otherwise None.
    """

    name: bytes
    complete: Completer | LeafLookup
    static: str | None


def selection(members: Sequence[Member], shared: GraphQLObjectType | None) -> Compiled:
    """Returns the compiled selection of these members. `shared` is the type of the objects if all requests get the same
    row objects of this type, so that JSON texts can be kept; otherwise None.
    """
    parts: list[Member] = []
    for _, neighbours in groupby(members, lambda member: member.static is None):
        some = list(neighbours)
        if shared and (static := _static(some)):
            parts.append(Member(b"", KeptTexts.of(shared, static, some), static))
        else:
            parts += some
    return Compiled(Selection(parts, b"{", b"}"), _static(members))


def _static(members: Sequence[Member]) -> str | None:
    """Returns the canonical form of the selection of these members, or None if one of them is not static."""
    forms = [one.static for one in members if one.static is not None]
    return f"{{{' '.join(forms)}}}" if len(forms) == len(members) else None


class Selection:
    """A completer that writes the members of objects as JSON. The text of an object begins with `start`, then come its
    members with commas between them, then `end`.
    """

    def __init__(self, members: Sequence[Member], start: bytes = b"", end: bytes = b"") -> None:
        separators = [(b"," if at else start) + member.name for at, member in enumerate(members)] + [end]
        self._separators = [repeat(separator) for separator in separators]
        self._empty = start + end
        self._count = len(members)
        self._completed: list[tuple[int, Completer]] = []
        groups: dict[Any, list[tuple[int, LeafLookup]]] = {}
        for at, member in enumerate(members):
            field = member.complete
            if isinstance(field, LeafLookup):
                groups.setdefault((field.lookup.loader, field.lookup.key), []).append((at, field))
            else:
                self._completed.append((at, field))
        self._looked_up = list(groups.values())
        """The looked-up leaf fields, grouped by loader and key. Each comes with its position."""
        self._lookups = [group[0][1].lookup for group in self._looked_up]
        self._keys = {lookup.key for lookup in self._lookups}

    def __call__(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        if not rows:
            return []
        if not self._count:
            return [self._empty for _ in rows]
        if len(rows) > MOST_ROWS:
            return self._in_parts(run, rows, frame)
        keys = {key: list(map(key, rows)) for key in self._keys}
        asked = [lookup.ask(run.context, keys[lookup.key]) for lookup in self._lookups]
        columns: list[ColumnResult] = [[]] * self._count
        for at, completer in self._completed:
            columns[at] = started(completer, run, rows, frame)
        if asked or not all(isinstance(column, list) for column in columns):
            return self._awaited(run, columns, asked, len(rows), frame)
        return self._joined(columns)  # type: ignore[arg-type]

    async def _in_parts(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> JsonColumn:
        """Writes many objects as JSON in parts, so that other requests can run between parts."""
        parts: list[ColumnResult] = []
        try:
            for at in range(0, len(rows), MOST_ROWS):
                part = rows[at : at + MOST_ROWS]
                parts.append(self(run, part, Frame(frame, None, range(at, at + len(part)))))
                if isinstance(parts[-1], list):
                    await asyncio.sleep(0)
        finally:  # no lookup may run after the response was sent
            completed = await gathered(parts)
        return list(chain.from_iterable(completed))

    async def _awaited(
        self, run: PlanRun, results: Sequence[ColumnResult], asked: Sequence[LookupRequest], rows: int, frame: Frame
    ) -> JsonColumn:
        columns = await gathered(results)
        for group, request in zip(self._looked_up, asked, strict=True):
            loaded = await request.coming
            for at, field in group:
                own = Frame(frame, field.key)
                try:
                    values: ColumnValues = request.column(loaded, field.lookup.value)
                except run.expected.errors as error:
                    values = [error] * rows
                column = field.finish(run, run.settled(values, field.site, own), own)
                assert isinstance(column, list)  # leaves have no lookups
                columns[at] = column
        return self._joined(columns)

    def _joined(self, columns: Sequence[JsonColumn]) -> JsonColumn:
        """Returns the JSON texts of objects. Each text of a column comes after the separator of the column, such as
        `,"title":`.
        """
        parts: list[Any] = [None] * (2 * self._count + 1)
        parts[::2], parts[1::2] = self._separators, columns
        return list(map(b"".join, zip(*parts)))  # noqa: B905 - the separators have no end


class KeptTexts:
    """A completer for neighbouring members of an object that depend on nothing but its row. All plans with these
    members share the completer. After its first few calls, it keeps the JSON text of each row that it meets again.

    A kept text stays right because a row never changes: no field of a row object is ever assigned, the values of its
    fields are immutable, and a change makes a new row object (see `PostRow`).

    The kept texts of a process have a common limit of bytes. If they exceed it, all are dropped.
    """

    _of_process: ClassVar["WeakValueDictionary[tuple[GraphQLObjectType, str], KeptTexts]"] = WeakValueDictionary()
    _bytes: ClassVar[int] = 0

    @classmethod
    def of(cls, type_: GraphQLObjectType, static: str, members: Sequence[Member]) -> "KeptTexts":
        """Returns the completer of this process for these members of a type. `static` is the canonical form of the
        members (see `Compiled`).
        """
        known = cls._of_process.get((type_, static))
        if known is None:
            known = cls._of_process[type_, static] = cls(members)
        return known

    def __init__(self, members: Sequence[Member]) -> None:
        self._write = Selection(members)
        self._calls = 0
        self._rows: dict[int, Any] = {}
        """The rows that were met, by their id(). While a row is kept, no other object gets its id()."""
        self._texts: dict[int, bytes] = {}
        """The kept texts of the rows that were met more than once."""

    def __call__(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        self._calls += 1
        if self._calls <= _FREQUENT:
            return self._write(run, rows, frame)
        texts = list(map(self._texts.get, map(id, rows)))
        if None not in texts:
            return texts  # type: ignore[return-value]
        new = [i for i, text in enumerate(texts) if text is None]
        written = self._write(run, [rows[i] for i in new], Frame(frame, None, new))
        if isinstance(written, list):
            return self._kept(texts, rows, new, written)
        return self._awaited(texts, rows, new, written)

    async def _awaited(
        self, texts: list[bytes | None], rows: ColumnValues, new: Sequence[int], written: Awaitable[JsonColumn]
    ) -> JsonColumn:
        return self._kept(texts, rows, new, await written)

    def _kept(
        self, texts: list[bytes | None], rows: ColumnValues, new: Sequence[int], written: JsonColumn
    ) -> JsonColumn:
        """Returns `texts` with the `written` texts at the positions `new`. Keeps a written text if its row was met
        before, and otherwise remembers the row.
        """
        for i, text in zip(new, written, strict=True):
            texts[i] = text
            row = rows[i]
            if id(row) in self._rows:
                self._texts[id(row)] = text
            else:
                self._rows[id(row)] = row
                KeptTexts._bytes += len(text) + sum(map(getsizeof, vars(row).values())) + _ENTRY_BYTES
                if KeptTexts._bytes > _MOST_BYTES:
                    self._drop_all()
        return texts  # type: ignore[return-value]

    @classmethod
    def _drop_all(cls) -> None:
        cls._bytes = 0
        for one in cls._of_process.values():
            one._rows.clear()
            one._texts.clear()
