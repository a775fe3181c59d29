"""How a schema tells what a field needs, so that it can be answered for a whole list of parents at once."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Rows = Sequence[Any]
Column = Sequence[Any]
"""One value per row, in order; an exception instead of a value stands for a field that failed."""


class Loads(Protocol):
    """What a loader must be able to do: values in the order of their keys, in one trip for all that ask in one tick."""

    async def load_many(self, keys: list[Any]) -> list[Any]:
        """Raises what the trip failed with."""


@dataclass(frozen=True, slots=True)
class Batched:
    """`value(loaded[key(row, **arguments)])`; a key of None means that the field is null and nothing is loaded."""

    loader: Callable[[Any], Loads]
    key: Callable[..., Any]
    value: Callable[[Any], Any]

    async def one(self, context: Any, row: Any, arguments: Mapping[str, Any]) -> Any:
        """The field of a single row, which others of the same tick share a trip with."""
        key = self.key(row, **arguments)
        if key is None:
            return None
        (loaded,) = await self.loader(context).load_many([key])
        return self.value(loaded)

    async def column(self, context: Any, rows: Rows, arguments: Mapping[str, Any]) -> Column:
        """The field of every row."""
        keys = [self.key(row, **arguments) for row in rows]
        wanted = [key for key in keys if key is not None]
        loaded = await self.loader(context).load_many(wanted) if wanted else []
        if len(wanted) == len(keys):
            return list(map(self.value, loaded))
        rest = iter(loaded)
        return [None if key is None else self.value(next(rest)) for key in keys]


@dataclass(frozen=True, slots=True)
class Listed:
    """A field whose resolver takes all rows of a level and gives a value for each."""

    resolve: Callable[..., Awaitable[Column]]

    async def one(self, context: Any, row: Any, arguments: Mapping[str, Any]) -> Any:
        """The field of a single row."""
        (value,) = await self.resolve(context, [row], **arguments)
        if isinstance(value, Exception):
            raise value
        return value

    async def column(self, context: Any, rows: Rows, arguments: Mapping[str, Any]) -> Column:
        """The field of every row."""
        return await self.resolve(context, rows, **arguments)
