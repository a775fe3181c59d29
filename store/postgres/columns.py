"""Turns rows into columns: the array parameters that `unnest` takes."""

from collections.abc import Iterable, Sequence
from typing import Any


def columns(rows: Iterable[Sequence[Any]], *names: str) -> dict[str, list[Any]]:
    """Returns the columns of `rows` as parameters of a statement: the first name has an array with the first value of
    each row, and so on.
    """
    each = list(zip(*rows, strict=True)) or [()] * len(names)
    return {name: list(values) for name, values in zip(names, each, strict=True)}
