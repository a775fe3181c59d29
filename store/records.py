"""Views and shares: the actor script that acknowledges them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from models.counters import CounterKind, EntityRef
from store import operations
from store.keys import Keys
from store.operations import Operation, Outcome
from store.pending import SHARE, VIEW, field_of
from store.redis import Redis
from store.scripts import RECORD

HOUR_MS = 3_600_000
_VIEWS_PER_HOUR = 10_000
"""Views of one actor beyond this many in an hour are accepted and not counted."""


class RecordKind(Enum):
    """What is recorded; the values are those of journal entries and pending fields."""

    VIEW = VIEW
    SHARE = SHARE

    @property
    def counter(self) -> CounterKind:
        """Where it is counted."""
        return CounterKind.VIEWS if self is RecordKind.VIEW else CounterKind.SHARES


@dataclass(frozen=True, slots=True)
class Recorded:
    """One thing viewed or shared, with what the journal shall say about it."""

    ref: EntityRef
    owner_id: int | None
    entry: bytes


class Records:
    """Acknowledges views and shares."""

    def __init__(self, redis: Redis, keys: Keys, journal_bound: int) -> None:
        self._redis = redis
        self._keys = keys
        self._journal_bound = journal_bound

    async def viewed(self, actor_id: int, refs: Sequence[EntityRef], hour: int) -> set[EntityRef]:
        """Those that an actor has viewed in an hour (since the epoch) or in the one before."""
        members = [f"{ref.business_id}:{ref.entity_id}" for ref in refs]
        commands = [("SMISMEMBER", self._keys.viewed(actor_id, one), *members) for one in (hour, hour - 1)]
        now, before = await self._redis.gather(commands) if members else ((), ())
        return {ref for ref, *seen in zip(refs, now, before, strict=True) if any(seen)}

    async def record(
        self, actor_id: int, kind: RecordKind, recorded: Sequence[Recorded], operation: Operation, hour: int
    ) -> Outcome:
        """All of them atomically; views the actor has had in this hour (since the epoch) change nothing."""
        named = [
            self._keys.pending(actor_id),
            self._keys.operation(actor_id, operation.digest),
            self._keys.viewed(actor_id, hour),
        ]
        life = 2 * HOUR_MS if kind is RecordKind.VIEW else ""
        args: list[object] = [kind.value, operation.fingerprint, operation.life_ms, life, _VIEWS_PER_HOUR]
        args.append(self._journal_bound)
        for one in recorded:
            member = f"{one.ref.business_id}:{one.ref.entity_id}"
            args += [member, field_of(kind.value, one.ref), one.owner_id or 0, one.entry]
        return Outcome.parse(await operations.run(self._redis, self._keys, RECORD, actor_id, named, args))
