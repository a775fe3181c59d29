"""How a schema tells what a field needs, so that it can be answered for a whole list of parents at once."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

LevelRows = Sequence[Any]
Column = Sequence[Any]
"""One value per row, in order; an exception instead of a value stands for a field that failed."""


class Loads(Protocol):
    """What a loader must be able to do: values in the order of their keys, in one trip for all that ask in one tick."""

    def ask(self, keys: Sequence[Any], *, each: bool = False) -> Awaitable[list[Any]]:
        """On their way when this returns, whoever awaits them and when. Awaiting raises what a key failed with.

        Those who want `each` find it in the key's place.
        """


@dataclass(slots=True)
class LookupRequest:
    """What was asked of a loader for the rows of a level. `wanted` tells for which of them; None for every one."""

    coming: Awaitable[list[Any]]
    wanted: Sequence[bool] | None

    def column(self, loaded: Sequence[Any], value: Callable[[Any], Any]) -> list[Any]:
        """A field of every row, from what has been loaded; null where nothing was wanted."""
        if any(issubclass(class_, Exception) for class_ in set(map(type, loaded))):
            value = _unless_failed(value)
        if self.wanted is None:
            return list(map(value, loaded))
        rest = iter(loaded)
        return [value(next(rest)) if wanted else None for wanted in self.wanted]


def _unless_failed(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda loaded: loaded if isinstance(loaded, Exception) else value(loaded)


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
        (loaded,) = await self.loader(context).ask([key])
        return self.value(loaded)

    def keys(self, rows: LevelRows, arguments: Mapping[str, Any]) -> list[Any]:
        """Returns the key that the loader is asked for, for each row. None for a row that needs no lookup."""
        return [self.key(row, **arguments) for row in rows] if arguments else list(map(self.key, rows))

    def ask(self, context: Any, keys: list[Any]) -> LookupRequest:
        """Asks for what every row needs. Fields of the same loader and keys may share what was asked."""
        loader = self.loader(context)
        if None not in keys:
            return LookupRequest(loader.ask(keys, each=True), None)
        wanted = [key is not None for key in keys]
        return LookupRequest(loader.ask([key for key in keys if key is not None], each=True), wanted)


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

    async def column(self, context: Any, rows: LevelRows, arguments: Mapping[str, Any]) -> Column:
        """The field of every row."""
        return await self.resolve(context, rows, **arguments)
