"""Computes how many objects the arguments of a field ask for. The values are literals, variables or defaults."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphql import (
    FieldNode,
    GraphQLArgument,
    GraphQLField,
    GraphQLNamedType,
    IntValueNode,
    ListValueNode,
    NullValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    StringValueNode,
    Undefined,
    ValueNode,
    VariableNode,
    get_nullable_type,
    is_input_object_type,
    is_list_type,
)

from execution.limits import measured

LARGEST = 1000
"""The length that is assumed for lists of unknown length. The application refuses longer lists."""
USUAL = 20
"""The length of lists that have the arguments `first` and `last`, if neither is given."""
_COUNTS = ("first", "last")
INTROSPECTED = 8
"""The length that is assumed for lists of introspection."""
MOST_VALUES = 10_000
"""The most values that are assumed for a variable. The application refuses requests with more."""


class Lengths:
    """Computes how many objects fields ask for, and how long the lists in their arguments are, with the variables of
    one request. The defaults of variables are those of `operations`.
    """

    def __init__(self, variables: Mapping[str, Any], operations: Iterable[OperationDefinitionNode]) -> None:
        self._given = variables
        self._defaults: dict[str, Any] = {}
        self._objects: dict[int, int] = {}
        self._values: dict[str, int] = {}
        for operation in operations:
            for one in operation.variable_definitions or ():
                name = one.variable.name.value
                if one.default_value:
                    self._defaults[name] = _UNDECIDED if name in self._defaults else one.default_value

    def times(self, node: FieldNode, field: GraphQLField | None, parent: GraphQLNamedType | None) -> int:
        """Returns the factor by which a field multiplies the cost of the selections below it: the largest of its
        arguments `first` and `last` and the lengths of the lists in its arguments, from 1 to LARGEST. For a list of
        introspection, the factor is 8.
        """
        if parent and parent.name.startswith("__"):
            return INTROSPECTED if field and is_list_type(get_nullable_type(field.type)) else 1
        declared: Mapping[str, GraphQLArgument] = field.args if field else {}
        given = {one.name.value: one.value for one in node.arguments or ()}
        times = 1
        for name in {**declared, **given}:
            argument = declared.get(name)
            value = self._value(given.get(name, Undefined))
            if value is Undefined and argument:
                value = _default(argument)
            times = max(
                times, _count(name, value, "last" in declared) if name in _COUNTS else self._length(value, argument)
            )
        return times

    def values(self, literal: ValueNode) -> int:
        """Returns the number of values that a node stands for: for a variable, the number of values in its value, at
        most MOST_VALUES, or 0 if it has no value; for any other node 1.
        """
        if not isinstance(literal, VariableNode):
            return 1
        name = literal.name.value
        if name not in self._values:  # many fields may use the variable
            value = self._value(literal)
            count = len(flattened(value)) if isinstance(value, ValueNode) else measured(value)[0]
            self._values[name] = 0 if value is Undefined else min(count, MOST_VALUES)
        return self._values[name]

    def _value(self, value: Any) -> Any:
        """Returns the value of a variable, or Undefined if the variable has no value. Returns a node that is not a
        variable unchanged.
        """
        if not isinstance(value, VariableNode):
            return value
        name = value.name.value
        return self._given[name] if name in self._given else self._defaults.get(name, Undefined)

    def _length(self, value: Any, argument: GraphQLArgument | None) -> int:
        """Returns the length of a list, or of the longest list in an input object. Returns 1 for any other value."""
        type_ = get_nullable_type(argument.type) if argument else None
        if is_list_type(type_):
            return _items(value)
        if isinstance(value, ObjectValueNode):
            if id(value) not in self._objects:  # many fields may use the default
                lengths = [_items(self._value(one.value), alone=1) for one in value.fields]
                self._objects[id(value)] = max(lengths, default=1)
            return self._objects[id(value)]
        if isinstance(value, Mapping) and is_input_object_type(type_):
            return max((_items(value.get(name), alone=1) for name in type_.fields), default=1)
        return 1


_UNDECIDED: Any = object()
"""The default of a variable for which several operations declare a default, while it is unclear which operation runs.
"""


def _default(argument: GraphQLArgument) -> Any:
    if argument.default is None:
        return argument.default_value
    return argument.default.value if argument.default.literal is None else argument.default.literal


def _count(name: str, value: Any, both_ways: bool) -> int:
    """Returns how many objects the argument `first` or `last` asks for. A list with both arguments (`both_ways`) has
    USUAL objects if neither is given.
    """
    if both_ways and (value is Undefined or value is None or isinstance(value, NullValueNode)):
        return USUAL if name == "first" else 1
    if isinstance(value, IntValueNode):  # Python does not convert numbers with too many digits
        value = int(value.value) if len(value.value) <= 10 else None
    if isinstance(value, int) and not isinstance(value, bool):
        return min(max(value, 1), LARGEST)
    return LARGEST


def _items(value: Any, alone: int = LARGEST) -> int:
    if isinstance(value, ListValueNode):
        return min(len(value.values), LARGEST)
    if isinstance(value, (list, tuple)):
        return min(len(value), LARGEST)
    one = value is None or value is Undefined or isinstance(value, (str, StringValueNode, ObjectValueNode, Mapping))
    return 1 if one else alone


def flattened(value: ValueNode) -> Sequence[tuple[ValueNode, int]]:
    """Returns a literal and all values inside it. Each comes with the index, in the returned sequence, of the value
    that contains it; -1 for the literal itself. Works without recursion, so that deep values cannot exhaust the stack.
    """
    values: list[tuple[ValueNode, int]] = [(value, -1)]
    for at, (one, _) in enumerate(values):  # grows during the loop
        if isinstance(one, ListValueNode):
            values += [(item, at) for item in one.values]
        elif isinstance(one, ObjectValueNode):
            values += [(member.value, at) for member in one.fields]
    return values
