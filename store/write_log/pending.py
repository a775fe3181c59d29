"""Pending changes, and how a reader adds the changes of its viewer to a counter exactly once.

The pending set of an actor has a field for each thing that the actor has changed: the state before the changes, then
each change with its journal id. A counter has, for each partition, the newest event that it includes. All events of an
actor are in one partition, and a partition is applied in order. So one comparison shows which changes of the actor a
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
"""How many changes one script call removes. Lua unpacks at most 8000 values, and other commands wait for a script."""
_FEW = 16
"""The most pending changes of an actor that are always read at once."""
_REMEMBERED = 1000
"""For how many actors a process remembers that they had more pending changes."""

PendingKey = tuple[str, EntityRef]
"""The subject of a pending change: the kind of change, and the object."""


class PendingHistory:
    """The pending changes of one object by one actor, oldest first, and the state before the changes. A change is
    parsed when it is needed.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes) -> None:
        """`raw` is the value of a field of the Redis hash of pending changes: `base id=state id=state …`."""
        self._raw = raw

    @property
    def version(self) -> int:
        """Returns the version of the latest change."""
        return version_of(self._raw[self._raw.rindex(b" ") + 1 : self._raw.rindex(b"=")])

    @property
    def latest(self) -> int:
        """Returns the state after the latest change, which the actor must see."""
        return int(self._raw[self._raw.rindex(b"=") + 1 :])

    def seen_at(self, included: int) -> int | None:
        """Returns the state that a value shows if it includes the actor's events up to `included`; None if that is
        unknown, because neither the cache nor Postgres could be read.

        Parses the changes that the value lacks, and one more.
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
    """Returns a counter as the actor of `histories` must see it: the stored value, changed so that it includes each
    pending change exactly once. Never negative. `partition` is the actor's partition. `weight` returns how much an
    object in a given state adds to the counter.

    Returns None if it is unknown which of the changes the counter includes.
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
    """Pending changes of one actor, whose partition is `partition`: a history for each kind of change and object."""

    partition: int
    histories: Mapping[PendingKey, PendingHistory] = field(default_factory=dict)

    def among(self, what: str, refs: Iterable[EntityRef]) -> dict[EntityRef, PendingHistory]:
        """Returns the pending histories of one kind of change to these objects, by object."""
        histories = self.histories
        return {ref: histories[what, ref] for ref in refs if (what, ref) in histories} if histories else {}

    def all_of(self, what: str) -> dict[EntityRef, PendingHistory]:
        """Returns the pending histories of one kind of change, by object."""
        return {ref: history for (kind, ref), history in self.histories.items() if kind == what}

    def by_object(self) -> dict[EntityRef, dict[str, PendingHistory]]:
        """Returns the pending histories of each object, by kind of change."""
        found: dict[EntityRef, dict[str, PendingHistory]] = {}
        for (what, ref), history in self.histories.items():
            found.setdefault(ref, {})[what] = history
        return found

    def __or__(self, other: "Pending") -> "Pending":
        """Returns the pending changes of both operands, which must be of the same actor."""
        return Pending(self.partition, {**self.histories, **other.histories})


class PublishedChange(NamedTuple):
    """A published change, which `PendingStore.sweep` removes from the pending changes when no older copy of the
    counters is in use any more.
    """

    actor_id: int
    change: PendingKey
    version: int


def field_of(what: str, ref: EntityRef) -> str:
    """Returns the field that an object has in the Redis hash of pending changes."""
    return f"{what}:{ref.business_id}:{ref.entity_id}"


def parse(raw: Sequence[bytes]) -> dict[PendingKey, PendingHistory]:
    """Returns the pending histories in the flat answer of HGETALL."""
    return {_change(name): PendingHistory(history) for name, history in zip(raw[::2], raw[1::2], strict=True)}


def _change(name: bytes) -> PendingKey:
    what, business, entity = name.decode().split(":")
    return what, EntityRef(int(business), int(entity))


class PendingStore:
    """The pending changes of all actors in Redis. Follows have a hash of their own, so that the follows of an actor can
    be read without the actor's other changes. So have blocks and mutes of users and threads, which only scripts read.

    While writes are direct, nothing is pending. Then the methods that read send no command, and return no changes.
    """

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._counts: LRUCache[int, int] = LRUCache(_REMEMBERED)
        """How many fields the hash of an actor had when this process last read the hash, if they were many."""

    def count(self, actor_id: int) -> int:
        """Returns how many things an actor had changed when this process last read the pending changes; 0 if they were
        few.
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
        """Reads the wanted pending changes of an actor. `wanted` must not be empty, and must not contain follows,
        blocks or mutes. The commands are queued at once.
        """
        key, fields = self._keys.pending(actor_id), [field_of(*change) for change in wanted]
        self._redis("HLEN", key, read=partial(self._remember, actor_id))

        def read(partition: int, raw: Sequence[bytes | None]) -> Pending:
            found = zip(wanted, raw, strict=True)
            return Pending(partition, {change: PendingHistory(history) for change, history in found if history})

        return self._ask(actor_id, ("HMGET", key, *fields), read)

    def get_of(self, actor_id: int, what: str) -> "asyncio.Future[Pending]":
        """Reads the pending changes of an actor that are stored together with those of the kind of own set `what`. The
        command is queued at once.
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
        """Removes published changes from the pending changes in Redis. Call it when each was published longer ago than
        any request lasts.
        """
        changes = list(published)
        parts = (changes[at : at + _AT_ONCE] for at in range(0, len(changes), _AT_ONCE))
        calls = (call for part in parts for call in self._calls(part))
        await asyncio.gather(*[self._redis.run(SWEEP, keys, args) for keys, args in calls])

    def _calls(self, published: Iterable[PublishedChange]) -> Iterable[tuple[list[str], list[object]]]:
        """Returns the keys and arguments of the script calls that remove published changes, one call for each
        partition.
        """
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
