"""Makes writes safe to repeat: for clients with an idempotency key, and for the API after a lost reply of a store."""

import asyncio
import json
import secrets
from collections.abc import Awaitable
from types import TracebackType
from typing import Self, TypeVar

from commands import suspended, write_log
from commands.changes import Change
from context import Context
from domain import texts
from domain.digests import digest
from domain.errors import BadInput, RateLimited, Refused, Unavailable, UserErrorCode
from store.backoff import pause
from store.postgres.client import PostgresDown
from store.redis.client import Moved, RedisDown
from store.write_log import claims
from store.write_log.claims import Name
from store.write_log.operations import Operation, Outcome, Status

_LIFE_MS = 86_400_000
"""The life of the idempotency record of a user, in milliseconds: a day, so that a client that was offline overnight can
repeat its writes. After a thousand keys in an hour, further records of a user live for a minute
(store/scripts/record_life.lua).
"""
_RETRIES_LIFE_MS = 60_000
_ANONYMOUS_LIFE_MS = 3_600_000
"""The longest life of the idempotency record of an anonymous device, in milliseconds. It is short because a client can
invent any number of devices, and only the rate limit of its address bounds the number of records.
"""
_ATTEMPTS, _LONGEST_PAUSE = 3, 0.2
"""The number of attempts of a write, and the longest pause between two attempts in seconds."""
T = TypeVar("T")


class _Mismatch(Refused):
    """Raised for a key that was used before, with another input. It is not stored under the key."""


class Write:
    """One write that a client requests, made exactly once.

    A command checks its target in a block `async with Write(…) as write`, and calls `append` in it, which calls
    `ready`. The first outcome is stored under the idempotency key, and a repeated key gets this outcome, also if it was
    a refusal. There is one exception: what the command refuses before `ready`, such as a target that is gone, is
    refused even if the first call succeeded. If the first call succeeded and the command refuses the repeated key after
    `ready`, the block ends without an exception.

    After the block, `outcome` is the outcome. `unless_suspended` refuses the write of a suspended viewer. `actor_id` is
    the user in whose journal the change belongs; by default the viewer.
    """

    def __init__(
        self,
        context: Context,
        mutation: str,
        idempotency_key: str | None,
        *parts: object,
        unless_suspended: bool = False,
        actor_id: int | None = None,
    ) -> None:
        """Names the write by its mutation and the client's idempotency key (a random key if the client sends none),
        with a digest of its input `parts`. A key that is used again with other input is refused.

        Raises Unauthenticated without a viewer and without `actor_id`; BadInput for an invalid key, or for an input
        that is longer than the largest allowed body.
        """
        self.actor_id = context.require_viewer().user_id if actor_id is None else actor_id
        self.operation = _operation(context, mutation, idempotency_key, *parts)
        self.outcome = Outcome(Status.DONE)
        self._context = context
        self._profile = suspended.ask(context) if unless_suspended else None
        self._finding: asyncio.Task[Outcome | None] | None = None
        self._earlier: Outcome | None = None
        self._is_ready = False

    async def __aenter__(self) -> Self:
        """Starts to look for an earlier outcome, in the round trip of the target."""
        if self.operation.name[0]:  # otherwise the client sent no key, so there is none
            self._finding = asyncio.create_task(self._find())
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> bool:
        """Stores a refusal under the key. If the write was made before, sets `outcome` and returns True, so that no
        exception leaves the block.
        """
        if self._finding is None:
            return False
        if error and not isinstance(error, Exception):
            self._finding.cancel()
            self._finding.add_done_callback(_retrieve)
            return False
        if not self._is_ready:
            await self._find_success()
        elif self._earlier and isinstance(error, Unavailable):  # the change was made before, so nothing must be written
            self.outcome = self._earlier
            return True
        if isinstance(error, Refused) and not isinstance(error, _Mismatch):
            log = await write_log.current(self._context.state)
            stored = await log.conclude(self.actor_id, self.operation, error.errors)
            if stored and self._is_ready:  # perhaps another API process has answered a request with this key meanwhile
                self.outcome = _raise_if_failed(stored)
                return True
        return False

    async def ready(self) -> None:
        """Waits until the write may be made. Raises the refusal that was stored for an earlier call; Refused with
        SUSPENDED; Unavailable.
        """
        if not self._is_ready:
            self._earlier = await self._find_success()
            self._is_ready = True
            if self._profile:
                suspended.check_asked(self._context, await self._profile)

    async def was_claimed(self, name: Name) -> bool:
        """Returns whether Postgres knows the idempotency key of this new post or comment. Then `outcome` is the earlier
        one. Raises Refused if the key was used with other input.

        The keys of new posts and comments are valid forever: Redis forgets keys after a day.
        """
        if earlier := await _find_claimed(self._context, name, self.operation):
            self.outcome = _raise_if_failed(earlier)
        return earlier is not None

    async def append(self, change: Change) -> Outcome:
        """Appends a change to the write log that is in use, once. Tries again with the same operation if Redis does not
        answer, or if another log has come into use. Returns the outcome.

        Raises Refused, RateLimited, or Unavailable.
        """
        await self.ready()
        state = self._context.state
        attempt = 0
        while True:
            try:
                log = await write_log.current(state)
                self.outcome = await log.append(self.actor_id, self.operation, change)
                return _raise_if_failed(self.outcome)
            except (Moved, RedisDown) as error:
                attempt += 1
                if attempt == _ATTEMPTS:
                    raise
                if isinstance(error, Moved):
                    await state.write_mode.refresh()
                else:
                    await asyncio.sleep(pause(attempt, _LONGEST_PAUSE))

    async def _find(self) -> Outcome | None:
        return await (await write_log.current(self._context.state)).find(self.actor_id, self.operation)

    async def _find_success(self) -> Outcome | None:
        """Returns the outcome of an earlier call if the write was made; None if there was no call. Raises the refusal
        of an earlier call.
        """
        earlier = await self._finding if self._finding else None
        return _raise_if_failed(earlier) if earlier else None


