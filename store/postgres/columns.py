"""Rows as the columns that `unnest` takes."""

from collections.abc import Iterable, Sequence
from typing import Any


def columns(rows: Iterable[Sequence[Any]], *names: str) -> dict[str, list[Any]]:
    """Returns a statement's parameters: a list of values for each name, in the order of the rows."""
    each = list(rows)
    return {name: [row[at] for row in each] for at, name in enumerate(names)}
