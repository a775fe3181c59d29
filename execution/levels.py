"""Runs a selection of a plan: computes its fields for all rows of a level, and looks up their values.

A level starts all its lookups before it awaits the first result, so that they share round trips. Only fields with a
selection of their own can start more lookups. These fields run concurrently.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from graphql.execution import Executor

from execution.complete import ColumnValues, Completer, gathered
from execution.fields import Batched, Listed, LookupRequest
from execution.frames import Frame
from execution.run import PlanRun, Site

LevelResult = list[Any] | Awaitable[list[Any]]
Arguments = Callable[[Executor[Any]], Mapping[str, Any]]
MOST_ROWS = 500
"""The number of objects that are completed in one turn of the event loop. With a cursor for each, this takes about 3 ms
of CPU time.
"""


@dataclass(frozen=True, slots=True)
class LeafLookup:
    """A field whose values are looked up, and that has neither arguments nor a selection. Fields of the same selection
    with the same loader and keys share one lookup.
    """

    lookup: Batched
    finish: Completer
    site: Site
    key: str

    def column(self, run: PlanRun, asked: LookupRequest, loaded: ColumnValues, rows: int, frame: Frame) -> list[Any]:
        """Returns the values of this field for all rows, computed from the loaded values."""
        own = Frame(frame, self.key)
        values = _values(run, lambda: asked.column(loaded, self.lookup.value), rows)
        column = self.finish(run, run.settled(values, self.site, own), own)
        assert isinstance(column, list)
        return column


class Selection:
    """A completer for objects of one type. It returns a dict for each object, with the object's fields in the order of
    `keys`.
    """

    def __init__(self, keys: Sequence[str], fields: Sequence[Completer | LeafLookup]) -> None:
        self._keys = keys
        self._others = [(at, field) for at, field in enumerate(fields) if not isinstance(field, LeafLookup)]
        self._groups = _groups(fields)
        self._asked = [group[0][1].lookup for group in self._groups]
        self._keyed = {lookup.key: lookup for lookup in self._asked}.values()

    def __call__(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> LevelResult:
        if not rows:
            return []
        if not self._keys:
            return [{} for _ in rows]
        if len(rows) > MOST_ROWS:
            return self._in_parts(run, rows, frame)
        keys = {lookup.key: lookup.keys(rows, {}) for lookup in self._keyed}
        asked = [lookup.ask(run.context, keys[lookup.key]) for lookup in self._asked]
        columns: list[Any] = [None] * len(self._keys)
        for at, field in self._others:
            columns[at] = field(run, rows, frame)
        if asked or not all(isinstance(column, list) for column in columns):
            return self._awaited(run, columns, asked, len(rows), frame)
        return self._zipped(columns)

    async def _in_parts(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> list[Any]:
        """Completes many objects in parts, so that other requests can run between parts."""
        parts: list[LevelResult] = []
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
        self, run: PlanRun, columns: list[Any], asked: list[LookupRequest], rows: int, frame: Frame
    ) -> list[Any]:
        others = await gathered([columns[at] for at, _ in self._others])
        for (at, _), column in zip(self._others, others, strict=True):
            columns[at] = column
        for group, its in zip(self._groups, asked, strict=True):
            loaded = await its.coming
            for at, field in group:
                columns[at] = field.column(run, its, loaded, rows, frame)
        return self._zipped(columns)

    def _zipped(self, columns: Sequence[list[Any]]) -> list[Any]:
        keys = self._keys  # the lengths are equal; `strict` would add a quarter to the time
        return [dict(zip(keys, row)) for row in zip(*columns, strict=True)]  # noqa: B905


def looked_up(lookup: Batched | Listed, arguments: Arguments, finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for a looked-up field that has arguments or a selection."""

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> LevelResult:
        if isinstance(lookup, Listed):
            return listed(run, lookup, rows, frame)
        try:
            asked = lookup.ask(run.context, lookup.keys(rows, arguments(run.executor)))
        except run.expected as error:
            return finished(run, [error] * len(rows), frame)
        return batched(run, lookup, asked, len(rows), frame)

    async def batched(run: PlanRun, lookup: Batched, asked: LookupRequest, rows: int, frame: Frame) -> list[Any]:
        loaded = await asked.coming
        answer = finished(run, _values(run, lambda: asked.column(loaded, lookup.value), rows), frame)
        return answer if isinstance(answer, list) else await answer

    async def listed(run: PlanRun, lookup: Listed, rows: ColumnValues, frame: Frame) -> list[Any]:
        try:
            values = await lookup.column(run.context, rows, arguments(run.executor))
        except run.expected as error:
            values = [error] * len(rows)
        answer = finished(run, values, frame)
        return answer if isinstance(answer, list) else await answer

    def finished(run: PlanRun, values: ColumnValues, frame: Frame) -> LevelResult:
        own = Frame(frame, key)
        return finish(run, run.settled(values, site, own), own)

    return column


def _groups(fields: Sequence[Completer | LeafLookup]) -> list[list[tuple[int, LeafLookup]]]:
    """Returns the looked-up leaf fields, grouped by loader and key. Each field comes with its position in the
    selection.
    """
    groups: dict[Any, list[tuple[int, LeafLookup]]] = {}
    for at, field in enumerate(fields):
        if isinstance(field, LeafLookup):
            groups.setdefault((field.lookup.loader, field.lookup.key), []).append((at, field))
    return list(groups.values())


def _values(run: PlanRun, column: Callable[[], list[Any]], rows: int) -> ColumnValues:
    try:
        return column()
    except run.expected as error:
        return [error] * rows