def _retrieve(task: "asyncio.Task[Outcome | None]") -> None:
    """Takes the exception of a cancelled lookup. Without this, asyncio logs the exception as unexpected."""
    if not task.cancelled():
        task.exception()


def _operation(context: Context, mutation: str, idempotency_key: str | None, *parts: object) -> Operation:
    if idempotency_key is None:
        unknown = secrets.token_hex(16)
        return Operation(("", unknown), unknown, _RETRIES_LIFE_MS)
    texts.identifier(idempotency_key, "An idempotency key", 128)
    most = context.state.settings.connections.body_bytes
    if _characters(parts) > most:
        raise BadInput(f"The input of a mutation has at most {most} characters.")
    life_ms = _LIFE_MS if context.viewer else _ANONYMOUS_LIFE_MS
    return Operation((mutation, idempotency_key), digest(json.dumps(parts)), life_ms)


def _characters(part: object) -> int:
    """Returns the number of characters of all texts in the input. This number can exceed the length of the request's
    body, because a document can use a variable many times.
    """
    if isinstance(part, list | tuple):
        return sum(map(_characters, part))
    return len(part) if isinstance(part, str) else 0


async def _find_claimed(context: Context, name: Name, operation: Operation) -> Outcome | None:
    """Returns the outcome that Postgres has stored for an idempotency key, or None."""
    try:
        earlier = (await claims.find(context.state.postgres, [name])).get(name)
    except PostgresDown as error:
        context.degraded.incomplete(f"Mutation.{operation.name[0]}", error)
        return None  # the worker drops a publication whose key was used before
    if earlier is None:
        return None
    same = earlier.fingerprint == operation.fingerprint
    return Outcome(Status.REPLAY, value=str(earlier.entity_id)) if same else Outcome(Status.MISMATCH)


async def read_back(reading: Awaitable[T]) -> T | Unavailable:
    """Returns the object that a write has created. Returns Unavailable instead of raising it, because the write has
    succeeded.
    """
    try:
        return await reading
    except Unavailable as error:
        return error


def _raise_if_failed(outcome: Outcome) -> Outcome:
    """Returns the outcome if the write succeeded. Otherwise raises the error that the outcome stands for."""
    match outcome.status:
        case Status.MISMATCH:
            message = "This idempotency key was used before, with another input."
            raise _Mismatch.because(UserErrorCode.IDEMPOTENCY_MISMATCH, message, "idempotencyKey")
        case Status.FULL:
            raise Unavailable("Too many changes are waiting to be stored.", retry_after=5)
        case Status.BUSY:
            raise RateLimited("You are changing this too often.", retry_after=5)
        case Status.REPLAY if outcome.errors:
            raise Refused(*outcome.errors)
    return outcome
