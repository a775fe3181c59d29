"""Descriptions of fields that need a lookup. Plans use them to resolve a field for all parents at once."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

LevelRows = Sequence[Any]
Column = Sequence[Any]
"""One value per row, in order. An exception in place of a value means that the field failed."""


class Loads(Protocol):
    """The interface that a loader must have so that plans can use it. All keys asked for in one turn of the event loop
    are loaded in one batch.
    """

    def load(self, key: Any) -> Awaitable[Any]:
        """Returns an awaitable for the value of one key. Awaiting it raises the exception of the key."""

    def ask(self, keys: Sequence[Any], *, each: bool = False) -> Awaitable[list[Any]]:
        """Starts to load keys, and returns an awaitable for their values, in the order of the keys. Awaiting it raises
        the first exception of a key. With `each`, each exception is in the place of the key's value instead.
        """


@dataclass(slots=True)
class LookupRequest:
    """A request to a loader for the rows of one level of a plan. `wanted` tells which rows need a value; None means all
    rows.
    """

    coming: Awaitable[list[Any]]
    wanted: Sequence[bool] | None

    def column(self, loaded: Sequence[Any], value: Callable[[Any], Any]) -> list[Any]:
        """Returns the value of the field for each row, computed from the loaded values; None for rows that need no
        value.
        """
        if has_exceptions(loaded):
            value = _unless_failed(value)
        if self.wanted is None:
            return list(map(value, loaded))
        rest = iter(loaded)
        return [value(next(rest)) if wanted else None for wanted in self.wanted]


_SOUND: set[type] = set()
"""The classes that were found not to be exceptions."""


def has_exceptions(values: Sequence[Any]) -> bool:
    """Returns whether a column contains exceptions. It looks at each class of values once."""
    if _SOUND.issuperset(map(type, values)):
        return False
    _SOUND.update(class_ for class_ in set(map(type, values)) if not issubclass(class_, BaseException))
    return not _SOUND.issuperset(map(type, values))


def _unless_failed(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda loaded: loaded if isinstance(loaded, Exception) else value(loaded)


@dataclass(frozen=True, slots=True)
class Batched:
    """A field whose value is loaded by a key: `value(loaded[key(row, **arguments)])`. If the key is None, no value is
    loaded and the field is null.
    """

    loader: Callable[[Any], Loads]
    key: Callable[..., Any]
    value: Callable[[Any], Any]

    async def one(self, context: Any, row: Any, arguments: Mapping[str, Any]) -> Any:
        """Returns the value of the field for a single row. Calls in the same turn of the event loop share a batch."""
        key = self.key(row, **arguments)
        if key is None:
            return None
        return self.value(await self.loader(context).load(key))

    def keys(self, rows: LevelRows, arguments: Mapping[str, Any]) -> list[Any]:
        """Returns the loader's key for each row, or None for a row that needs no value."""
        return [self.key(row, **arguments) for row in rows] if arguments else list(map(self.key, rows))

    def ask(self, context: Any, keys: list[Any]) -> LookupRequest:
        """Starts to load the values of these keys, one key for each row. A row whose key is None needs no value. Fields
        with the same loader and keys may share the returned request.
        """
        loader = self.loader(context)
        if None not in keys:
            return LookupRequest(loader.ask(keys, each=True), None)
        wanted = [key is not None for key in keys]
        return LookupRequest(loader.ask([key for key in keys if key is not None], each=True), wanted)


@dataclass(frozen=True, slots=True)
class Listed:
    """A field whose resolver takes all rows of a level and returns a value for each row, or an awaitable for these
    values.
    """

    resolve: Callable[..., Column | Awaitable[Column]]

    async def one(self, context: Any, row: Any, arguments: Mapping[str, Any]) -> Any:
        """Returns the value of the field for a single row."""
        values = self.resolve(context, [row], **arguments)
        (value,) = values if isinstance(values, Sequence) else await values
        if isinstance(value, Exception):
            raise value
        return value
