"""Functions that declare GraphQL fields whose values are looked up in batches, and the arguments of paged lists.

Each function makes a resolver, which graphql-core runs for one parent object. It also stores the lookup in the field's
metadata under `Lookup`, so that the compiled plans of `execution/` can look up the values for a whole list of parents.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import Parameter, Signature
from operator import attrgetter, methodcaller
from typing import Annotated, Any, TypeVar

import strawberry
from strawberry import UNSET

from context import Context
from execution.fields import Batched, Listed, Loads
from models.counters import EntityRef

T = TypeVar("T")
Info = strawberry.Info[Context, None]
KEYWORD = Parameter.POSITIONAL_OR_KEYWORD
Lookup = "lookup"
"""The metadata key under which a field stores its `Batched` or `Listed`."""


def batched(
    loader: Callable[[Context], Loads],
    key: Callable[..., Any],
    value: Callable[[Any], Any] = lambda loaded: loaded,
    *,
    description: str,
    metadata: Mapping[str, Any] | None = None,
    **arguments: tuple[Any, Any],
) -> Any:
    """Declares a field whose values a loader reads in one batch for all parent objects.

    `loader` returns the loader of a request. `key` maps a parent to the key that the loader takes, or to None if the
    field is to be null. `value` maps the loaded object to the value of the field. `arguments` are the arguments of the
    field, each with a type and a default; `key` also gets these, by name. `metadata` is what `schema.access.access`
    returns.
    """
    return _looked_up(Batched(loader, key, value), description, arguments, metadata)


_REF = attrgetter("ref")
REACTIONS_REF = attrgetter("reactions_ref")
"""Maps a post, comment or entity to the reference under which its reactions, saves, views and shares are stored; None
for a deleted comment.
"""
_COUNTS = attrgetter("own.counts")
"""Returns the loader of counters for a context. All counter fields of a list of objects share it, so they are loaded in
one batch.
"""


def counted(counter: str | int, description: str, key: Callable[[Any], EntityRef | None] = _REF) -> Any:
    """Declares a field that returns a counter of its parent object, including the viewer's own latest changes.
    `counter` is the name of an attribute of `Counts` (models/counters.py), or the number of the counter.

    `key` maps a parent to the reference under which its counters are stored, or to None if the field is to be null.
    """
    value = attrgetter(counter) if isinstance(counter, str) else methodcaller("of", counter)
    return batched(_COUNTS, key=key, value=value, description=description)


def listed(
    resolve: Callable[..., Sequence[Any] | Awaitable[Sequence[Any]]],
    *,
    description: str,
    metadata: Mapping[str, Any] | None = None,
    **arguments: tuple[Any, Any],
) -> Any:
    """Declares a field whose resolver is called once for all parent objects, with the context, the parents and the
    arguments of the field. The resolver returns one value for each parent, or an awaitable for these values.
    `arguments` are the arguments of the field, each with a type and a default. `metadata` is what
    `schema.access.access` returns.
    """
    return _looked_up(Listed(resolve), description, arguments, metadata)


def _looked_up(
    spec: Batched | Listed, description: str, arguments: dict[str, Any], metadata: Mapping[str, Any] | None
) -> Any:
    async def resolve(root: Any, info: Any, **given: Any) -> Any:
        return await spec.one(info.context, root, without_unset(given))

    own = [Parameter("root", KEYWORD, annotation=Any), Parameter("info", KEYWORD, annotation=Info)]
    own += [Parameter(name, KEYWORD, default=default, annotation=type_) for name, (type_, default) in arguments.items()]
    resolve.__signature__ = Signature(own)  # type: ignore[attr-defined]
    resolve.__annotations__ = {one.name: one.annotation for one in own}
    return strawberry.field(resolver=resolve, description=description, metadata={Lookup: spec, **(metadata or {})})


def without_unset(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a field without those that the caller omitted."""
    return {name: value for name, value in arguments.items() if value is not UNSET}


def given(value: T | None) -> T | None:
    """Returns the value of an optional argument; None if it is UNSET, which means that the caller omitted it."""
    return None if value is UNSET else value


def set_or_cleared(value: str | None) -> str | None:
    """Returns the value of an optional argument that null clears: an empty text for null, and None for UNSET, which
    means that the caller omitted it.
    """
    return None if value is UNSET else value or ""


def row_type(row: type) -> Callable[[Any, Any], bool]:
    """Returns the function `is_type_of` of a GraphQL type: it tells whether an object is of this type, which means that
    it is a `row`.
    """

    def is_type_of(value: Any, _info: Any) -> bool:
        return isinstance(value, row)

    return is_type_of


First = Annotated[
    int,
    strawberry.argument(
        description="The maximum number of items to return: 1 to 100. Any other number fails with `BAD_INPUT`."
    ),
]
FirstOrNone = Annotated[
    int | None,
    strawberry.argument(
        description="The maximum number of items to return, from the beginning of the list or after `after`: 1 to 100. "
        "Any other number fails with `BAD_INPUT`, and so do `first` or `after` together with `last` or `before`. 20 if "
        "`first` and `last` are omitted."
    ),
]
Last = Annotated[
    int | None,
    strawberry.argument(
        description="The maximum number of items to return directly before `before`: 1 to 100, in the same order as "
        "with `first`. Without `before`, the last items of the list. Any other number fails with `BAD_INPUT`."
    ),
]
Before = Annotated[
    str | None,
    strawberry.argument(
        description="The cursor of an item of this list, such as `pageInfo.startCursor` of a page. The page ends "
        "before this item. Needs `last`. Fails with `BAD_CURSOR` as `after` does."
    ),
]
After = Annotated[
    str | None,
    strawberry.argument(
        description="The cursor of an item of this list, such as `pageInfo.endCursor` of the previous page. The page "
        "starts after this item. Omit it for the first page. Fails with `BAD_CURSOR` if the cursor has expired, or is "
        "from another list or another order."
    ),
]
BusinessName = Annotated[
    str,
    strawberry.argument(
        description="The name of a business (a kind of content): `post`, `comment`, or one that the operator of this "
        "deployment has configured, such as `video`."
    ),
]
PAGE: dict[str, Any] = {"first": (First, 20), "after": (After, UNSET)}
"""The arguments of a paged list, for `listed`: each with its type and default."""
BOTH_WAYS: dict[str, Any] = {
    "first": (FirstOrNone, UNSET),
    "after": (After, UNSET),
    "last": (Last, UNSET),
    "before": (Before, UNSET),
}
"""The arguments of a list that can be read in both directions, for `listed`."""
