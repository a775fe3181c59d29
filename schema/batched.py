"""Fields that need a lookup, declared once: which loader, which key, and how the loaded value becomes the field.

Today the declaration yields the DataLoader resolver. It stays on the field, under `field.metadata[Batched]`, in a form
that can as well be run over a whole list of parents at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import strawberry
from aiodataloader import DataLoader
from strawberry import UNSET

from context import Context
from loaders import Loaders

T = TypeVar("T")
Info = strawberry.Info[Context, None]


@dataclass(frozen=True, slots=True)
class Batched:
    """`key(row, **arguments)` of None means that the field is null and nothing is loaded."""

    loader: Callable[[Loaders], DataLoader[Any, Any]]
    key: Callable[..., Any]
    value: Callable[[Any], Any]


def _as_loaded(value: Any) -> Any:
    return value


def batched(
    loader: Callable[[Loaders], DataLoader[Any, Any]],
    key: Callable[[Any], Any],
    value: Callable[[Any], Any] = _as_loaded,
    *,
    description: str,
) -> Any:
    """A field answered by one trip of `loader` for all parents of a level: `value(loaded[key(parent)])`."""
    spec = Batched(loader, key, value)

    async def resolve(root: Any, info: Info) -> Any:
        wanted = spec.key(root)
        return None if wanted is None else spec.value(await spec.loader(info.context.loaders).load(wanted))

    return strawberry.field(resolver=resolve, description=description, metadata={Batched: spec})


def given(value: T | None) -> T | None:
    """An optional argument, None where it was left out."""
    return None if value is UNSET else value


def row_type(row: type) -> Callable[[Any, Any], bool]:
    """`is_type_of` for a schema type whose objects are rows of one class."""

    def is_type_of(value: Any, _info: Any) -> bool:
        return isinstance(value, row)

    return is_type_of


__all__ = ["Batched", "Info", "batched", "given", "row_type"]
