"""What makes a write safe to repeat: every operation has a name, and its outcome is remembered under it.

The name is the client's idempotency key, or one made for the command's own retries. The record is written by the
same script that makes the change, so that it exists exactly when the change does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.digests import digest
from domain.errors import UserError, UserErrorCode
from models.counters import EntityRef
from observability import metrics
from store.keys import Keys
from store.postgres.client import Postgres, Rows, Transaction
from store.redis.client import Moved, Redis
from store.scripts import Script


@dataclass(frozen=True, slots=True)
class Operation:
    """One intended write: `name` is (mutation, key); `fingerprint` tells inputs apart; the record lives `life_ms`."""

    name: tuple[str, str]
    fingerprint: str
    life_ms: int

    @property
    def digest(self) -> str:
        """What records of it are kept under."""
        return digest(*self.name)


_OK = b"OK"
_BATCH = 1000
_FIND = text("""
    SELECT record FROM operations WHERE actor_id = :actor AND name = :name AND until > clock_timestamp()
""")
_REMEMBER = text("""
    INSERT INTO operations AS o (actor_id, name, record, version, business_id, entity_id, verb, until)
    VALUES (:actor, :name, :record, :version, :business, :entity, :verb,
            clock_timestamp() + make_interval(secs => :life))
    ON CONFLICT (actor_id, name) DO UPDATE SET
        record = excluded.record, version = excluded.version, business_id = excluded.business_id,
        entity_id = excluded.entity_id, verb = excluded.verb, until = excluded.until, adopted = false
    WHERE o.until <= clock_timestamp()
""")
_FORGET = text("DELETE FROM operations WHERE actor_id = :actor AND name = :name")
_DONE = text("""
    SELECT o.actor_id, o.name FROM operations o
    JOIN unnest(CAST(:actors AS bigint[]), CAST(:names AS text[])) AS asked(actor_id, name) USING (actor_id, name)
""")
_ASKED = text("""
    SELECT o.actor_id, o.business_id, o.entity_id, o.version, o.verb FROM operations o
    JOIN unnest(CAST(:actors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]))
         AS late(actor_id, business_id, entity_id) USING (actor_id, business_id, entity_id)
    WHERE o.verb IS NOT NULL ORDER BY o.version
""")
_TAKE = text("""
    UPDATE operations SET adopted = true
    WHERE (actor_id, name) IN (SELECT actor_id, name FROM operations WHERE NOT adopted LIMIT :most)
    RETURNING actor_id, name, record, business_id, entity_id,
              ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::bigint AS life_ms
""")
_CLEAR = text("DELETE FROM operations")


class Status(Enum):
    """How a script left things."""

    DONE = b"DONE"
    REPLAY = b"REPLAY"
    MISMATCH = b"MISMATCH"
    FULL = b"FULL"
    BUSY = b"BUSY"
    LIMIT = b"LIMIT"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a script answered. A replay carries what was recorded the first time: user errors, or a value."""

    status: Status
    errors: tuple[UserError, ...] = ()
    value: str | None = None

    @classmethod
    def parse(cls, answer: list[Any]) -> "Outcome":
        """From a script's `{ status, … }`."""
        status, recorded = Status(answer[0]), answer[1] if len(answer) > 1 else _OK
        if status is Status.FULL:
            metrics.JOURNAL_REFUSALS.inc()
        if recorded.startswith(_OK):
            return cls(status, value=recorded[len(_OK) + 1 :].decode() or None)
        return cls(status, tuple(map(_error, orjson.loads(recorded))))


async def run(
    redis: Redis, keys: Keys, script: Script, actor_id: int, named: Sequence[str], args: Sequence[Any]
) -> list[Any]:
    """What a script of an actor's answers, whose keys are the journal, those named, and the journal's generation.

    Raises Moved, and has changed nothing, where that is not ours.
    """
    p = keys.partition_of(actor_id)
    answer: list[Any] = await redis.run(
        script, [keys.journal(p), *named, keys.generation(p)], [*args, redis.generation]
    )
    if answer[0] == b"MOVED":
        raise Moved
    return answer


def _error(recorded: dict[str, Any]) -> UserError:
    field = recorded["field"]
    return UserError(UserErrorCode(recorded["code"]), recorded["message"], field and tuple(field))


