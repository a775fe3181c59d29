"""A function that makes GraphQL enums of Python enums that are defined elsewhere."""

from enum import Enum

import strawberry

from dependencies.strawberry import enum_values


def describe_enum(enum: type[Enum], description: str, **values: str) -> None:
    """Makes a Python enum a GraphQL enum. `values` has the description of each value, by its name. Raises KeyError if
    one is missing.
    """
    strawberry.enum(enum, description=description)
    for value in enum_values(enum):
        value.description = values[value.name]
