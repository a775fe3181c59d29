"""Fields that need a lookup, declared once: which loader, which key, and how the loaded value becomes the field.

The declaration yields the resolver that graphql-core runs, and stays in the field's metadata, under `Lookup`, for the
plans of `execution/`, which run it over a whole list of parents.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from inspect import Parameter, Signature
from operator import attrgetter
from typing import Annotated, Any, TypeVar

import strawberry
from strawberry import UNSET

from context import Context
from execution.fields import Batched, Listed
from loaders import Loaders
from loaders.loader import Loader
from models.counters import EntityRef

T = TypeVar("T")
Info = strawberry.Info[Context, None]
KEYWORD = Parameter.POSITIONAL_OR_KEYWORD
Lookup = "lookup"
"""Where a field's metadata holds its `Batched` or `Listed`."""
PERSONAL = {"personal": True}
"""The metadata of fields that say something else to everybody: no shared cache may keep an answer with one of them."""


def _as_loaded(value: Any) -> Any:
    return value


def batched(
    loader: Callable[[Loaders], Loader[Any, Any]],
    key: Callable[..., Any],
    value: Callable[[Any], Any] = _as_loaded,
    *,
    description: str,
    personal: bool = False,
    **arguments: tuple[Any, Any],
) -> Any:
    """A field answered by one trip of `loader` for all parents of a level: `value(loaded[key(parent)])`.

    `arguments` are the field's, each a type and a default; `key` gets them by name.
    """
    return _looked_up(Batched(_through(loader), key, value), description, arguments, personal)


_REF = attrgetter("ref")
_COUNTS = attrgetter("counts")
"""All counters of a level share these, and so one lookup."""


def counted(counter: str, description: str, key: Callable[[Any], EntityRef | None] = _REF) -> Any:
    """A field of one of an entity's counters, as the viewer must see it."""
    return batched(_COUNTS, key=key, value=attrgetter(counter), description=description)


def listed(
    resolve: Callable[..., Awaitable[Sequence[Any]]],
    *,
    description: str,
    personal: bool = False,
    **arguments: tuple[Any, Any],
) -> Any:
    """A field whose resolver takes all parents of a level at once: `resolve(context, parents, **arguments)`."""
    return _looked_up(Listed(resolve), description, arguments, personal)


@cache
def _through(loader: Callable[[Loaders], Loader[Any, Any]]) -> Callable[[Context], Loader[Any, Any]]:
    return lambda context: loader(context.loaders)


def _looked_up(spec: Batched | Listed, description: str, arguments: dict[str, Any], personal: bool) -> Any:
    async def resolve(root: Any, info: Any, **given: Any) -> Any:
        return await spec.one(info.context, root, without_unset(given))

    own = [Parameter("root", KEYWORD, annotation=Any), Parameter("info", KEYWORD, annotation=Info)]
    own += [Parameter(name, KEYWORD, default=default, annotation=type_) for name, (type_, default) in arguments.items()]
    resolve.__signature__ = Signature(own)  # type: ignore[attr-defined]
    resolve.__annotations__ = {one.name: one.annotation for one in own}
    metadata = {Lookup: spec, **(PERSONAL if personal else {})}
    return strawberry.field(resolver=resolve, description=description, metadata=metadata)


def without_unset(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that were given."""
    return {name: value for name, value in arguments.items() if value is not UNSET}


def given(value: T | None) -> T | None:
    """An optional argument, None where it was left out."""
    return None if value is UNSET else value


def row_type(row: type) -> Callable[[Any, Any], bool]:
    """`is_type_of` for a schema type whose objects are rows of one class."""

    def is_type_of(value: Any, _info: Any) -> bool:
        return isinstance(value, row)

    return is_type_of


First = Annotated[int, strawberry.argument(description="The maximum number of items to return: 1 to 100.")]
After = Annotated[
    str | None,
    strawberry.argument(description="A cursor of this list. The page starts after it. Omit it for the first page."),
]
BusinessName = Annotated[
    str,
    strawberry.argument(description="The name of a business, such as `post`, `comment` or `video`."),
]
PAGE: dict[str, Any] = {"first": (First, 20), "after": (After, UNSET)}
"""The arguments of a connection."""
