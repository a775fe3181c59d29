"""Pending changes, and how a reader adds the changes of its viewer to a counter exactly once.

The pending set of an actor has a field for each thing that the actor has changed: the state before the changes, then
each change with its journal id. A counter has, for each partition, the newest event that it includes. All events of an
actor are in one partition, and a partition is applied in order. So one comparison shows which changes of the actor a
counter includes, whether the counter comes from a row, from the cache, or from a local copy.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple

from models.counters import Counter, EntityRef
from settings import USERS
from store.keys import Keys
from store.redis.client import Redis, resolved
from store.scripts import SWEEP
from store.write_log.journal import entry_id, version_of

REACT, VIEW, SHARE, FOLLOW = "react", "view", "share", "follow"
_AT_ONCE = 2000
"""How many changes one script call removes. Lua unpacks at most 8000 values, and other commands wait for a script."""


@dataclass(frozen=True, slots=True)
class PendingHistory:
    """The pending changes of one object by one actor, as (version, state), oldest first. `base` is the state before the
    changes.
    """

    owner_id: int | None
    base: int | None
    """None if the state was unknown, because neither the cache nor Postgres could be read."""
    changes: tuple[tuple[int, int], ...]

    @property
    def version(self) -> int:
        """Returns the version of the latest change."""
        return self.changes[-1][0]

    @property
    def latest(self) -> int:
        """Returns the state after the latest change, which the actor must see."""
        return self.changes[-1][1]

    def seen_at(self, included: int) -> int | None:
        """Returns the state that a value shows if it includes the actor's events up to `included`; None if that is
        unknown.
        """
        seen = self.base
        for version, state in self.changes:
            if version > included:
                break
            seen = state
        return seen


def overlay(counter: Counter, partition: int, histories: Iterable[PendingHistory], weight: Callable[[int], int]) -> int:
    """Returns a counter as the actor of `histories` must see it: the stored value, changed so that it includes each
    pending change exactly once. Never negative. `weight` returns how much an object in a given state adds to the
    counter.

    Call it only if `is_known` returns True.
    """
    included, value = counter.included.get(str(partition), 0), counter.value
    for history in histories:
        seen = history.seen_at(included)
        assert seen is not None
        value += weight(history.latest) - weight(seen)
    return max(0, value)


def is_known(counter: Counter, partition: int, histories: Iterable[PendingHistory]) -> bool:
    """Returns whether it is known which of the pending changes in `histories` a counter includes."""
    included = counter.included.get(str(partition), 0)
    return all(history.seen_at(included) is not None for history in histories)


@dataclass(frozen=True, slots=True)
class Pending:
    """The pending changes of one actor, by (kind of change, object)."""

    partition: int
    histories: dict[tuple[str, EntityRef], PendingHistory] = field(default_factory=dict)

    def of(self, what: str, ref: EntityRef) -> tuple[PendingHistory, ...]:
        """Returns the pending history of one object as a tuple of at most one item, for `overlay`."""
        history = self.histories.get((what, ref))
        return (history,) if history else ()

    @property
    def affected(self) -> set[EntityRef]:
        """Returns all entities whose counters the pending changes affect: the changed objects and their owners."""
        owners = {EntityRef(USERS, history.owner_id) for history in self.histories.values() if history.owner_id}
        return {ref for _, ref in self.histories} | owners

    def all_of(self, what: str) -> dict[EntityRef, PendingHistory]:
        """Returns the pending histories of one kind of change, by object."""
        return {ref: history for (kind, ref), history in self.histories.items() if kind == what}

    def owned_by(self, what: str, owner_id: int) -> list[PendingHistory]:
        """Returns the pending histories of one kind of change to objects that a user owns."""
        return [h for (kind, _), h in self.histories.items() if kind == what and h.owner_id == owner_id]


class PublishedChange(NamedTuple):
    """A change that is published. It is removed from the pending changes when no older copy of the counters is in use
    any more. `field` is its object's field in the Redis hash of pending changes.
    """

    actor_id: int
    field: str
    version: int


def field_of(what: str, ref: EntityRef) -> str:
    """Returns the field that an object has in the Redis hash of pending changes."""
    return f"{what}:{ref.business_id}:{ref.entity_id}"


def parse_history(raw: bytes) -> PendingHistory:
    """Parses one field of the Redis hash of pending changes, as scripts write it: `owner base id=state id=state …`."""
    owner, base, *changes = raw.decode().split(" ")
    before = None if base == "?" else int(base)
    pairs = (change.split("=") for change in changes)
    return PendingHistory(int(owner) or None, before, tuple((version_of(i), int(state)) for i, state in pairs))


def parse(partition: int, raw: list[bytes]) -> Pending:
    """Parses all pending changes of an actor from the flat answer of HGETALL."""
    histories = {}
    for name, value in zip(raw[::2], raw[1::2], strict=True):
        what, business, entity = name.decode().split(":")
        histories[what, EntityRef(int(business), int(entity))] = parse_history(value)
    return Pending(partition, histories)


class PendingStore:
    """The pending changes of all actors in Redis."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    def get(self, actor_id: int) -> "asyncio.Future[Pending]":
        """Reads the pending changes of an actor. The command is queued at once, even if the future is not awaited.
        Returns no changes while writes are direct.
        """
        partition = self._keys.partition_of(actor_id)
        if self._redis.is_suspended:
            return resolved(Pending(partition))
        return self._redis("HGETALL", self._keys.pending(actor_id), read=partial(parse, partition))

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
        newest: dict[int, dict[str, int]] = {}
        for actor_id, name, version in published:
            fields = newest.setdefault(actor_id, {})
            fields[name] = max(version, fields.get(name, 0))
        calls: dict[int, tuple[list[str], list[object]]] = {}
        for actor_id, fields in newest.items():
            keys, args = calls.setdefault(self._keys.partition_of(actor_id), ([], []))
            keys.append(self._keys.pending(actor_id))
            args += [len(fields), *chain.from_iterable((name, entry_id(version)) for name, version in fields.items())]
        return calls.values()
