"""Runs a selection of a plan: computes its fields for all rows of a level, and looks up their values.

A level starts all its lookups before it awaits the first result, so that they share round trips. Only fields with a
selection of their own can start more lookups. These fields run concurrently.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from execution.arguments import Arguments
from execution.complete import ColumnResult, ColumnValues, Completer, JsonColumn, gathered, started
from execution.fields import Batched, Column, Listed, LookupRequest
from execution.frames import Frame
from execution.objects import joined
from execution.run import PlanRun, Site

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

    def column(self, run: PlanRun, asked: LookupRequest, loaded: ColumnValues, rows: int, frame: Frame) -> JsonColumn:
        """Returns the texts of this field for all rows, computed from the loaded values."""
        own = Frame(frame, self.key)
        values = _values(run, lambda: asked.column(loaded, self.lookup.value), rows)
        column = self.finish(run, run.settled(values, self.site, own), own)
        assert isinstance(column, list)
        return column


class Selection:
    """A completer for objects of one type. It completes the parts of the objects, and joins their texts with
    `separators` (execution/objects.py).
    """

    def __init__(self, separators: Sequence[bytes], fields: Sequence[Completer | LeafLookup]) -> None:
        self._join = joined(separators)
        self._count = len(fields)
        self._others = [(at, field) for at, field in enumerate(fields) if not isinstance(field, LeafLookup)]
        self._groups = _groups(fields)
        self._asked = [group[0][1].lookup for group in self._groups]
        self._keyed = {lookup.key: lookup for lookup in self._asked}.values()

    def __call__(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        if not rows:
            return []
        if not self._count:
            return [b"{}" for _ in rows]
        if len(rows) > MOST_ROWS:
            return self._in_parts(run, rows, frame)
        keys = {lookup.key: lookup.keys(rows, {}) for lookup in self._keyed}
        asked = [lookup.ask(run.context, keys[lookup.key]) for lookup in self._asked]
        columns: list[Any] = [None] * self._count
        for at, field in self._others:
            columns[at] = started(field, run, rows, frame)
        if asked or not all(isinstance(column, list) for column in columns):
            return self._awaited(run, columns, asked, len(rows), frame)
        return self._join(columns)

    async def _in_parts(self, run: PlanRun, rows: ColumnValues, frame: Frame) -> JsonColumn:
        """Completes many objects in parts, so that other requests can run between parts."""
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
        self, run: PlanRun, columns: list[Any], asked: list[LookupRequest], rows: int, frame: Frame
    ) -> JsonColumn:
        others = await gathered([columns[at] for at, _ in self._others])
        for (at, _), column in zip(self._others, others, strict=True):
            columns[at] = column
        for group, its in zip(self._groups, asked, strict=True):
            loaded = await its.coming
            for at, field in group:
                columns[at] = field.column(run, its, loaded, rows, frame)
        return self._join(columns)


def read(value: Callable[[Any], Any], finish: Completer, key: str) -> Completer:
    """Returns a completer for a field that `value` reads from a row."""

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        return finish(run, list(map(value, rows)), Frame(frame, key))

    return column


def batched(lookup: Batched, arguments: Arguments, finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for a field that a loader looks up, and that has arguments or a selection."""
    finished = _finisher(finish, site, key)

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        try:
            asked = lookup.ask(run.context, lookup.keys(rows, arguments(run.executor)))
        except run.expected as error:
            return finished(run, [error] * len(rows), frame)
        return loading(run, asked, len(rows), frame)

    async def loading(run: PlanRun, asked: LookupRequest, rows: int, frame: Frame) -> JsonColumn:
        loaded = await asked.coming
        answer = finished(run, _values(run, lambda: asked.column(loaded, lookup.value), rows), frame)
        return answer if isinstance(answer, list) else await answer

    return column


def listed(lookup: Listed, arguments: Arguments, finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for a field whose resolver takes all rows of a level."""
    finished = _finisher(finish, site, key)

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        try:
            values = lookup.resolve(run.context, rows, **arguments(run.executor))
        except run.expected as error:
            values = [error] * len(rows)
        return finished(run, values, frame) if isinstance(values, Sequence) else loading(run, values, len(rows), frame)

    async def loading(run: PlanRun, coming: Awaitable[Column], rows: int, frame: Frame) -> JsonColumn:
        try:
            values = await coming
        except run.expected as error:
            values = [error] * rows
        answer = finished(run, values, frame)
        return answer if isinstance(answer, list) else await answer

    return column


def resolved(
    resolve: Callable[..., Any],
    info: Callable[[PlanRun], Any],
    arguments: Arguments,
    finish: Completer,
    site: Site,
    key: str,
) -> Completer:
    """Returns a completer for a field whose resolver takes one row. The resolver runs for all rows concurrently."""
    finished = _finisher(finish, site, key)

    async def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> JsonColumn:
        about, given = info(run), arguments(run.executor)

        async def one(row: Any) -> Any:
            try:
                value = resolve(row, about, **given)
                return await value if inspect.isawaitable(value) else value
            except Exception as error:  # noqa: BLE001 - PlanRun.settled handles it
                return error

        values = [await one(rows[0])] if len(rows) == 1 else await asyncio.gather(*map(one, rows))
        answer = finished(run, values, frame)
        return answer if isinstance(answer, list) else await answer

    return column


def _finisher(finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for the values that were looked up for a field, with exceptions among them."""

    def finished(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        own = Frame(frame, key)
        return finish(run, run.settled(values, site, own), own)

    return finished


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