def _parse(operation: Operation, raw: bytes | None) -> Outcome | None:
    """A record as the outcome it stands for."""
    if raw is None:
        return None
    fingerprint, _, recorded = raw.partition(b" ")
    if fingerprint.decode() != operation.fingerprint:
        return Outcome(Status.MISMATCH)
    return Outcome.parse([b"REPLAY", recorded])


def _record(operation: Operation, outcome: bytes) -> bytes:
    return operation.fingerprint.encode() + b" " + outcome


async def recorded(source: Postgres | Transaction, actor_id: int, operation: Operation) -> Outcome | None:
    """The outcome of an operation that was written straight into the tables, or None."""
    ask = source.read if isinstance(source, Postgres) else source.execute
    rows = await ask(_FIND, actor=actor_id, name=operation.digest)
    return _parse(operation, rows[0].record.encode()) if rows else None


async def remember(
    transaction: Transaction,
    actor_id: int,
    operation: Operation,
    outcome: bytes,
    version: int,
    about: EntityRef | None = None,
    verb: str | None = None,
) -> Outcome | None:
    """Records an outcome as it would lie in Redis, what it is about, and of a reaction what was asked for; returns the
    outcome that the operation has already, if it has one.
    """
    business_id, entity_id = about or (None, None)
    new = {"actor": actor_id, "name": operation.digest, "life": operation.life_ms / 1000, "version": version}
    new |= {"record": _record(operation, outcome).decode(), "verb": verb, "business": business_id, "entity": entity_id}
    if await transaction.changed(_REMEMBER, **new):
        return None
    return await recorded(transaction, actor_id, operation)


async def forget(transaction: Transaction, actor_id: int, operation: Operation) -> None:
    """Nothing came of it."""
    await transaction.execute(_FORGET, actor=actor_id, name=operation.digest)


async def done_among(transaction: Transaction, wanted: Sequence[tuple[int, str]]) -> set[tuple[int, str]]:
    """Which of these (actor, name of the operation) were written straight into the tables."""
    if not wanted:
        return set()
    actors, names = zip(*wanted, strict=True)
    return {(row.actor_id, row.name) for row in await transaction.execute(_DONE, actors=actors, names=names)}


async def asked(transaction: Transaction, places: Sequence[tuple[int, EntityRef]]) -> Rows:
    """What was asked directly of each (actor, entity), in order: (actor, business, entity, version, verb)."""
    return await transaction.execute(
        _ASKED,
        actors=[actor for actor, _ in places],
        businesses=[ref.business_id for _, ref in places],
        entities=[ref.entity_id for _, ref in places],
    )


class Adopted(NamedTuple):
    """The users whose operations were taken over, and what these were about."""

    actors: list[int]
    about: set[EntityRef]
    more: bool
    """Whether there were as many as are taken at once, so that there may be others."""


class Operations:
    """The records, for outcomes that no script produces: a refusal before anything was attempted."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """The recorded outcome of an operation, or None if it has none yet."""
        raw: bytes | None = await self._redis("GET", self._keys.operation(actor_id, operation.digest))
        return _parse(operation, raw)

    async def refuse(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Remembers that this operation was refused; returns the outcome that it has already, if it has one."""
        key = self._keys.operation(actor_id, operation.digest)
        record = _record(operation, orjson.dumps(errors))
        standing = await self._redis("SET", key, record, "NX", "GET", "PX", operation.life_ms, write=True)
        return _parse(operation, standing)

    async def adopt(self, transaction: Transaction) -> "Adopted":
        """Takes over some of what was remembered in the tables; nobody's once nothing is left."""
        rows = await transaction.execute(_TAKE, most=_BATCH)
        await self._redis.gather(
            [
                ("SET", self._keys.operation(row.actor_id, row.name), row.record, "PX", row.life_ms)
                for row in rows
                if row.life_ms > 0
            ],
            write=True,
        )
        about = {EntityRef(row.business_id, row.entity_id) for row in rows if row.entity_id}
        return Adopted(sorted({row.actor_id for row in rows}), about, more=len(rows) == _BATCH)


async def clear(transaction: Transaction) -> None:
    """Forgets what the tables remember."""
    await transaction.execute(_CLEAR)
