"""Completers: functions that convert a column of values that resolvers returned into JSON texts of the response.

A completer returns a list of texts, or an awaitable for the list if its selections have lookups.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Any

import orjson
from graphql import GraphQLBoolean, GraphQLID, GraphQLLeafType, GraphQLString, is_enum_type

from execution.frames import Frame, ItemFrame
from execution.run import Anomaly, PlanRun, Site

ColumnValues = Sequence[Any]
JsonColumn = list[bytes]
"""The JSON text of each value of a column."""
ColumnResult = JsonColumn | Awaitable[JsonColumn]
Completer = Callable[[PlanRun, ColumnValues, Frame], ColumnResult]
NULL = b"null"
_AS_THEY_ARE: dict[GraphQLLeafType, type] = {GraphQLString: str, GraphQLID: str, GraphQLBoolean: bool}
_MOST_NUMBERS = 10_000
"""The number of integers of each type whose JSON texts are kept."""
_LABEL = attrgetter("_name_")
_LIST_OR_NONE = (list, tuple, NoneType)
_LISTS = frozenset(_LIST_OR_NONE)


@cache
def leaf(type_: GraphQLLeafType) -> Completer:
    """Returns a completer that serialises scalars or enums as graphql-core does. It checks the types of a whole column
    at once.
    """
    plain = _AS_THEY_ARE.get(type_)
    coerced = _enum(type_) if is_enum_type(type_) else _scalar(type_)
    numbers: dict[int | None, bytes] = {None: NULL}

    def complete(_run: PlanRun, values: ColumnValues, _frame: Frame) -> JsonColumn:
        types = set(map(type, values))
        if types <= {plain, NoneType}:
            return list(map(orjson.dumps, values))
        if types <= {int, NoneType}:
            return _numbers(values, numbers, coerced)
        if NoneType not in types:
            return coerced(values)
        rest = iter(coerced([value for value in values if value is not None]))
        return [NULL if value is None else next(rest) for value in values]

    return complete


def _numbers(
    values: ColumnValues, known: dict[int | None, bytes], coerced: Callable[[ColumnValues], JsonColumn]
) -> JsonColumn:
    """Returns the JSON texts of integers. Keeps them in `known`, because most numbers of a social network are small."""
    try:
        return list(map(known.__getitem__, values))
    except KeyError:
        new = [number for number in set(values) if number not in known]
    texts = dict(zip(new, coerced(new), strict=True))
    if len(known) + len(new) <= _MOST_NUMBERS:
        known |= texts
    return [texts[number] if number in texts else known[number] for number in values]


def _scalar(type_: GraphQLLeafType) -> Callable[[ColumnValues], JsonColumn]:
    coerce = type_.coerce_output_value

    def coerced(values: ColumnValues) -> JsonColumn:
        done = list(map(coerce, values))
        if None in done:
            raise Anomaly("leaf")
        return list(map(orjson.dumps, done))

    return coerced


def _enum(type_: GraphQLLeafType) -> Callable[[ColumnValues], JsonColumn]:
    """Returns a function that serialises enum members. It serialises each member once."""
    coerced, texts = _scalar(type_), dict[type, dict[str, bytes]]()

    def named(values: ColumnValues) -> JsonColumn:
        classes = set(map(type, values))
        class_ = classes.pop()
        if classes or not issubclass(class_, Enum):
            return coerced(values)
        known, labels = texts.setdefault(class_, {}), list(map(_LABEL, values))
        if new := set(labels) - known.keys():
            known |= zip(new, coerced([class_[label] for label in new]), strict=True)
        return [known[label] for label in labels]

    return named


def non_null(inner: Completer) -> Completer:
    """Returns a completer for values that must not be null. If a value is null, graphql-core executes the operation."""

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        result = inner(run, values, frame)
        return _checked(result) if isinstance(result, list) else _awaited(result)

    def _checked(result: JsonColumn) -> JsonColumn:
        if NULL in result:
            raise Anomaly("null")
        return result

    async def _awaited(result: Awaitable[JsonColumn]) -> JsonColumn:
        return _checked(await result)

    return complete


def list_of(inner: Completer, site: Site) -> Completer:
    """Returns a completer for lists. The completer completes the items of all lists as one column, then joins the texts
    of each list.
    """

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        if not _LISTS.issuperset(map(type, values)) and not all(isinstance(value, _LIST_OR_NONE) for value in values):
            raise Anomaly("list")
        items = list(chain.from_iterable(filter(None, values)))
        own = ItemFrame(frame, values)
        result = inner(run, run.settled(items, site, own), own)
        return _dealt(result, values) if isinstance(result, list) else _awaited(result, values)

    async def _awaited(result: Awaitable[JsonColumn], values: ColumnValues) -> JsonColumn:
        return _dealt(await result, values)

    return complete


def _dealt(items: JsonColumn, values: ColumnValues) -> JsonColumn:
    dealt: JsonColumn = []
    at = 0
    for value in values:
        if value is None:
            dealt.append(NULL)
        else:
            dealt.append(b"[%b]" % b",".join(items[at : at + len(value)]))
            at += len(value)
    return dealt


def objects(select: Callable[[PlanRun, ColumnValues], Sequence[tuple[Completer, Sequence[int]]]]) -> Completer:
    """Returns a completer for objects. `select` returns selections, each with the positions in the column of the
    objects that it completes. All other positions are null in the result.
    """

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        chosen = select(run, values)
        if len(chosen) == 1 and len(chosen[0][1]) == len(values):
            return chosen[0][0](run, values, frame)
        results = [started(selection, run, [values[i] for i in at], Frame(frame, None, at)) for selection, at in chosen]
        places = [at for _, at in chosen]
        if all(isinstance(result, list) for result in results):
            return _scattered(results, places, len(values))  # type: ignore[arg-type]
        return _awaited(results, places, len(values))

    async def _awaited(results: Sequence[ColumnResult], places: Sequence[Sequence[int]], count: int) -> JsonColumn:
        return _scattered(await gathered(results), places, count)

    return complete


def _scattered(results: Sequence[JsonColumn], places: Sequence[Sequence[int]], count: int) -> JsonColumn:
    scattered = [NULL] * count
    for result, at in zip(results, places, strict=True):
        for i, value in zip(at, result, strict=True):
            scattered[i] = value
    return scattered


def started(completer: Completer, run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
    """Calls a completer. If it fails at once, the failure is raised when the result is awaited, so that the results of
    other completers are awaited, too.
    """
    try:
        return completer(run, values, frame)
    except Exception as error:  # noqa: BLE001 - raised later
        return _failed(error)


async def _failed(error: Exception) -> JsonColumn:
    raise error


async def gathered(results: Iterable[ColumnResult]) -> list[JsonColumn]:
    """Returns these results of completers, after all awaitable results are ready. Awaitables run concurrently, so that
    their lookups share batches.
    """
    done = list(results)
    waiting = [i for i, result in enumerate(done) if not isinstance(result, list)]
    if not waiting:
        return done  # type: ignore[return-value]
    if len(waiting) == 1:
        done[waiting[0]] = await done[waiting[0]]  # type: ignore[misc]
    else:
        for i, result in zip(waiting, await _side_by_side([done[i] for i in waiting]), strict=True):  # type: ignore[misc]
            done[i] = result
    return done  # type: ignore[return-value]


async def _side_by_side(awaitables: Sequence[Awaitable[JsonColumn]]) -> list[JsonColumn]:
    """Returns the results of all awaitables. If one fails, waits for the others and then raises its exception, because
    no code of a request may run after its response was sent.
    """
    results = await asyncio.gather(*awaitables, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results  # type: ignore[return-value]
