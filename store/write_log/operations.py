"""Idempotency records, which make writes safe to repeat. An *operation* is a write with a name. Its outcome is recorded
under this name, and a repetition gets this outcome.

The name contains the client's idempotency key, or a key that the command makes for its own retries. The script that
makes the change also writes the record, so either both exist or neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.errors import UserError, UserErrorCode
from models.counters import EntityRef
from observability import metrics, tracing
from store.keys import Keys
from store.postgres.client import Postgres, Rows, Transaction
from store.postgres.columns import columns
from store.redis.client import Moved, Redis
from store.scripts import CONCLUDE, Script
from store.write_log.pending import PendingHistory


@dataclass(frozen=True, slots=True)
class Operation:
    """A write that a client intends. Its idempotency record is stored under `name`, such as the digest of the mutation
    and the client's key, and is kept for `life_ms` milliseconds. `fingerprint` is a digest of the input.
    """

    name: str
    fingerprint: str
    life_ms: int


_OK = b"OK"
_BATCH = 1000
_FIND = text("""
    SELECT record FROM operations WHERE actor_id = :actor AND name = :name AND until > clock_timestamp()
""")
# The condition compares times without the clock, because Citus takes only immutable functions there: a record has ended
# if the new one ends at least its whole life later.
_REMEMBER = text("""
    INSERT INTO operations AS o (actor_id, name, record, version, business_id, entity_id, verb, until)
    VALUES (:actor, :name, :record, :version, :business, :entity, :verb,
            clock_timestamp() + make_interval(secs => :life))
    ON CONFLICT (actor_id, name) DO UPDATE SET
        record = excluded.record, version = excluded.version, business_id = excluded.business_id,
        entity_id = excluded.entity_id, verb = excluded.verb, until = excluded.until, adopted = false
    WHERE excluded.until - o.until >= make_interval(secs => :life)
""")
_FORGET = text("DELETE FROM operations WHERE actor_id = :actor AND name = :name")
_RECORDED_AMONG = text("""
    SELECT o.actor_id, o.name FROM operations o
    JOIN unnest(CAST(:actors AS bigint[]), CAST(:names AS text[])) AS wanted(actor_id, name) USING (actor_id, name)
""")
_DIRECT_CHANGES = text("""
    SELECT o.actor_id, o.business_id, o.entity_id, o.version, o.verb FROM operations o
    JOIN unnest(CAST(:actors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]))
         AS late(actor_id, business_id, entity_id) USING (actor_id, business_id, entity_id)
    WHERE o.verb IS NOT NULL ORDER BY o.version
""")
# The clock is read outside the CTE, because Citus takes only immutable functions in RETURNING.
_TAKE = text("""
    WITH taken AS (
        UPDATE operations SET adopted = true
        WHERE (actor_id, name) IN (SELECT actor_id, name FROM operations WHERE NOT adopted LIMIT :most)
        RETURNING actor_id, name, record, business_id, entity_id, until
    )
    SELECT actor_id, name, record, business_id, entity_id,
           ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::bigint AS life_ms
    FROM taken
""")
_CLEAR = text("DELETE FROM operations")


class Status(Enum):
    """The result of a script that writes: DONE, or why the script changed nothing.

    REPLAY: the operation was done before. MISMATCH: it was done before with another input. FULL: the journal is full.
    BUSY: too many changes of the object or actor are not stored yet. LIMIT: the user already has as many follows,
    blocks or other members of the set as allowed. BLOCKED: a block between users forbids the change. ABSENT: the
    object, or the collection to save it in, does not exist. CHANGED: the object has another text than the caller
    expects.
    """

    DONE = b"DONE"
    REPLAY = b"REPLAY"
    MISMATCH = b"MISMATCH"
    FULL = b"FULL"
    BUSY = b"BUSY"
    LIMIT = b"LIMIT"
    BLOCKED = b"BLOCKED"
    ABSENT = b"ABSENT"
    CHANGED = b"CHANGED"


class Changed(NamedTuple):
    """An object after a change: its state, the actor's partition, and all pending changes (those not stored and
    published yet) of the actor that concern the object, by kind of change.
    """

    state: int
    partition: int
    pending: dict[str, PendingHistory]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a script that writes: the status, and the user errors or the value. For a repeated operation, these
    are the ones that were recorded the first time.
    """

    status: Status
    errors: tuple[UserError, ...] = ()
    value: str | None = None
    after: Changed | None = field(default=None, compare=False)
    """The changed object as the script returned it; None if the script returned no object."""

    @classmethod
    def parse(cls, answer: list[Any]) -> "Outcome":
        """Returns the outcome that a script's answer contains: a status, then the recorded outcome if there is one."""
        status, recorded = Status(answer[0]), answer[1] if len(answer) > 1 else _OK
        if status is Status.FULL:
            metrics.JOURNAL_REFUSALS.inc()
        if recorded.startswith(_OK):
            return cls(status, value=recorded[len(_OK) + 1 :].decode() or None)
        return cls(status, tuple(map(_error, orjson.loads(recorded))))


