"""What makes a write safe to repeat: every operation has a name, and its outcome is remembered under it.

The name is the client's idempotency key, or one made for the command's own retries. The record is written by the
same script that makes the change, so that it exists exactly when the change does.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import orjson

import metrics
from errors import UserError, UserErrorCode
from store.keys import Keys
from store.redis import Redis


@dataclass(frozen=True, slots=True)
class Operation:
    """One intended write: `name` is (mutation, key); `fingerprint` tells inputs apart; the record lives `life_ms`."""

    name: tuple[str, str]
    fingerprint: str
    life_ms: int


_OK = b"OK"


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
            metrics.JOURNALS_FULL.inc()
        if recorded.startswith(_OK):
            return cls(status, value=recorded[len(_OK) + 1 :].decode() or None)
        return cls(status, tuple(map(_error, orjson.loads(recorded))))


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


class Operations:
    """The records, for outcomes that no script produces: a refusal before anything was attempted."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """The recorded outcome of an operation, or None if it has none yet."""
        raw: bytes | None = await self._redis("GET", self._keys.operation(actor_id, *operation.name))
        return _parse(operation, raw)

    async def refuse(self, actor_id: int, operation: Operation, errors: tuple[UserError, ...]) -> Outcome | None:
        """Remembers that this operation was refused; returns the outcome that it has already, if it has one."""
        key = self._keys.operation(actor_id, *operation.name)
        record = operation.fingerprint.encode() + b" " + orjson.dumps(errors)
        standing = await self._redis("SET", key, record, "NX", "GET", "PX", operation.life_ms, write=True)
        return _parse(operation, standing)
