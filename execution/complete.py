"""Completers for values of each type of the schema: scalars, enums, lists and objects.

A completer is made for a type at one `site`, a place in the document, and `nullable` tells whether a value may be null
there. A null in place of a value that must not be null raises Anomaly, so that graphql-core executes the operation.
"""

from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType

import orjson
from graphql import (
    GraphQLAbstractType,
    GraphQLBoolean,
    GraphQLID,
    GraphQLLeafType,
    GraphQLObjectType,
    GraphQLString,
    is_enum_type,
)

from execution.run import (
    Anomaly,
    ColumnResult,
    ColumnValues,
    Completer,
    Frame,
    JsonColumn,
    PlanRun,
    Site,
    gathered,
    started,
)

NULL = b"null"
_AS_THEY_ARE: dict[GraphQLLeafType, type] = {GraphQLString: str, GraphQLID: str, GraphQLBoolean: bool}
_MOST_NUMBERS = 10_000
"""The number of integers of each type whose JSON texts are kept."""
_LABEL = attrgetter("_name_")
_LIST_OR_NONE = (list, tuple, NoneType)
_LISTS = frozenset(_LIST_OR_NONE)


@cache
def leaf(type_: GraphQLLeafType, nullable: bool) -> Completer:
    """Returns a completer that serialises scalars or enums as graphql-core does. The completer checks the types of a
    whole column at once.
    """
    plain = {_AS_THEY_ARE.get(type_), NoneType}
    coerced = _enum(type_) if is_enum_type(type_) else _scalar(type_)
    numbers: dict[int | None, bytes] = {None: NULL}

    def complete(_run: PlanRun, values: ColumnValues, _frame: Frame) -> JsonColumn:
        types = set(map(type, values))
        has_null = NoneType in types
        if has_null and not nullable:
            raise Anomaly("null")
        if types <= plain:
            return list(map(orjson.dumps, values))
        if types <= {int, NoneType}:
            return _numbers(values, numbers, coerced)
        if not has_null:
            return coerced(values)
        rest = iter(coerced([value for value in values if value is not None]))
        return [NULL if value is None else next(rest) for value in values]

    return complete


def _numbers(
    values: ColumnValues, known: dict[int | None, bytes], coerced: Callable[[ColumnValues], JsonColumn]
) -> JsonColumn:
    """Returns the JSON texts of integers. Serialises the integers that are not in `known` with `coerced`, and keeps
    them there, because most numbers of a social network are small.
    """
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


def list_of(inner: Completer, site: Site, nullable: bool) -> Completer:
    """Returns a completer for lists. The completer lets `inner` complete the items of all lists as one column, then
    joins the texts of each list. `site` is the place of the items in the document.
    """

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        types = set(map(type, values))
        if not types <= _LISTS and not all(isinstance(value, _LIST_OR_NONE) for value in values):
            raise Anomaly("list")
        if NoneType in types and not nullable:
            raise Anomaly("null")
        items = list(chain.from_iterable(filter(None, values)))
        own = Frame(frame, lists=values)
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


def objects(type_: GraphQLObjectType, selection: Completer, site: Site, nullable: bool) -> Completer:
    """Returns a completer for objects of the type `type_`, which `selection` completes. For each new Python class, the
    completer checks with one object that it is of this type, and raises Anomaly if not. `site` is the field in the
    document.
    """
    right: set[type] = {NoneType}

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        types = set(map(type, values))
        for class_ in types - right:
            if type_.is_type_of and not type_.is_type_of(next(v for v in values if type(v) is class_), run.info(site)):
                raise Anomaly("type")
            right.add(class_)
        if NoneType not in types:
            return selection(run, values, frame)
        if not nullable:
            raise Anomaly("null")
        at = [i for i, value in enumerate(values) if value is not None]
        return _placed(run, values, frame, [(selection, at)])

    return complete


def objects_by_class(
    type_: GraphQLAbstractType, selections: Mapping[str, Completer], site: Site, nullable: bool
) -> Completer:
    """Returns a completer for objects of an interface or union. `selections` has the completer for the objects of each
    type, by the name of the type. The completer looks up the type of each Python class once. `site` is the field in the
    document.
    """
    names: dict[type, str] = {}

    def complete(run: PlanRun, values: ColumnValues, frame: Frame) -> ColumnResult:
        places: dict[str, list[int]] = {}
        for i, value in enumerate(values):
            if value is not None:
                if (class_ := type(value)) not in names:
                    names[class_] = _name_of_type(run, value, type_, selections, site)
                places.setdefault(names[class_], []).append(i)
        chosen = [(selections[name], at) for name, at in places.items()]
        if len(chosen) == 1 and len(chosen[0][1]) == len(values):
            return chosen[0][0](run, values, frame)
        if not nullable and sum(map(len, places.values())) < len(values):
            raise Anomaly("null")
        return _placed(run, values, frame, chosen)

    return complete


def _name_of_type(run: PlanRun, value: object, type_: GraphQLAbstractType, possible: Container[str], site: Site) -> str:
    resolve = type_.resolve_type or run.executor.type_resolver
    name = resolve(value, run.info(site), type_)
    if not isinstance(name, str) or name not in possible:
        raise Anomaly("type")
    return name


def _placed(
    run: PlanRun, values: ColumnValues, frame: Frame, chosen: Sequence[tuple[Completer, Sequence[int]]]
) -> ColumnResult:
    """Returns the texts of objects. `chosen` has each selection with the positions in the column of the objects that it
    completes; the objects at all other positions are null.
    """
    results = [started(selection, run, [values[i] for i in at], Frame(frame, None, at)) for selection, at in chosen]

    def scattered(columns: Sequence[JsonColumn]) -> JsonColumn:
        texts = [NULL] * len(values)
        for column, (_, at) in zip(columns, chosen, strict=True):
            for i, text in zip(at, column, strict=True):
                texts[i] = text
        return texts

    async def awaited() -> JsonColumn:
        return scattered(await gathered(results))

    return scattered(results) if all(isinstance(one, list) for one in results) else awaited()  # type: ignore[arg-type]
