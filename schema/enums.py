"""Enums that are defined elsewhere, given to clients with a word for each value."""

from enum import Enum

import strawberry


def describe_enum(enum: type[Enum], description: str, **values: str) -> None:
    """Makes an enum one of the schema's; `values` says what each means. Raises KeyError for one that is left out."""
    strawberry.enum(enum, description=description)
    for value in enum.__strawberry_definition__.values:  # type: ignore[attr-defined]
        value.description = values[value.name]
