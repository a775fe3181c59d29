"""How large values are, counted without recursion and before anything else is made of them."""

from collections.abc import Sequence
from typing import Any

from graphql import ListValueNode, ObjectValueNode, ValueNode


def measured(value: Any) -> tuple[int, int]:
    """How many values a JSON value is, itself included, and how many levels of lists and objects it has."""
    values, depth, level = 1, 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one)]
        values, depth = values + len(level), depth + 1
    return values, depth


def flattened(value: ValueNode) -> Sequence[tuple[ValueNode, int]]:
    """A literal and everything in it, each with the place of what it is in; -1 for the literal itself."""
    values: list[tuple[ValueNode, int]] = [(value, -1)]
    for at, (one, _) in enumerate(values):  # grows meanwhile
        if isinstance(one, ListValueNode):
            values += [(item, at) for item in one.values]
        elif isinstance(one, ObjectValueNode):
            values += [(member.value, at) for member in one.fields]
    return values
