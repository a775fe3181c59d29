"""Completers for values of each type of the schema: scalars, enums, lists and objects.

A completer converts a column (the values of one field for all objects of a level) into JSON texts. It is made for a
type at one `site`, a place in the document, and `nullable` tells whether a value may be null there. A null in place of
a value that must not be null raises Anomaly, so that graphql-core executes the operation.
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
"""The most integers of one type whose JSON texts are kept."""
_LABEL = attrgetter("_name_")
_LIST_OR_NONE = (list, tuple, NoneType)
_LISTS = frozenset(_LIST_OR_NONE)


@cache
def leaf(type_: GraphQLLeafType, nullable: bool) -> Completer:
    """Returns a completer that converts the values of a scalar or enum type to JSON as graphql-core does. It checks the
    Python types of a whole column at once.
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
    """Returns the JSON texts of integers. Takes the texts that are in `known` from there, computes the others with
    `coerced`, and adds them to `known`, because most numbers of a social network are small.
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
    """Returns a function that converts enum members to JSON texts. It computes the text of each member once."""
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
    """Returns a completer for lists. It passes the items of all lists to `inner` as one column, then joins the JSON
    texts of each list. `site` is the place of the items in the document.
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
    """Returns a completer for objects of the type `type_`. It lets `selection` write the selected fields of the
    objects. For each new Python class, it checks with one object that the object is of this type, and raises Anomaly if
    not. `site` is the place of the field in the document.
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
    """Returns a completer for objects of an interface or union. `selections` has, by name, a completer for each type
    that the objects can have. The type of each Python class is looked up once. `site` is the place of the field in the
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
    """Returns the JSON texts of a column of objects. Each pair in `chosen` has a selection, and the positions in the
    column of the objects that this selection completes. All other positions are null.
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
