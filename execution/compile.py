"""Compiles a valid operation into a plan: a tree of closures, one for each selection and each field. A closure computes
the JSON texts of a field for all objects of one level of the response: a column.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from graphql import (
    FieldNode,
    GraphQLField,
    GraphQLObjectType,
    GraphQLOutputType,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)

from dependencies.graphql import FieldDetails, VariableValues, collect_fields, collect_subfields
from execution.complete import leaf, list_of, objects, objects_by_class
from execution.fields import Batched, Listed, batched, listed, read, resolved
from execution.inputs import Arguments, Convert, PreparedOperation, arguments
from execution.limits import TooCostly
from execution.objects import Compiled, LeafLookup, Member, selection
from execution.run import Completer, Site

Describe = Callable[[GraphQLField], "Described"]
IsShared = Callable[[GraphQLObjectType], bool]
"""A function that returns whether all requests of a process get the same row objects of a type, until the rows change.
"""


class Unplannable(Exception):
    """Raised for an operation that cannot be compiled into a plan, so that graphql-core executes it. The argument is a
    short reason for metrics.
    """


class Described:
    """Describes how a plan gets the value of a schema field: `read` returns the value from a row, `lookup` looks up the
    values for a list of rows, `resolve` returns the value for one row. At most one of them is set. If all are None, the
    plan calls the field's own resolver for each row.

    `arguments` converts the arguments that graphql-core has coerced into arguments of the resolver. `read` must depend
    on nothing but the row, because the JSON text of the value may be kept (execution/objects.py).
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
    """A compiled root field of a mutation. `resolve` makes the change and returns the payload; `arguments` computes the
    arguments of `resolve` for an execution. `complete` writes the selected fields of the payload as JSON. `key` is the
    field's key in the response. The other attributes describe the field to graphql-core.
    """

    key: str
    parent: GraphQLObjectType
    field: GraphQLField
    nodes: list[FieldNode]
    details: list[FieldDetails]
    resolve: Callable[..., Awaitable[Any]]
    arguments: Arguments
    complete: Completer


Mutation = list[RootField]


class Compiler:
    """Compiles one operation into a plan. Leaves out fields that `@skip` or `@include` exclude for these variables.

    A selection of an interface is compiled once for each type of the interface, with all selections inside it. So a
    plan may be much larger than its document. The methods raise TooCostly for a plan of more than `most` fields and
    selections, and Unplannable for an operation that cannot be compiled.
    """

    def __init__(
        self, prepared: PreparedOperation, variables: VariableValues, describe: Describe, is_shared: IsShared, most: int
    ) -> None:
        self._prepared = prepared
        self._variables = variables
        self._describe = describe
        self._is_shared = is_shared
        self._most = most
        self._compiled = 0

    def operation(self, root_type: GraphQLObjectType) -> Completer:
        """Returns the plan of a query, or of one event of a subscription. Call the plan with a column that contains
        only the root value.
        """
        return self._selection(root_type, self._root_fields(root_type)).completer

    def mutation(self, root_type: GraphQLObjectType) -> Mutation:
        """Returns the compiled root fields of a mutation, in the order in which they must run."""
        return [self._root_field(root_type, key, list(some)) for key, some in self._root_fields(root_type).items()]

    def _root_fields(self, root_type: GraphQLObjectType) -> Mapping[str, Sequence[FieldDetails]]:
        prepared = self._prepared
        fields, deferred, _ = collect_fields(
            prepared.schema, prepared.details, self._variables, root_type, prepared.operation
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
        site = Site(nodes, parent, not is_non_null_type(field.type))
        completed = self._completer(field.type, parent, details)
        finish, static = completed.completer, completed.static
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
            column = resolved(resolve, given, finish, site, key)
        return Compiled(column, None)

    def _completer(
        self, type_: GraphQLOutputType, parent: GraphQLObjectType, details: list[FieldDetails], nullable: bool = True
    ) -> Compiled:
        if is_non_null_type(type_):
            return self._completer(type_.of_type, parent, details, nullable=False)
        site = Site([one.node for one in details], parent, nullable)
        if is_list_type(type_):
            inner = self._completer(type_.of_type, parent, details)
            items = Site(site.nodes, parent, not is_non_null_type(type_.of_type))
            return Compiled(list_of(inner.completer, items, nullable), inner.static)
        if is_leaf_type(type_):
            return Compiled(leaf(type_, nullable), "")
        if is_abstract_type(type_):
            types = self._prepared.schema.get_possible_types(type_)
            selections = {possible.name: self._subselection(possible, details).completer for possible in types}
            return Compiled(objects_by_class(type_, selections, site, nullable), None)
        assert isinstance(type_, GraphQLObjectType)
        inner = self._subselection(type_, details)
        return Compiled(objects(type_, inner.completer, site, nullable), inner.static)

    def _subselection(self, type_: GraphQLObjectType, details: list[FieldDetails]) -> Compiled:
        prepared = self._prepared
        fields, deferred, _ = collect_subfields(
            prepared.schema, prepared.details, self._variables, prepared.operation, type_, details
        )
        if deferred:
            raise Unplannable("defer")
        return self._selection(type_, fields)