async def run(
    redis: Redis, keys: Keys, script: Script, actor_id: int, named: Sequence[str], args: Sequence[Any]
) -> list[Any]:
    """Runs a script that writes for an actor. The script's keys are the actor's journal, the keys `named`, the count of
    the actor's records, and the journal's generation. Its arguments are `args` and the generation of this process.

    Returns the script's answer. Raises RedisDown. Raises Moved, and changes nothing, if the journal has another
    generation than this process.
    """
    journal, *of_all = keys.of_scripts(actor_id)
    caller = f"{redis.generation} {tracing.traceparent()}" if tracing.tracer else redis.generation
    answer: list[Any] = await redis.run(script, [journal, *named, *of_all], [*args, caller])
    if answer[0] == b"MOVED":
        raise Moved
    return answer


def _error(recorded: dict[str, Any]) -> UserError:
    field = recorded["field"]
    return UserError(UserErrorCode(recorded["code"]), recorded["message"], field and tuple(field))


def _parse(operation: Operation, raw: bytes | None) -> Outcome | None:
    """Returns the outcome that the record `raw` of an operation contains; MISMATCH if the record was made for another
    input. Returns None if there is no record.
    """
    if raw is None:
        return None
    fingerprint, _, recorded = raw.partition(b" ")
    if fingerprint.decode() != operation.fingerprint:
        return Outcome(Status.MISMATCH)
    return Outcome.parse([b"REPLAY", recorded])


def _record(operation: Operation, outcome: bytes) -> bytes:
    return operation.fingerprint.encode() + b" " + outcome


async def recorded(source: Postgres | Transaction, actor_id: int, operation: Operation) -> Outcome | None:
    """Returns the outcome of an operation that was recorded in Postgres, as it is for writes while Redis is down; None
    if there is no record in Postgres.
    """
    ask = source.read if isinstance(source, Postgres) else source.execute
    rows = await ask(_FIND, actor=actor_id, name=operation.name)
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
    """Stores the idempotency record of a direct write in Postgres, in the same format as in Redis. `outcome` is `OK`,
    or `OK` with a space and the value, or the user errors as JSON. `version` is the version of the change (0: nothing
    was changed), `about` the changed object, and `verb` the verb of a reaction or follow, such as `like`.

    If the operation has a record already, changes nothing and returns the recorded outcome; otherwise returns None.
    """
    business_id, entity_id = about or (None, None)
    stored = await transaction.changed(
        _REMEMBER,
        actor=actor_id,
        name=operation.name,
        life=operation.life_ms / 1000,
        version=version,
        record=_record(operation, outcome).decode(),
        business=business_id,
        entity=entity_id,
        verb=verb,
    )
    return None if stored else await recorded(transaction, actor_id, operation)


async def forget(transaction: Transaction, actor_id: int, operation: Operation) -> None:
    """Removes the idempotency record of a direct write that failed, so that the client can repeat it."""
    await transaction.execute(_FORGET, actor=actor_id, name=operation.name)


async def recorded_among(transaction: Transaction, wanted: Sequence[tuple[int, str]]) -> set[tuple[int, str]]:
    """Returns those of the given operations, as (actor, name of the operation), that have a record in Postgres, because
    they were written directly.
    """
    if not wanted:
        return set()
    found = await transaction.execute(_RECORDED_AMONG, **columns(wanted, "actors", "names"))
    return {(row.actor_id, row.name) for row in found}


async def direct_changes(transaction: Transaction, places: Sequence[tuple[int, EntityRef]]) -> Rows:
    """Returns the reactions to objects and the follows of users that were written directly to Postgres, oldest first.
    `places` has pairs of an actor and an object or user. Each row is (actor, business, entity, version, verb).
    """
    if not places:
        return []
    rows = [(actor, *ref) for actor, ref in places]
    return await transaction.execute(_DIRECT_CHANGES, **columns(rows, "actors", "businesses", "entities"))


class Adopted(NamedTuple):
    """A batch of idempotency records that were copied from Postgres to Redis: their actors, and the objects that were
    changed.
    """

    actors: list[int]
    about: set[EntityRef]
    more: bool
    """Whether the batch was full, so that there may be more records."""


class Operations:
    """The idempotency records in Redis. Scripts write most of them. This class writes those of operations for
    which no script ran, and copies those of direct writes.
    """

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """Returns the outcome that an earlier attempt at this operation recorded in Redis; None if there is no
        record. In synchronous mode, waits until the other site has the record, because it may acknowledge a write.
        """
        command = "GET", self._keys.operation(actor_id, operation.name)
        raw: bytes | None = await self._redis(*command, write=self._redis.replicas > 0)
        return _parse(operation, raw)

    async def conclude(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Records in Redis that a command wrote nothing, with its user errors, which are empty if there was nothing to
        change. If the operation has a record already, changes nothing and returns the recorded outcome; otherwise
        returns None.
        """
        named = self._keys.operation(actor_id, operation.name), self._keys.records(actor_id)
        record = _record(operation, orjson.dumps(errors))
        return _parse(operation, await self._redis.run(CONCLUDE, named, [record, operation.life_ms]))

    async def adopt(self, transaction: Transaction) -> Adopted:
        """Copies a batch of idempotency records from Postgres to Redis, and marks their rows. Raises RedisDown."""
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
    """Removes all idempotency records from Postgres."""
    await transaction.execute(_CLEAR)
