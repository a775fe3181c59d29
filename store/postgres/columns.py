"""Turns rows into columns: the array parameters that `unnest` takes."""

from collections.abc import Iterable, Sequence
from typing import Any


def columns(rows: Iterable[Sequence[Any]], *names: str) -> dict[str, list[Any]]:
    """Returns the parameters of a statement: for each name, an array of the values in that column of the rows."""
    each = list(zip(*rows, strict=True)) or [()] * len(names)
    return {name: list(values) for name, values in zip(names, each, strict=True)}
