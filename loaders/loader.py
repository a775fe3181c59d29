"""Loaders of one request. They load whole columns of keys, with one task for all keys of a batch and no future for each
key. Resolvers load single keys through aiodataloader.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Generator, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MethodType
from typing import Any, Generic, TypeVar

from aiodataloader import DataLoader

from observability import tracing

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Each = Sequence[V | Exception]
"""A value for each key, with an exception in place of each value that could not be loaded."""

Batch = asyncio.Task[Mapping[Any, Exception]]
"""A running batch. Its result maps each key that failed to its exception. The batch raises no exception itself, because
its request may have ended, and asyncio would log the exception as never retrieved.
"""

_NO_FAILURES: Mapping[Any, Exception] = {}


class PendingValues(Awaitable[list[Any]], Generic[K, V]):
    """An awaitable for the values of keys that running batches load."""

    __slots__ = ("_batches", "_each", "_keys", "_known")

    def __init__(self, keys: Sequence[K], known: Mapping[K, V], batches: Collection[Batch], each: bool) -> None:
        self._keys = keys
        self._known = known
        self._batches = batches
        self._each = each

    def __await__(self) -> Generator[Any, None, list[Any]]:
        failed: dict[K, Exception] = {}
        for batch in self._batches:
            if failures := batch.result() if batch.done() else (yield from asyncio.shield(batch).__await__()):
                failed |= failures
        known = self._known
        if not failed:
            return list(map(known.__getitem__, self._keys))
        values = [known[key] if key in known else failed[key] for key in self._keys]
        if not self._each and (error := next((one for one in values if isinstance(one, Exception)), None)):
            raise error
        return values


class Loader(Generic[K, V]):
    """A loader that reads each key once per request, however often the key is asked for.

    `fetch` returns the values of a list of keys, with an exception in place of each value that it could not load. If
    `fetch` itself raises an exception, all these keys have failed.
    """

    __slots__ = ("_batches", "_beside", "_by_key", "_fetch", "_known", "_name", "_queued")

    def __init__(
        self,
        name: str,
        fetch: Callable[[list[K]], Awaitable[Each[V]]],
        beside: Callable[[Sequence[K]], object] | None = None,
    ) -> None:
        """Traces show `name`. `beside` is called with the keys of each read before the read begins. What it asks other
        loaders for is read in the same round trip.
        """
        self._name = name
        self._fetch = fetch
        self._beside = beside
        self._known: dict[K, V] = {}
        self._batches: dict[K, Batch] = {}
        self._queued: list[K] = []
        """The keys of the next batch, which is sent in the next turn of the event loop."""
        self._by_key: DataLoader[K, V] | None = None
        """Loads single keys for resolvers. Made when first used, because plans load whole columns of keys."""

    def load(self, key: K) -> "asyncio.Future[V]":
        """Returns a future for the value of a key. The future raises the exception of the key."""
        if self._by_key is None:
            self._by_key = DataLoader(self._load_each)
        return self._by_key.load(key)

    async def load_many(self, keys: Sequence[K]) -> list[V]:
        """Returns the values in the order of their keys. All keys asked for in one turn of the event loop are one
        batch.
        """
        return await self.ask(keys)

    async def _load_each(self, keys: Sequence[K]) -> list[V]:
        """Loads keys for `load`, with an exception in place of each value that could not be loaded."""
        return await self.ask(keys, each=True)

    def ask(self, keys: Sequence[K], *, each: bool = False) -> "PendingValues[K, V]":
        """Starts to load keys, and returns an awaitable for their values, which need not be awaited.

        Awaiting raises the first exception of any key. With `each`, exceptions are returned among the values instead.
        """
        missing = [key for key in keys if key not in self._known] if self._known else keys
        return PendingValues(keys, self._known, self._batches_of(missing) if missing else (), each)

    def prime(self, key: K, value: V) -> None:
        """Stores the value of a key that is known already."""
        self._known[key] = value

    def prime_all(self, values: Iterable[tuple[K, V]]) -> None:
        """Stores the values of keys that are known already."""
        self._known.update(values)

    def clear(self, key: K) -> None:
        """Forgets the future of a key, so that `load` looks the key up again."""
        if self._by_key:
            self._by_key.clear(key)

    def release(self) -> None:
        """Drops the DataLoader, which refers to this loader."""
        self._by_key = None

    def _batches_of(self, keys: Sequence[K]) -> Collection[Batch]:
        """Returns the batches that load these keys. Adds keys that no running batch loads to the next batch."""
        running = self._batches
        if self._beside:
            self._beside(keys)
        if not running:
            self._queued = list(dict.fromkeys(keys))
            batch = asyncio.get_running_loop().create_task(self._send())
            running.update(dict.fromkeys(self._queued, batch))
            return (batch,)
        batches = {running[key] for key in keys if key in running}
        if new := dict.fromkeys(key for key in keys if key not in running):
            batch = running[self._queued[0]] if self._queued else asyncio.get_running_loop().create_task(self._send())
            running.update(dict.fromkeys(new, batch))
            self._queued += new
            batches.add(batch)
        return batches

    async def _send(self) -> Mapping[K, Exception]:
        keys, self._queued = self._queued, []
        span = tracing.begin_load(self._name, len(keys)) if tracing.tracer else None
        try:
            answers = await self._fetch(keys)
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
    """Makes a method an attribute: the loader whose `fetch` is the method. The attribute has the name of the method."""

    def loader(self: Any) -> Loader[K, V]:
        return Loader(fetch.__name__, MethodType(fetch, self))

    loader.__doc__ = fetch.__doc__
    return cached_property(loader)


def release(owner: object) -> None:
    """Drops all attributes of an object that has loaders. The loaders and their functions refer to each other, so their
    memory would be free only after the next run of the garbage collector.
    """
    for value in vars(owner).values():
        for loader in value.values() if isinstance(value, dict) else (value,):
            if isinstance(loader, Loader):
                loader.release()
    vars(owner).clear()
