"""The sizes of values, counted without recursion before the values are used."""

from collections.abc import Sequence
from typing import Any

from graphql import ListValueNode, ObjectValueNode, ValueNode


def measured(value: Any) -> tuple[int, int]:
    """Returns the number of values in a JSON value, including itself, and its depth of lists and objects."""
    values, depth, level = 1, 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one)]
        values, depth = values + len(level), depth + 1
    return values, depth


def flattened(value: ValueNode) -> Sequence[tuple[ValueNode, int]]:
    """Returns a literal and all values inside it, each with the position of the value that contains it; -1 for the
    literal itself.
    """
    values: list[tuple[ValueNode, int]] = [(value, -1)]
    for at, (one, _) in enumerate(values):  # grows during the loop
        if isinstance(one, ListValueNode):
            values += [(item, at) for item in one.values]
        elif isinstance(one, ObjectValueNode):
            values += [(member.value, at) for member in one.fields]
    return values
