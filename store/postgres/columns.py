"""Turns rows into the columns that `unnest` takes."""

from collections.abc import Iterable, Sequence
from typing import Any


def columns(rows: Iterable[Sequence[Any]], *names: str) -> dict[str, list[Any]]:
    """Returns a statement's parameters: a list of values for each name, in the order of the rows."""
    each = list(zip(*rows, strict=True)) or [()] * len(names)
    return {name: list(values) for name, values in zip(names, each, strict=True)}
