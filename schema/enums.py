"""GraphQL enums made of Python enums that are defined elsewhere."""

from enum import Enum

import strawberry

from dependencies.strawberry import enum_values


def describe_enum(enum: type[Enum], description: str, **values: str) -> None:
    """Makes a Python enum a GraphQL enum, with a description of each value. Raises KeyError if a description is
    missing.
    """
    strawberry.enum(enum, description=description)
    for value in enum_values(enum):
        value.description = values[value.name]
