"""Fields that need a lookup, declared once: which loader, which key, and how the loaded value becomes the field.

Today the declaration yields the DataLoader resolver. It stays on the field, under `field.metadata[Batched]`, in a form
that can as well be run over a whole list of parents at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any, TypeVar

import strawberry
from aiodataloader import DataLoader
from strawberry import UNSET

from context import Context
from loaders import Loaders

T = TypeVar("T")
Info = strawberry.Info[Context, None]
KEYWORD = Parameter.POSITIONAL_OR_KEYWORD


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
    key: Callable[..., Any],
    value: Callable[[Any], Any] = _as_loaded,
    *,
    description: str,
    **arguments: Any,
) -> Any:
    """A field answered by one trip of `loader` for all parents of a level: `value(loaded[key(parent)])`.

    `arguments` are the field's, with their defaults, whose types are theirs; `key` gets them by name.
    """
    spec = Batched(loader, key, value)

    async def resolve(root: Any, info: Any, **given: Any) -> Any:
        wanted = spec.key(root, **given)
        return None if wanted is None else spec.value(await spec.loader(info.context.loaders).load(wanted))

    own = [Parameter("root", KEYWORD, annotation=Any), Parameter("info", KEYWORD, annotation=Info)]
    own += [Parameter(name, KEYWORD, default=one, annotation=type(one)) for name, one in arguments.items()]
    resolve.__signature__ = Signature(own)  # type: ignore[attr-defined]
    resolve.__annotations__ = {one.name: one.annotation for one in own}
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
