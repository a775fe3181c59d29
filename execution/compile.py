"""Compiles a valid operation into a tree of closures, one for each selection and each field. A closure computes the
JSON texts of a field for all objects of a level: a column.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import Any

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

from dependencies.graphql import Executor, FieldDetails, Path, collect_fields, collect_subfields
from execution.arguments import Arguments, Convert, arguments
from execution.complete import ColumnValues, Completer, leaf, list_of, non_null, objects
from execution.fields import Batched, Listed
from execution.levels import LeafLookup, batched, listed, read, resolved
from execution.limits import TooCostly
from execution.members import Compiled, Member, selection
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
    on nothing but the row, because the text of its value may be kept (execution/objects.py).
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

    def _selection(self, type_: GraphQLObjectType, grouped: Mapping[str, Sequence[FieldDetails]]) -> Compiled:
        self._compiled += 1 + len(grouped)
        if self._compiled > self._most:
            raise TooCostly("plan", self._compiled, self._most)
        members = [self._member(type_, key, list(some)) for key, some in grouped.items()]
        return selection(members, type_ if self._is_shared(type_) else None)

    def _member(self, parent: GraphQLObjectType, key: str, details: list[FieldDetails]) -> Member:
        complete, static = self._field(parent, key, details)
        name = details[0].node.name.value
        return Member(b"%b:" % orjson.dumps(key), complete, None if static is None else f"{key}:{name}{static}")

    def _field(self, parent: GraphQLObjectType, key: str, details: list[FieldDetails]) -> Compiled:
        nodes = [one.node for one in details]
        name = nodes[0].name.value
        if name == "__typename":
            text = orjson.dumps(parent.name)
            return Compiled(lambda _run, rows, _frame: [text] * len(rows), "")
        field = parent.fields.get(name)
        if field is None:
            raise Unplannable("introspection" if name.startswith("__") else "unknown field")
        described = self._describe(field)
        finish, static = self._completer(field.type, parent, details)
        assert not isinstance(finish, LeafLookup)
        site = _site(field.type, parent, nodes)
        if described.read:
            return Compiled(read(described.read, finish, key), static)
        lookup = described.lookup
        if isinstance(lookup, Batched) and not field.args and is_leaf_type(get_nullable_type(field.type)):
            return Compiled(LeafLookup(lookup, finish, site, key), None)
        given = arguments(field, nodes[0], described.arguments)
        if isinstance(lookup, Batched):
            column = batched(lookup, given, finish, site, key)
        elif lookup:
            column = listed(lookup, given, finish, site, key)
        else:
            resolve = described.resolve or field.resolve
            if resolve is None:
                raise Unplannable("default resolver")
            column = resolved(resolve, partial(_info, details=details, parent=parent), given, finish, site, key)
        return Compiled(column, None)

    def _completer(self, type_: GraphQLOutputType, parent: GraphQLObjectType, details: list[FieldDetails]) -> Compiled:
        if is_non_null_type(type_):
            inner = self._completer(type_.of_type, parent, details)
            return Compiled(non_null(inner.completer), inner.static)
        if is_list_type(type_):
            site = _site(type_.of_type, parent, [one.node for one in details])
            inner = self._completer(type_.of_type, parent, details)
            return Compiled(list_of(inner.completer, site), inner.static)
        if is_leaf_type(type_):
            return Compiled(leaf(type_), "")
        if is_abstract_type(type_):
            return Compiled(objects(self._by_class(type_, parent, details)), None)
        assert isinstance(type_, GraphQLObjectType)
        inner = self._subselection(type_, details)
        select = _all(type_, inner.completer, lambda run: _info(run, details, parent))
        return Compiled(objects(select), inner.static)

    def _subselection(self, type_: GraphQLObjectType, details: list[FieldDetails]) -> Compiled:
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


def _site(type_: GraphQLOutputType, parent: GraphQLObjectType, nodes: list[FieldNode]) -> Site:
    return Site(nodes, f"{parent.name}.{nodes[0].name.value}", not is_non_null_type(type_))


def _info(run: PlanRun, details: Sequence[FieldDetails], parent: GraphQLObjectType) -> Any:
    """Returns the `info` object that graphql-core would pass to a resolver or to a type's `is_type_of`, with the path
    from the parent alone.
    """
    nodes = [one.node for one in details]
    node, field = nodes[0], parent.fields[nodes[0].name.value]
    key = node.alias.value if node.alias else node.name.value
    return run.executor.build_resolve_info(field, nodes, parent, Path(None, key, parent.name))
