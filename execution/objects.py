"""Objects written as JSON: separators and columns are joined, and parts that do not change are kept.

A kept text is the text of neighbouring members of an object that depend on nothing but the object's row: not on the
viewer, on variables or on the time. While Redis returns equal bytes, all requests get the same row object, so its text
is written once. Rows that were changed for a viewer are new objects in each request, so their texts are never kept.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import repeat
from sys import getsizeof
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from graphql import GraphQLObjectType

from execution.complete import ColumnResult, ColumnValues, Completer, JsonColumn, gathered, started
from execution.frames import Frame
from execution.run import PlanRun

_FREQUENT = 3
"""The number of calls after which texts are kept."""
_MOST_BYTES = 32_000_000
_ENTRY_BYTES = 1000
"""The bytes counted for each kept row, besides its values and its text: for objects and entries of dictionaries."""
Join = Callable[[Sequence[JsonColumn]], JsonColumn]


def joined(separators: Sequence[bytes]) -> Join:
    """Returns a function that joins the columns of objects: each text of a column comes after the separator of the
    column. The last separator ends an object.
    """
    endless = [repeat(separator) for separator in separators]
    last = len(separators) - 1

    def join(columns: Sequence[JsonColumn]) -> JsonColumn:
        parts: list[Any] = [endless[last]] * (2 * last + 1)
        parts[::2], parts[1::2] = endless, columns
        return list(map(b"".join, zip(*parts)))  # noqa: B905 - the separators have no end

    return join


class KeptTexts:
    """A completer for neighbouring members of an object that can be read from its row alone. `fields` complete them,
    and `join` joins their texts. All plans with the same members share it.

    The kept texts of a process have a common limit of bytes. If they exceed it, all are dropped.
    """

    _of_process: ClassVar["WeakValueDictionary[tuple[GraphQLObjectType, str], KeptTexts]"] = WeakValueDictionary()
    _bytes: ClassVar[int] = 0

    @classmethod
    def of(cls, type_: GraphQLObjectType, static: str, fields: Sequence[Completer], join: Join) -> "KeptTexts":
        """Returns the completer for members of a type. `static` is their canonical form (`Compiled`)."""
        known = cls._of_process.get((type_, static))
        if known is None:
            known = cls._of_process[type_, static] = cls(fields, join)
        return known

    def __init__(self, fields: Sequence[Completer], join: Join) -> None:
        self._fields = fields
        self._join = join
        self._calls = 0
        self._rows: dict[int, Any] = {}
        """The rows that were met, by their id(). While a row is kept, no other object gets its id()."""
        self._texts: dict[int, bytes] = {}
        """The kept texts of the rows that were met more than once."""

    def __call__(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        self._calls += 1
        if self._calls <= _FREQUENT:
            return self._written(run, rows, frame)
        texts = list(map(self._texts.get, map(id, rows)))
        new = [i for i, text in enumerate(texts) if text is None] if None in texts else ()
        if not new:
            return texts  # type: ignore[return-value]
        written = self._written(run, [rows[i] for i in new], Frame(frame, None, new))
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
        """Returns `texts` with the texts that were written for the positions `new`, and keeps these."""
        for i, text in zip(new, written, strict=True):
            texts[i] = text
            self._keep(rows[i], text)
        return texts  # type: ignore[return-value]

    def _written(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        """Returns the texts of rows. They are awaitable if a part has so many objects that it is completed in parts."""
        columns = [started(field, run, rows, frame) for field in self._fields]
        if all(isinstance(column, list) for column in columns):
            return self._join(columns)  # type: ignore[arg-type]
        return self._joined(columns)

    async def _joined(self, columns: Sequence[ColumnResult]) -> JsonColumn:
        return self._join(await gathered(columns))

    def _keep(self, row: Any, text: bytes) -> None:
        if id(row) in self._rows:
            self._texts[id(row)] = text
            return
        self._rows[id(row)] = row
        KeptTexts._bytes += len(text) + sum(map(getsizeof, vars(row).values())) + _ENTRY_BYTES
        if KeptTexts._bytes > _MOST_BYTES:
            self._drop_all()

    @classmethod
    def _drop_all(cls) -> None:
        cls._bytes = 0
        for one in cls._of_process.values():
            one._rows.clear()
            one._texts.clear()
