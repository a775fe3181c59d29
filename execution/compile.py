"""Compiles a valid operation into a tree of closures, one for each selection and each field. A closure computes the
JSON texts of a field for all objects of a level: a column.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple

import orjson
from graphql import (
    FieldNode,
    GraphQLAbstractType,
    GraphQLField,
    GraphQLObjectType,
    GraphQLOutputType,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetails, collect_fields, collect_subfields
from graphql.pyutils import Path

from execution.arguments import Arguments, Convert, arguments
from execution.complete import ColumnResult, ColumnValues, Completer, JsonColumn, leaf, list_of, non_null, objects
from execution.fields import Batched, Listed
from execution.fragments import Fragments, joined
from execution.frames import Frame
from execution.levels import LeafLookup, Selection, batched, listed
from execution.limits import TooCostly
from execution.run import Anomaly, PlanRun, Site

Describe = Callable[[GraphQLField], "Described"]
IsShared = Callable[[GraphQLObjectType], bool]
"""Tells whether all requests of a process get the same row objects of a type, until the rows change."""


class Unplannable(Exception):
    """Raised for an operation that has no plan, so that graphql-core executes it. The argument is a short reason for
    metrics.
    """


class Described:
    """The description of a schema field for plans. A plan reads the field's value from a row (`read`), looks it up for
    a list of rows (`lookup`), or calls `resolve` for each row. If all are None, it calls the field's own resolver.

    `arguments` converts the arguments that graphql-core has coerced into arguments of the resolver. `read` must depend
    on nothing but the row, because the text of its value may be kept (execution/fragments.py).
    """

    __slots__ = ("arguments", "lookup", "read", "resolve")

    def __init__(
        self,
        read: Callable[[Any], Any] | None = None,
        lookup: Batched | Listed | None = None,
        resolve: Callable[..., Any] | None = None,
        arguments: Convert = dict,
    ) -> None:
        self.read = read
        self.lookup = lookup
        self.resolve = resolve
        self.arguments = arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class RootField:
    """A compiled root field of a mutation. `arguments` computes the arguments of `resolve` for an execution, and
    `complete` completes the payload.
    """

    key: str
    parent: GraphQLObjectType
    field: GraphQLField
    nodes: list[FieldNode]
    details: list[FieldDetails]
    resolve: Callable[..., Awaitable[Any]]
    arguments: Arguments
    complete: Completer


Mutation = Sequence[RootField]


class _Compiled(NamedTuple):
    """A compiled field or type. `is_static` tells whether its texts depend on nothing but the row of the object."""

    complete: Completer | LeafLookup
    is_static: bool

    @property
    def completer(self) -> Completer:
        assert not isinstance(self.complete, LeafLookup)
        return self.complete


class _Member(NamedTuple):
    """A compiled field of an object: the start of its text, such as `"title":`, and the completer of its value."""

    name: bytes
    complete: Completer | LeafLookup
    is_static: bool


class Compiler:
    """A compiler for one operation. It leaves out fields that `@skip` or `@include` exclude for the `executor`'s
    variables.

    A selection of an interface is compiled once for each type of the interface, with all selections inside it. So a
    plan may be much larger than its document. Raises TooCostly for a plan of more than `most` fields and selections.
    """

    def __init__(self, executor: Executor[Any], describe: Describe, is_shared: IsShared, most: int) -> None:
        self._executor = executor
        self._describe = describe
        self._is_shared = is_shared
        self._most = most
        self._compiled = 0

    def operation(self, root_type: GraphQLObjectType) -> Completer:
        """Returns the compiled operation. Call it with a column that contains only the root value."""
        return self._selection(root_type, self._root_fields(root_type)).completer

    def mutation(self, root_type: GraphQLObjectType) -> Mutation:
        """Returns the compiled root fields of a mutation, in the order in which they must run."""
        return [self._root_field(root_type, key, list(some)) for key, some in self._root_fields(root_type).items()]

    def _root_fields(self, root_type: GraphQLObjectType) -> Mapping[str, Sequence[FieldDetails]]:
        executor = self._executor
        fields, deferred, _ = collect_fields(
            executor.schema, executor.fragments, executor.variable_values, root_type, executor.operation
        )
        if deferred:
            raise Unplannable("defer")
        return fields

    def _root_field(self, parent: GraphQLObjectType, key: str, details: list[FieldDetails]) -> RootField:
        nodes = [one.node for one in details]
        field = parent.fields.get(nodes[0].name.value)
        if field is None:
            raise Unplannable("introspection")
        described = self._describe(field)
        if described.resolve is None or not isinstance(field.type, GraphQLObjectType):
            raise Unplannable("root field")
        return RootField(
            key=key,
            parent=parent,
            field=field,
            nodes=nodes,
            details=details,
            resolve=described.resolve,
            arguments=arguments(field, nodes[0], described.arguments),
            complete=self._subselection(field.type, details).completer,
        )

    def _selection(self, type_: GraphQLObjectType, grouped: Mapping[str, Sequence[FieldDetails]]) -> _Compiled:
        self._compiled += 1 + len(grouped)
        if self._compiled > self._most:
            raise TooCostly("plan", self._compiled, self._most)
        members = [
            _Member(b"%b:" % orjson.dumps(key), *self._field(type_, key, list(some))) for key, some in grouped.items()
        ]
        is_static = all(member.is_static for member in members)
        if self._is_shared(type_):
            members = _with_fragments(members)
        return _Compiled(Selection(_separators(members, b"{", b"}"), [one.complete for one in members]), is_static)

    def _field(self, parent: GraphQLObjectType, key: str, details: list[FieldDetails]) -> _Compiled:
        nodes = [one.node for one in details]
        name = nodes[0].name.value
        if name == "__typename":
            text = orjson.dumps(parent.name)
            return _Compiled(lambda _run, rows, _frame: [text] * len(rows), is_static=True)
        field = parent.fields.get(name)
        if field is None:
            raise Unplannable("introspection" if name.startswith("__") else "unknown field")
        described = self._describe(field)
        finish, is_static = self._completer(field.type, parent, details)
        assert not isinstance(finish, LeafLookup)
        site = _site(field.type, parent, nodes)
        if described.read:
            return _Compiled(_read(described.read, finish, key), is_static)
        lookup = described.lookup
        if isinstance(lookup, Batched) and not field.args and is_leaf_type(get_nullable_type(field.type)):
            return _Compiled(LeafLookup(lookup, finish, site, key), is_static=False)
        given = arguments(field, nodes[0], described.arguments)
        if isinstance(lookup, Batched):
            column = batched(lookup, given, finish, site, key)
        elif lookup:
            column = listed(lookup, given, finish, site, key)
        else:
            column = _resolved(parent, field, described, given, finish, site, key)
        return _Compiled(column, is_static=False)

    def _completer(self, type_: GraphQLOutputType, parent: GraphQLObjectType, details: list[FieldDetails]) -> _Compiled:
        if is_non_null_type(type_):
            inner = self._completer(type_.of_type, parent, details)
            return inner._replace(complete=non_null(inner.completer))
        if is_list_type(type_):
            site = _site(type_.of_type, parent, [one.node for one in details])
            inner = self._completer(type_.of_type, parent, details)
            return inner._replace(complete=list_of(inner.completer, site))
        if is_leaf_type(type_):
            return _Compiled(leaf(type_), is_static=True)
        if is_abstract_type(type_):
            return _Compiled(objects(self._by_class(type_, parent, details)), is_static=False)
        assert isinstance(type_, GraphQLObjectType)
        inner = self._subselection(type_, details)
        select = _all(type_, inner.completer, lambda run: _info(run, details, parent))
        return inner._replace(complete=objects(select))

    def _subselection(self, type_: GraphQLObjectType, details: list[FieldDetails]) -> _Compiled:
        executor = self._executor
        fields, deferred, _ = collect_subfields(
            executor.schema, executor.fragments, executor.variable_values, executor.operation, type_, details
        )
        if deferred:
            raise Unplannable("defer")
        return self._selection(type_, fields)

    def _by_class(self, type_: GraphQLAbstractType, parent: GraphQLObjectType, details: list[FieldDetails]) -> "Select":
        """Returns a function that chooses the selection of each object by the object's class. The GraphQL type of each
        class is looked up once.
        """
        schema = self._executor.schema
        selections = {
            possible.name: self._subselection(possible, details).completer
            for possible in schema.get_possible_types(type_)
        }
        types: dict[type, str] = {}

        def name_of(run: PlanRun, value: Any) -> str:
            resolve = type_.resolve_type or run.executor.type_resolver
            name = resolve(value, _info(run, details, parent), type_)
            if not isinstance(name, str) or name not in selections:
                raise Anomaly("type")
            return name

        def select(run: PlanRun, values: ColumnValues) -> list[tuple[Completer, Sequence[int]]]:
            places: dict[str, list[int]] = {}
            for i, value in enumerate(values):
                if value is not None:
                    if (class_ := type(value)) not in types:
                        types[class_] = name_of(run, value)
                    places.setdefault(types[class_], []).append(i)
            return [(selections[name], at) for name, at in places.items()]

        return select


Select = Callable[[PlanRun, ColumnValues], list[tuple[Completer, Sequence[int]]]]


def _all(type_: GraphQLObjectType, selection: Completer, info: Callable[[PlanRun], Any]) -> Select:
    """Returns a function that chooses the same selection for all objects. The function checks once for each Python
    class that the objects are of the GraphQL type.
    """
    right: set[type] = {NoneType}

    def select(run: PlanRun, values: ColumnValues) -> list[tuple[Completer, Sequence[int]]]:
        types = set(map(type, values))
        for class_ in types - right:
            if type_.is_type_of and not type_.is_type_of(next(v for v in values if type(v) is class_), info(run)):
                raise Anomaly("type")
            right.add(class_)
        if NoneType not in types:
            return [(selection, range(len(values)))]
        return [(selection, [i for i, value in enumerate(values) if value is not None])]

    return select


def _with_fragments(members: Sequence[_Member]) -> list[_Member]:
    """Returns members with one member in place of neighbours that are static. The text of this member contains the
    names of its parts.
    """
    grouped: list[_Member] = []
    for is_static, some in groupby(members, attrgetter("is_static")):
        parts = list(some)
        if is_static:
            completers = [one.complete for one in parts if not isinstance(one.complete, LeafLookup)]
            grouped.append(_Member(b"", Fragments(completers, joined(_separators(parts))), is_static=True))
        else:
            grouped += parts
    return grouped


def _separators(members: Sequence[_Member], start: bytes = b"", end: bytes = b"") -> list[bytes]:
    """Returns the texts before, between and after the texts of the members."""
    return [(b"," if at else start) + member.name for at, member in enumerate(members)] + [end]


def _site(type_: GraphQLOutputType, parent: GraphQLObjectType, nodes: list[FieldNode]) -> Site:
    return Site(nodes, f"{parent.name}.{nodes[0].name.value}", not is_non_null_type(type_))


def _read(read: Callable[[Any], Any], finish: Completer, key: str) -> Completer:
    def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> ColumnResult:
        return finish(run, list(map(read, rows)), Frame(frame, key))

    return column


def _resolved(
    parent: GraphQLObjectType,
    field: GraphQLField,
    described: Described,
    arguments: Arguments,
    finish: Completer,
    site: Site,
    key: str,
) -> Completer:
    nodes, resolve = site.nodes, described.resolve or field.resolve
    if resolve is None:
        raise Unplannable("default resolver")

    async def column(run: PlanRun, rows: ColumnValues, frame: Frame) -> JsonColumn:
        own = Frame(frame, key)
        info = run.executor.build_resolve_info(field, nodes, parent, Path(None, key, parent.name))
        given = arguments(run.executor)

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


def _info(run: PlanRun, details: Sequence[FieldDetails], parent: GraphQLObjectType) -> Any:
    """Returns the `info` object that graphql-core would pass to a type's `is_type_of`. Only the value decides there, so
    the path is not exact.
    """
    nodes = [one.node for one in details]
    field = parent.fields[nodes[0].name.value]
    return run.executor.build_resolve_info(field, nodes, parent, Path(None, nodes[0].name.value, parent.name))
