"""The arguments of a field's resolver.

Arguments without variables are computed once for all executions. If variables with scalar types fill whole arguments or
whole fields of an input object, the arguments are computed once with placeholders, and each execution replaces the
placeholders by its values. All other arguments are coerced by graphql-core in each execution. Executions share the
values that do not come from variables, so resolvers must not change their arguments.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import is_dataclass
from typing import Any, NamedTuple

from graphql import (
    FieldNode,
    GraphQLBoolean,
    GraphQLError,
    GraphQLField,
    GraphQLID,
    GraphQLInt,
    GraphQLString,
    ListValueNode,
    ObjectValueNode,
    ValueNode,
    VariableNode,
    get_argument_values,
    get_nullable_type,
)

from dependencies.graphql import Executor, VariableValues

Arguments = Callable[[Executor[Any]], Mapping[str, Any]]
Convert = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Converts the arguments that graphql-core has coerced into arguments of the resolver."""
_SCALARS = frozenset({GraphQLString, GraphQLID, GraphQLInt, GraphQLBoolean})


class InvalidArguments(GraphQLError):
    """Raised if the values of an execution's variables do not fit a field's arguments, such as null for an argument
    whose type does not allow it.
    """


def arguments(field: GraphQLField, node: FieldNode, convert: Convert) -> Arguments:
    """Returns a function that computes the arguments of a field's resolver for an execution. The function raises
    InvalidArguments.
    """
    if not field.args:
        return lambda _: {}

    def coerced(executor: Executor[Any]) -> Mapping[str, Any]:
        try:
            given = get_argument_values(field, node, executor.variable_values)
        except GraphQLError as error:
            raise InvalidArguments(error.message, error.nodes) from error
        return convert(given)

    variables = [name for argument in node.arguments or () for name in _variables(argument.value)]
    template: list[_Template | None] = []

    def computed(executor: Executor[Any]) -> Mapping[str, Any]:
        values = executor.variable_values
        if not template and values.sources.keys() >= set(variables):
            template.append(_template(field, node, convert, values, variables))
        filled = template[0].filled(values.coerced) if template and template[0] else None
        return coerced(executor) if filled is None else filled

    return computed


class _Hole(NamedTuple):
    """A place for the value of a variable: an argument, or an attribute of an argument that is an input object."""

    variable: str
    argument: str
    attribute: str | None


class _Template(NamedTuple):
    """The arguments of a resolver, with holes for the values of variables."""

    known: Mapping[str, Any]
    holes: Sequence[_Hole]

    def filled(self, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Returns the arguments with these values of variables. Returns None if a variable has no value."""
        if not self.holes:
            return self.known
        filled, copied = dict(self.known), set[str]()
        for variable, argument, attribute in self.holes:
            if values.get(variable) is None:
                return None
            if attribute is None:
                filled[argument] = values[variable]
                continue
            if argument not in copied:
                filled[argument] = copy(filled[argument])
                copied.add(argument)
            setattr(filled[argument], attribute, values[variable])
        return filled


def _template(
    field: GraphQLField, node: FieldNode, convert: Convert, given: VariableValues, variables: Sequence[str]
) -> _Template | None:
    """Returns the template of a field's arguments, or None if its variables do not fill holes. `given` are the
    variables of some execution.
    """
    if not all(get_nullable_type(given.sources[name].signature.type) in _SCALARS for name in variables):
        return None
    placeholders = {name: object() for name in variables}
    known = convert(get_argument_values(field, node, VariableValues(given.sources, placeholders)))
    names = {id(placeholder): name for name, placeholder in placeholders.items()}
    holes = list(_holes(known, names))
    return _Template(known, holes) if sorted(hole.variable for hole in holes) == sorted(variables) else None


def _holes(known: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[_Hole]:
    for argument, value in known.items():
        if id(value) in names:
            yield _Hole(names[id(value)], argument, None)
        elif is_dataclass(value):
            for attribute, inner in vars(value).items():
                if id(inner) in names:
                    yield _Hole(names[id(inner)], argument, attribute)


def _variables(value: ValueNode) -> Iterator[str]:
    """Yields the names of the variables in a literal, once for each place."""
    if isinstance(value, ListValueNode):
        for item in value.values:
            yield from _variables(item)
    elif isinstance(value, ObjectValueNode):
        for field in value.fields:
            yield from _variables(field.value)
    elif isinstance(value, VariableNode):
        yield value.name.value
