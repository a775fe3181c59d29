"""Completers: functions that convert a column of values that resolvers returned into values of the response.

A completer returns a list, or an awaitable for a list if its selections have lookups.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Any

from graphql import GraphQLBoolean, GraphQLID, GraphQLLeafType, GraphQLString, is_enum_type

from execution.frames import Frame
from execution.run import Anomaly, PlanRun, Site

ColumnValues = Sequence[Any]
Completer = Callable[[PlanRun, ColumnValues, Frame], "list[Any] | Awaitable[list[Any]]"]
_AS_THEY_ARE: dict[GraphQLLeafType, type] = {GraphQLString: str, GraphQLID: str, GraphQLBoolean: bool}


_LABEL = attrgetter("_name_")


def leaf(type_: GraphQLLeafType) -> Completer:
    """Returns a completer that serialises scalars or enums as graphql-core does. It checks the types of a whole column
    at once.
    """
    plain = _AS_THEY_ARE.get(type_)
    coerced = _enum(type_) if is_enum_type(type_) else _scalar(type_)

    def complete(_run: PlanRun, values: ColumnValues, _frame: Frame) -> list[Any]:
        types = set(map(type, values))
        if NoneType not in types:
            return list(values) if types == {plain} else coerced(values)
        if types <= {NoneType, plain}:
            return list(values)
        rest = iter(coerced([value for value in values if value is not None]))
        return [None if value is None else next(rest) for value in values]

    return complete


def _scalar(type_: GraphQLLeafType) -> Callable[[ColumnValues], list[Any]]:
    coerce = type_.coerce_output_value

    def coerced(values: ColumnValues) -> list[Any]:
        done = list(map(coerce, values))
        if None in done:
            raise Anomaly("leaf")
        return done

    return coerced


def _enum(type_: GraphQLLeafType) -> Callable[[ColumnValues], list[Any]]:
    """Returns a function that serialises enum members. It looks up the name of each member once."""
    coerced, names = _scalar(type_), dict[type, dict[str, Any]]()

    def named(values: ColumnValues) -> list[Any]:
        classes = set(map(type, values))
        class_ = classes.pop()
        if classes or not issubclass(class_, Enum):
            return coerced(values)
        known, labels = names.setdefault(class_, {}), list(map(_LABEL, values))
        if new := set(labels) - known.keys():
            known |= zip(new, coerced([class_[label] for label in new]), strict=True)
        return [known[label] for label in labels]

    return named


def non_null(inner: Completer) -> Completer:
    """Returns a completer for values that must not be null. If a value is null, graphql-core executes the operation."""

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> list[Any] | Awaitable[list[Any]]:
        result = inner(run, values, frame)
        return _checked(result) if isinstance(result, list) else _awaited(result)

    def _checked(result: list[Any]) -> list[Any]:
        if None in result:
            raise Anomaly("null")
        return result

    async def _awaited(result: Awaitable[list[Any]]) -> list[Any]:
        return _checked(await result)

    return complete


def list_of(inner: Completer, site: Site) -> Completer:
    """Returns a completer for lists. The completer completes the items of all lists as one column, then splits the
    column into lists again.
    """

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> list[Any] | Awaitable[list[Any]]:
        for value in values:
            if value is not None and not isinstance(value, list | tuple):
                raise Anomaly("list")
        items = list(chain.from_iterable(value for value in values if value is not None))
        origins = [i for i, value in enumerate(values) if value is not None for _ in value]
        positions = [at for value in values if value is not None for at in range(len(value))]
        own = Frame(frame, positions, origins)
        result = inner(run, run.settled(items, site, own), own)
        return _dealt(result, values) if isinstance(result, list) else _awaited(result, values)

    async def _awaited(result: Awaitable[list[Any]], values: ColumnValues) -> list[Any]:
        return _dealt(await result, values)

    return complete


def _dealt(items: list[Any], values: ColumnValues) -> list[Any]:
    dealt: list[Any] = []
    at = 0
    for value in values:
        if value is None:
            dealt.append(None)
        else:
            dealt.append(items[at : at + len(value)])
            at += len(value)
    return dealt


def objects(select: Callable[[PlanRun, ColumnValues], Sequence[tuple[Completer, Sequence[int]]]]) -> Completer:
    """Returns a completer for objects. `select` returns selections, each with the positions in the column of the
    objects that it completes. All other positions are null in the result.
    """

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> list[Any] | Awaitable[list[Any]]:
        chosen = select(run, values)
        if len(chosen) == 1 and len(chosen[0][1]) == len(values):
            return chosen[0][0](run, values, frame)
        results = [selection(run, [values[i] for i in at], Frame(frame, None, at)) for selection, at in chosen]
        places = [at for _, at in chosen]
        if all(isinstance(result, list) for result in results):
            return _scattered(results, places, len(values))  # type: ignore[arg-type]
        return _awaited(results, places, len(values))

    async def _awaited(
        results: Sequence[list[Any] | Awaitable[list[Any]]], places: Sequence[Sequence[int]], count: int
    ) -> list[Any]:
        return _scattered(await gathered(results), places, count)

    return complete


def _scattered(results: Sequence[list[Any]], places: Sequence[Sequence[int]], count: int) -> list[Any]:
    scattered: list[Any] = [None] * count
    for result, at in zip(results, places, strict=True):
        for i, value in zip(at, result, strict=True):
            scattered[i] = value
    return scattered


async def gathered(results: Sequence[list[Any] | Awaitable[list[Any]]]) -> list[list[Any]]:
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


async def _side_by_side(awaitables: Sequence[Awaitable[list[Any]]]) -> list[list[Any]]:
    """Returns the results of all awaitables. If one fails, waits for the others and then raises its exception, because
    no code of a request may run after its response was sent.
    """
    results = await asyncio.gather(*awaitables, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results  # type: ignore[return-value]
