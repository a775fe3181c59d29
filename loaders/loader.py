"""Loaders of one request. All keys that a loader is asked for in one turn of the event loop are read in one batch, by
one task.

`Loader.ask` loads many keys without a future for each. `Loader.load` loads a single key, for resolvers, through
aiodataloader.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MethodType
from typing import Any, Generic, TypeVar

from aiodataloader import DataLoader

from domain.errors import Unavailable
from observability import tracing
from store.postgres.client import PostgresDown

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")

Each = Sequence[V | Exception]
"""A value for each key, with an exception in place of each value that could not be loaded."""

Batch = asyncio.Task[Mapping[Any, Exception]]
"""A running batch. Its result maps each key that failed to its exception. The batch raises no exception itself, because
its request may have ended, and asyncio would log the exception as never retrieved.
"""

_NO_FAILURES: Mapping[Any, Exception] = {}


async def tried(reading: Awaitable[T]) -> T | PostgresDown:
    """Awaits a read. Returns its result, or the PostgresDown that it raised."""
    try:
        return await reading
    except PostgresDown as error:
        return error


def all_of(values: Iterable[T | Unavailable]) -> list[T]:
    """Returns all values. Raises the first Unavailable among them."""
    read: list[T] = []
    for value in values:
        if isinstance(value, Unavailable):
            raise value
        read.append(value)
    return read


@dataclass(slots=True, eq=False)
class PendingValues(Awaitable[list[Any]], Generic[K, V]):
    """An awaitable for the values of keys that running batches load. `known` has the values once they are loaded. With
    `each`, exceptions are returned among the values instead of raised.
    """

    keys: Sequence[K]
    known: Mapping[K, V]
    batches: Collection[Batch]
    each: bool

    def __await__(self) -> Generator[Any, None, list[Any]]:
        failed: dict[K, Exception] = {}
        for batch in self.batches:
            if failures := batch.result() if batch.done() else (yield from asyncio.shield(batch).__await__()):
                failed |= failures
        known = self.known
        if not failed:
            return list(map(known.__getitem__, self.keys))
        values = [known[key] if key in known else failed[key] for key in self.keys]
        if not self.each and (error := next((one for one in values if isinstance(one, Exception)), None)):
            raise error
        return values


@dataclass(slots=True, eq=False)
class Loader(Generic[K, V]):
    """A loader that reads each key once per request, however often the key is asked for. Traces show `name`.

    `fetch` returns the values of a list of keys, with an exception in place of each value that it could not load. If
    `fetch` itself raises an exception, each of these keys gets this exception.
    """

    name: str
    fetch: Callable[[list[K]], Awaitable[Each[V]]]
    _known: dict[K, V] = field(default_factory=dict, init=False)
    _batches: dict[K, Batch] = field(default_factory=dict, init=False)
    _queued: list[K] = field(default_factory=list, init=False)
    """The keys of the next batch, which is sent in the next turn of the event loop."""
    by_key: DataLoader[K, V] | None = field(default=None, init=False)
    """Loads single keys for resolvers. Made when it is first used."""

    def ask(self, keys: Sequence[K], *, each: bool = False) -> PendingValues[K, V]:
        """Starts to load keys, and returns an awaitable for their values, in the order of the keys. All keys asked for
        in one turn of the event loop are one batch. The keys are loaded even if nobody awaits the result.

        Awaiting raises the first exception of any key. With `each`, exceptions are returned among the values instead.
        """
        running = self._batches
        missing = [key for key in keys if key not in self._known] if self._known else keys
        if new := dict.fromkeys(key for key in missing if key not in running):
            batch = running[self._queued[0]] if self._queued else asyncio.get_running_loop().create_task(self._send())
            running.update(dict.fromkeys(new, batch))
            self._queued += new
        return PendingValues(keys, self._known, {running[key] for key in missing}, each)

    def load(self, key: K) -> "asyncio.Future[V]":
        """Returns a future for the value of a key. The future raises the exception of the key."""
        if self.by_key is None:
            self.by_key = DataLoader(self._load_each)
        return self.by_key.load(key)

    async def _load_each(self, keys: Sequence[K]) -> list[V]:
        """Loads keys for `load`, with an exception in place of each value that could not be loaded."""
        return await self.ask(keys, each=True)

    def prime(self, values: Iterable[tuple[K, V]]) -> None:
        """Stores values that are known already, as pairs of key and value, so that their keys are not loaded."""
        self._known.update(values)

    def clear(self, key: K) -> None:
        """Makes the next `load` of a key try again if its loading has failed. Values that were loaded stay known."""
        if self.by_key:
            self.by_key.clear(key)

    async def _send(self) -> Mapping[K, Exception]:
        keys, self._queued = self._queued, []
        span = tracing.begin_load(self.name, len(keys)) if tracing.tracer else None
        try:
            answers = await self.fetch(keys)
        except Exception as error:  # noqa: BLE001 - raised to the callers
            if span:
                tracing.fail(span, type(error).__name__)
            return dict.fromkeys(keys, error)
        finally:
            for key in keys:
                del self._batches[key]
            if span:
                span.end()
        if not any(issubclass(class_, Exception) for class_ in set(map(type, answers))):
            self._known.update(zip(keys, answers, strict=True))  # type: ignore[arg-type]
            return _NO_FAILURES
        failed = {key: one for key, one in zip(keys, answers, strict=True) if isinstance(one, Exception)}
        self._known.update((key, one) for key, one in zip(keys, answers, strict=True) if key not in failed)  # type: ignore[misc]
        return failed


def loads(fetch: Callable[[Any, Sequence[K]], Awaitable[Each[V]]]) -> cached_property[Loader[K, V]]:
    """Decorator. Replaces a method by an attribute with the same name: a loader that calls the method to load keys."""

    def loader(self: Any) -> Loader[K, V]:
        return Loader(fetch.__name__, MethodType(fetch, self))

    loader.__doc__ = fetch.__doc__
    return cached_property(loader)


def release(*owners: object) -> None:
    """Frees the memory of loaders: removes all attributes of the objects that have them. Otherwise the memory would be
    free only after the next run of the garbage collector, because loaders and their functions refer to each other.
    """
    for owner in owners:
        for value in vars(owner).values():
            for loader in value.values() if isinstance(value, dict) else (value,):
                if isinstance(loader, Loader):
                    loader.by_key = None
        vars(owner).clear()
