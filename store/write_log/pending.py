"""Changes acknowledged but not yet visible in published truth, and how a reader adds them exactly once.

An actor's pending set has a field per thing they changed: the state before, then every change with its journal id.
Every counter carries, per journal partition, the newest event it includes. All events of one actor lie in one
partition and a partition is applied in order, so one comparison tells which of their changes a value already holds —
whether it came from a row, from the cache, or from a copy that is a second old.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
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
"""So many changes are swept at once: Lua unpacks no more than 8000 values, and others wait for a script to end."""


ActorCall = tuple[tuple[str], tuple[object, ...]]
"""One actor's part of a call of the script: its key, its arguments."""


@dataclass(frozen=True, slots=True)
class PendingHistory:
    """One thing's states since the last one that everybody sees, oldest first: (version, state)."""

    owner_id: int | None
    base: int | None
    """None where nobody could tell: it was changed while neither cache nor rows could be asked."""
    changes: tuple[tuple[int, int], ...]

    @property
    def version(self) -> int:
        """That of the latest change."""
        return self.changes[-1][0]

    @property
    def latest(self) -> int:
        """The state its actor has been told."""
        return self.changes[-1][1]

    def seen_at(self, included: int) -> int | None:
        """The state that a value holds which includes the actor's events up to `included`; None if nobody can tell."""
        seen = self.base
        for version, state in self.changes:
            if version > included:
                break
            seen = state
        return seen


def overlay(counter: Counter, partition: int, histories: Iterable[PendingHistory], weight: Callable[[int], int]) -> int:
    """The value as the actor of `histories` must see it: each of their changes in it exactly once. Never negative.
    Only where that `is_known`.
    """
    included, value = counter.included.get(str(partition), 0), counter.value
    for history in histories:
        seen = history.seen_at(included)
        assert seen is not None
        value += weight(history.latest) - weight(seen)
    return max(0, value)


def is_known(counter: Counter, partition: int, histories: Iterable[PendingHistory]) -> bool:
    """Whether it is known how much of `histories` a value includes."""
    included = counter.included.get(str(partition), 0)
    return all(history.seen_at(included) is not None for history in histories)


@dataclass(frozen=True, slots=True)
class Pending:
    """Everything one actor has pending, by (what, where)."""

    partition: int
    histories: dict[tuple[str, EntityRef], PendingHistory] = field(default_factory=dict)

    def of(self, what: str, ref: EntityRef) -> tuple[PendingHistory, ...]:
        """The history of one thing as zero or one items, ready for `overlay`."""
        history = self.histories.get((what, ref))
        return (history,) if history else ()

    @property
    def touched(self) -> set[EntityRef]:
        """Everything whose counters any of it is about: what was changed, and whose that is."""
        owners = {EntityRef(USERS, history.owner_id) for history in self.histories.values() if history.owner_id}
        return {ref for _, ref in self.histories} | owners

    def all_of(self, what: str) -> dict[EntityRef, PendingHistory]:
        """The histories of everything of one kind, by where."""
        return {ref: history for (kind, ref), history in self.histories.items() if kind == what}

    def owned_by(self, what: str, owner_id: int) -> list[PendingHistory]:
        """The histories of all things that belong to a user."""
        return [h for (kind, _), h in self.histories.items() if kind == what and h.owner_id == owner_id]


class PublishedChange(NamedTuple):
    """A change that everybody can see now: its entry may leave the pending set once no older copy is around."""

    actor_id: int
    field: str
    version: int


def field_of(what: str, ref: EntityRef) -> str:
    """The name of a thing inside pending sets."""
    return f"{what}:{ref.business_id}:{ref.entity_id}"


def parse_history(raw: bytes) -> PendingHistory:
    """`owner base id=state id=state …` as written by the scripts."""
    owner, base, *changes = raw.decode().split(" ")
    before = None if base == "?" else int(base)
    pairs = (change.split("=") for change in changes)
    return PendingHistory(int(owner) or None, before, tuple((version_of(i), int(state)) for i, state in pairs))


def parse(partition: int, raw: list[bytes]) -> Pending:
    """An actor's whole pending set, from the flat answer of HGETALL."""
    histories = {}
    for name, value in zip(raw[::2], raw[1::2], strict=True):
        what, business, entity = name.decode().split(":")
        histories[what, EntityRef(int(business), int(entity))] = parse_history(value)
    return Pending(partition, histories)


class PendingStore:
    """Where pending sets live."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    def get(self, actor_id: int) -> "asyncio.Future[Pending]":
        """What an actor has pending: nothing while writes are direct. One command, sent when this is called."""
        partition = self._keys.partition_of(actor_id)
        if self._redis.is_suspended:
            return resolved(Pending(partition))
        read = partial(parse, partition)
        return self._redis("HGETALL", self._keys.pending(actor_id), read=read)

    async def sweep(self, settled: Iterable[PublishedChange]) -> None:
        """Drops changes that have been settled for longer than any request lives."""
        changes = list(settled)
        parts = (changes[at : at + _AT_ONCE] for at in range(0, len(changes), _AT_ONCE))
        await asyncio.gather(*[self._sweep(calls) for part in parts for calls in self._calls(part)])

    def _calls(self, settled: Iterable[PublishedChange]) -> Iterable[Sequence[ActorCall]]:
        """What the script is called with for each partition."""
        newest: dict[int, dict[str, int]] = {}
        for actor_id, name, version in settled:
            fields = newest.setdefault(actor_id, {})
            fields[name] = max(version, fields.get(name, 0))
        calls: dict[int, list[ActorCall]] = {}
        for actor_id, fields in newest.items():
            pairs = chain.from_iterable((name, entry_id(version)) for name, version in fields.items())
            call = (self._keys.pending(actor_id),), (len(fields), *pairs)
            calls.setdefault(self._keys.partition_of(actor_id), []).append(call)
        return calls.values()

    async def _sweep(self, calls: Sequence[ActorCall]) -> None:
        keys = [key for keys, _ in calls for key in keys]
        await self._redis.run(SWEEP, keys, [arg for _, args in calls for arg in args])
