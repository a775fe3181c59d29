"""The fields of objects in a compiled plan. A field gets a value for every row (object) of a level of the response, and
writes the values as JSON.

A plan reads a value from the row (`read`), looks values up with a loader (`Batched`), calls a resolver for all rows
(`Listed`), or calls a resolver for each row (`resolved`).
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from execution.inputs import Arguments
from execution.run import ColumnResult, ColumnValues, Completer, Frame, JsonColumn, PlanRun, Site, has_exceptions


class Loads(Protocol):
    """The interface that a loader must have so that plans can use it. All keys asked for in one turn of the event loop
    are loaded in one batch.
    """

    def load(self, key: Any) -> Awaitable[Any]:
        """Returns an awaitable for the value of one key. If loading the key fails, awaiting it raises the error."""

    def ask(self, keys: Sequence[Any], *, each: bool = False) -> Awaitable[list[Any]]:
        """Starts to load keys, and returns an awaitable for their values, in the order of the keys. If loading a key
        fails, awaiting it raises the error of the first such key. With `each`, each error is returned in the place of
        the key's value instead.
        """


@dataclass(slots=True)
class LookupRequest:
    """A request to a loader for the rows of one level of a plan. `coming` is an awaitable for the loaded values.
    `wanted` tells which rows need a value; None means all rows.
    """

    coming: Awaitable[list[Any]]
    wanted: Sequence[bool] | None

    def column(self, loaded: Sequence[Any], value: Callable[[Any], Any]) -> list[Any]:
        """Returns the value of the field for each row: computed by `value` from the loaded value, the exception if
        loading failed, or None for a row that needs no value.
        """
        if has_exceptions(loaded):
            value = _unless_failed(value)
        if self.wanted is None:
            return list(map(value, loaded))
        rest = iter(loaded)
        return [value(next(rest)) if wanted else None for wanted in self.wanted]


def _unless_failed(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda loaded: loaded if isinstance(loaded, Exception) else value(loaded)


@dataclass(frozen=True, slots=True)
class Batched:
    """A field whose value is loaded by a key: `value(loaded[key(row, **arguments)])`. `loader` takes the context of a
    request, and returns the request's loader for such values. If the key is None, no value is loaded and the field is
    null.
    """

    loader: Callable[[Any], Loads]
    key: Callable[..., Any]
    value: Callable[[Any], Any]

    async def one(self, context: Any, row: Any, arguments: Mapping[str, Any]) -> Any:
        """Returns the value of the field for a single row, None if the row's key is None. Calls in the same turn of the
        event loop share a batch.
        """
        key = self.key(row, **arguments)
        if key is None:
            return None
        return self.value(await self.loader(context).load(key))

    def ask(self, context: Any, keys: list[Any]) -> LookupRequest:
        """Starts to load the values of these keys, one key for each row. A row whose key is None needs no value. Fields
        with the same loader and keys may share the returned request.
        """
        loader = self.loader(context)
        if None not in keys:
            return LookupRequest(loader.ask(keys, each=True), None)
        wanted = [key is not None for key in keys]
        return LookupRequest(loader.ask([key for key in keys if key is not None], each=True), wanted)


@dataclass(frozen=True, slots=True)
class Listed:
    """A field whose resolver takes all rows of a level at once. It returns one value for each row, or an awaitable for
    these values.
    """

    resolve: Callable[..., ColumnValues | Awaitable[ColumnValues]]

    async def one(self, context: Any, row: Any, arguments: Mapping[str, Any]) -> Any:
        """Returns the value of the field for a single row. Raises the exception that `resolve` returns in place of a
        value.
        """
        values = self.resolve(context, [row], **arguments)
        (value,) = values if isinstance(values, Sequence) else await values
        if isinstance(value, Exception):
            raise value
        return value


def read(value: Callable[[Any], Any], finish: Completer, key: str) -> Completer:
    """Returns a completer for a field whose value depends only on the row. `value` reads the value of a row, and
    `finish` writes the values as JSON. `key` is the field's key in the response.
    """

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        return finish(run, list(map(value, rows)), Frame(frame, key))

    return column


def batched(lookup: Batched, arguments: Arguments, finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for a field that a loader looks up, and that has arguments or a selection. `finish` writes
    the values as JSON. `site` is the field's place in the document, `key` its key in the response.
    """

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        own = Frame(frame, key)
        try:
            given = arguments(run.executor)
            keys = [lookup.key(row, **given) for row in rows] if given else list(map(lookup.key, rows))
            asked = lookup.ask(run.context, keys)
        except run.expected.errors as error:
            return finish(run, run.settled([error] * len(rows), site, own), own)
        return loading(run, asked, len(rows), own)

    async def loading(run: PlanRun, asked: LookupRequest, rows: int, own: Frame) -> JsonColumn:
        loaded = await asked.coming
        try:
            values = asked.column(loaded, lookup.value)
        except run.expected.errors as error:
            values = [error] * rows
        answer = finish(run, run.settled(values, site, own), own)
        return answer if isinstance(answer, list) else await answer

    return column


def listed(lookup: Listed, arguments: Arguments, finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for a field whose resolver takes all rows of a level. `finish` writes the values as JSON.
    `site` is the field's place in the document, `key` its key in the response.
    """

    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        own = Frame(frame, key)
        try:
            values = lookup.resolve(run.context, rows, **arguments(run.executor))
        except run.expected.errors as error:
            values = [error] * len(rows)
        if isinstance(values, Sequence):
            return finish(run, run.settled(values, site, own), own)
        return loading(run, values, len(rows), own)

    async def loading(run: PlanRun, coming: Awaitable[ColumnValues], rows: int, own: Frame) -> JsonColumn:
        try:
            values = await coming
        except run.expected.errors as error:
            values = [error] * rows
        answer = finish(run, run.settled(values, site, own), own)
        return answer if isinstance(answer, list) else await answer

    return column


def resolved(resolve: Callable[..., Any], arguments: Arguments, finish: Completer, site: Site, key: str) -> Completer:
    """Returns a completer for a field whose resolver takes one row. The resolver runs for all rows concurrently.
    `finish` writes the values as JSON. `site` is the field's place in the document, `key` its key in the response.
    """

    async def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> JsonColumn:
        info, given, own = run.info(site), arguments(run.executor), Frame(frame, key)

        async def one(row: Any) -> Any:
            try:
                value = resolve(row, info, **given)
                return await value if inspect.isawaitable(value) else value
            except Exception as error:  # noqa: BLE001 - PlanRun.settled handles it
                return error

        values = [await one(rows[0])] if len(rows) == 1 else await asyncio.gather(*map(one, rows))
        answer = finish(run, run.settled(values, site, own), own)
        return answer if isinstance(answer, list) else await answer

    return column
