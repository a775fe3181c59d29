"""Counts the values that are nested in arguments and variables, before these are used. The functions are not recursive,
so that deep values cannot exhaust the stack.
"""

from collections.abc import Sequence
from typing import Any

from graphql import ListValueNode, ObjectValueNode, ValueNode


def measured(value: Any) -> tuple[int, int]:
    """Returns the number of values in a JSON value, including itself, and the depth to which lists and objects are
    nested (0 for a string or number).
    """
    values, depth, level = 1, 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one)]
        values, depth = values + len(level), depth + 1
    return values, depth


def flattened(value: ValueNode) -> Sequence[tuple[ValueNode, int]]:
    """Returns a literal and all values inside it. Each comes with the index, in the returned sequence, of the value
    that contains it; -1 for the literal itself.
    """
    values: list[tuple[ValueNode, int]] = [(value, -1)]
    for at, (one, _) in enumerate(values):  # grows during the loop
        if isinstance(one, ListValueNode):
            values += [(item, at) for item in one.values]
        elif isinstance(one, ObjectValueNode):
            values += [(member.value, at) for member in one.fields]
    return values
