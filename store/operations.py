"""What makes a write safe to repeat: every operation has a name, and its outcome is remembered under it.

The name is the client's idempotency key, or one made for the command's own retries. The record is written by the
same script that makes the change, so that it exists exactly when the change does.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from errors import UserErrorCode
from store.keys import Keys
from store.redis import Redis


@dataclass(frozen=True, slots=True)
class Operation:
    """One intended write: `name` is (mutation, key); `fingerprint` tells inputs apart; the record lives `life_ms`."""

    name: tuple[str, str]
    fingerprint: str
    life_ms: int


class Status(Enum):
    """How a script left things."""

    DONE = b"DONE"
    REPLAY = b"REPLAY"
    MISMATCH = b"MISMATCH"
    FULL = b"FULL"
    BUSY = b"BUSY"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a script answered. A replay carries the user error recorded the first time, if there was one."""

    status: Status
    refused: UserErrorCode | None = None

    @classmethod
    def parse(cls, answer: list[Any]) -> "Outcome":
        """From a script's `{ status, … }`."""
        status = Status(answer[0])
        recorded = answer[1].decode() if status is Status.REPLAY else "OK"
        return cls(status, None if recorded == "OK" else UserErrorCode(recorded))


class Operations:
    """The records, for outcomes that no script produces: a refusal before anything was attempted."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def find(self, actor_id: int, operation: Operation) -> Outcome | None:
        """The recorded outcome of an operation, or None if it has none yet."""
        raw: bytes | None = await self._redis("GET", self._keys.operation(actor_id, *operation.name))
        if raw is None:
            return None
        fingerprint, _, recorded = raw.partition(b" ")
        if fingerprint.decode() != operation.fingerprint:
            return Outcome(Status.MISMATCH)
        return Outcome.parse([b"REPLAY", recorded])

    async def refuse(self, actor_id: int, operation: Operation, code: UserErrorCode) -> None:
        """Remembers that this operation was refused, unless it has an outcome already."""
        key = self._keys.operation(actor_id, *operation.name)
        record = f"{operation.fingerprint} {code.value}"
        await self._redis("SET", key, record, "NX", "PX", operation.life_ms, write=True)
