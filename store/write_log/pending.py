"""Pending changes, and how a reader adds the changes of its viewer to a counter exactly once.

A pending change is acknowledged, but stored or cached values may not include it yet. The pending changes of an actor
are a hash in Redis with a field for each object that the actor has changed: the state before the changes, then each
change with its journal id. A counter has, for each partition, the version of the newest change that it includes. All
changes of an actor are in one partition, and are stored in order. So one comparison shows which changes of the actor a
counter includes, whether the counter comes from a row, from the cache, or from a local copy.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from cachetools import LRUCache

from domain.versions import entry_id, version_of
from models.counters import Counter, EntityRef
from store.keys import Keys
from store.redis.calls import resolved
from store.redis.client import Redis
from store.redis.connection import RedisCommand
from store.scripts import SWEEP

_AT_ONCE = 2000
"""The most changes that one call of a script removes. Lua unpacks at most 8000 values, and other commands wait while a
script runs.
"""
_FEW = 16
"""Up to this many pending changes of an actor, all are always read together."""
_REMEMBERED = 1000
"""For how many actors a process remembers that they had more than `_FEW` pending changes."""

PendingKey = tuple[str, EntityRef]
"""The key of an actor's pending changes: the kind of change, such as `react`, and the changed object."""


class PendingHistory:
    """The changes of one object by one actor that stored or cached values may not include yet, oldest first, and the
    state before them. A state is a number, such as 1 for liked. Changes are only parsed when they are needed.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes) -> None:
        """`raw` is the value of a field of the Redis hash of pending changes: `base id=state id=state …`. The base is
        the state before the changes, and an id is a journal id.
        """
        self._raw = raw

    @property
    def version(self) -> int:
        """Returns the version of the latest change."""
        return version_of(self._raw[self._raw.rindex(b" ") + 1 : self._raw.rindex(b"=")])

    @property
    def latest(self) -> int:
        """Returns the state after the latest change, which the actor must see."""
        return int(self._raw[self._raw.rindex(b"=") + 1 :])

    @property
    def states(self) -> list[int]:
        """Returns the states before and after each of the changes, oldest first; 0 for an unknown one."""
        base, *changes = self._raw.split(b" ")
        return [0 if base == b"?" else int(base), *(int(one[one.rindex(b"=") + 1 :]) for one in changes)]

    def seen_at(self, included: int) -> int | None:
        """Returns the state that the object has in a value that includes the actor's changes up to the version
        `included`. Returns None if the state is unknown, because neither the cache nor Postgres could be read when the
        first change was made.
        """
        base, *changes = self._raw.split(b" ")
        for one in reversed(changes):
            change, _, state = one.partition(b"=")
            if version_of(change) <= included:
                return int(state)
        return None if base == b"?" else int(base)


def overlay(
    counter: Counter, partition: int, histories: Iterable[PendingHistory], weight: Callable[[int], int]
) -> int | None:
    """Returns the value of a counter as the actor of `histories` must see it: the stored value, changed so that it
    includes each pending change exactly once. Never negative. `partition` is the actor's partition. `weight` returns
    how much an object in a given state adds to the counter.

    Returns None if it is unknown what a change has added to the counter.
    """
    included, value = counter.included.get(str(partition), 0), counter.value
    for history in histories:
        seen = history.seen_at(included)
        if seen is None:
            return None
        value += weight(history.latest) - weight(seen)
    return max(0, value)


@dataclass(frozen=True, slots=True)
class Pending:
    """Pending changes of one actor: those that stored or cached values may not include yet. `partition` is the actor's
    partition. `histories` has the changes for each kind of change and object.
    """

    partition: int
    histories: Mapping[PendingKey, PendingHistory] = field(default_factory=dict)

    def among(self, what: str, refs: Iterable[EntityRef]) -> dict[EntityRef, PendingHistory]:
        """Returns the pending changes of the kind `what` to the objects `refs`, by object."""
        histories = self.histories
        return {ref: histories[what, ref] for ref in refs if (what, ref) in histories} if histories else {}

    def all_of(self, what: str) -> dict[EntityRef, PendingHistory]:
        """Returns the pending changes of the kind `what` to all objects, by object."""
        return {ref: history for (kind, ref), history in self.histories.items() if kind == what}

    def by_object(self) -> dict[EntityRef, dict[str, PendingHistory]]:
        """Returns all pending changes, by object, then by kind of change."""
        found: dict[EntityRef, dict[str, PendingHistory]] = {}
        for (what, ref), history in self.histories.items():
            found.setdefault(ref, {})[what] = history
        return found

    def __or__(self, other: "Pending") -> "Pending":
        """Returns the pending changes of both operands, which must be of the same actor."""
        return Pending(self.partition, {**self.histories, **other.histories})


class PublishedChange(NamedTuple):
    """A change that is stored, and whose cached values were replaced. `PendingStore.sweep` removes it from the pending
    changes when no older copy of the counters is in use any more.
    """

    actor_id: int
    change: PendingKey
    version: int


def field_of(what: str, ref: EntityRef) -> str:
    """Returns the field that has the changes of the kind `what` to an object in the hash of pending changes."""
    return f"{what}:{ref.business_id}:{ref.entity_id}"


def parse(raw: Sequence[bytes]) -> dict[PendingKey, PendingHistory]:
    """Parses a Redis hash of pending changes, as HGETALL returns it: names and values of fields by turns."""
    return {_change(name): PendingHistory(history) for name, history in zip(raw[::2], raw[1::2], strict=True)}


def _change(name: bytes) -> PendingKey:
    what, business, entity = name.decode().split(":")
    return what, EntityRef(int(business), int(entity))


class PendingStore:
    """The pending changes of all actors in Redis. Changes of follows are in a hash of their own, so that they can be
    read without the actor's other changes. Blocks and mutes also have their own hash, which only scripts read.

    While writes are direct (to Postgres, because Redis is down), nothing is pending. Then the methods that read send no
    command, and return no changes.
    """

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._counts: LRUCache[int, int] = LRUCache(_REMEMBERED)
        """By actor, the number of fields in the hash when this process last read it, if they were more than `_FEW`."""

    def count(self, actor_id: int) -> int:
        """Returns how many objects with pending changes an actor had when this process last read them; 0 if there were
        at most 16, or if the process does not remember.
        """
        return self._counts.get(actor_id, 0)

    def get(self, actor_id: int) -> "asyncio.Future[Pending]":
        """Reads all pending changes of an actor except those of follows, blocks and mutes. The command is queued at
        once, even if the future is not awaited.
        """

        def read(partition: int, raw: Sequence[bytes]) -> Pending:
            self._remember(actor_id, len(raw) // 2)
            return Pending(partition, parse(raw))

        return self._ask(actor_id, ("HGETALL", self._keys.pending(actor_id)), read)

    def get_some(self, actor_id: int, wanted: Sequence[PendingKey]) -> "asyncio.Future[Pending]":
        """Reads the pending changes of an actor that `wanted` names by kind and object. `wanted` must not be empty, and
        must not contain follows, blocks or mutes. The commands are queued at once, even if the future is not awaited.
        """
        key, fields = self._keys.pending(actor_id), [field_of(*change) for change in wanted]
        self._redis("HLEN", key, read=partial(self._remember, actor_id))

        def read(partition: int, raw: Sequence[bytes | None]) -> Pending:
            found = zip(wanted, raw, strict=True)
            return Pending(partition, {change: PendingHistory(history) for change, history in found if history})

        return self._ask(actor_id, ("HMGET", key, *fields), read)

    def get_of(self, actor_id: int, what: str) -> "asyncio.Future[Pending]":
        """Reads the whole hash that has an actor's pending changes of the kind `what`, such as `follow`; it may have
        changes of other kinds too. The command is queued at once, even if the future is not awaited.
        """
        command = "HGETALL", self._keys.pending(actor_id, what)
        return self._ask(actor_id, command, lambda partition, raw: Pending(partition, parse(raw)))

    def _ask(
        self, actor_id: int, command: RedisCommand, read: Callable[[int, Sequence[Any]], Pending]
    ) -> "asyncio.Future[Pending]":
        partition = self._keys.partition_of(actor_id)
        if self._redis.is_suspended:
            return resolved(Pending(partition))
        return self._redis(*command, read=partial(read, partition))

    def _remember(self, actor_id: int, count: int) -> None:
        if count > _FEW:
            self._counts[actor_id] = count
        elif actor_id in self._counts:
            del self._counts[actor_id]

    async def sweep(self, published: Iterable[PublishedChange]) -> None:
        """Removes published changes from the pending changes in Redis. Call this method only for changes that were
        published longer ago than any request lasts.
        """
        changes = list(published)
        parts = (changes[at : at + _AT_ONCE] for at in range(0, len(changes), _AT_ONCE))
        calls = (call for part in parts for call in self._calls(part))
        await asyncio.gather(*[self._redis.run(SWEEP, keys, args) for keys, args in calls])

    def _calls(self, published: Iterable[PublishedChange]) -> Iterable[tuple[list[str], list[object]]]:
        """Returns, for each partition, the keys and arguments of the script call that removes its published changes."""
        newest: dict[tuple[int, str], dict[str, int]] = {}
        for actor_id, (what, ref), version in published:
            fields, name = newest.setdefault((actor_id, self._keys.pending(actor_id, what)), {}), field_of(what, ref)
            fields[name] = max(version, fields.get(name, 0))
        calls: dict[int, tuple[list[str], list[object]]] = {}
        for (actor_id, key), fields in newest.items():
            keys, args = calls.setdefault(self._keys.partition_of(actor_id), ([], []))
            keys.append(key)
            args += [len(fields), *chain.from_iterable((name, entry_id(version)) for name, version in fields.items())]
        return calls.values()
