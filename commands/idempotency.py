"""Makes writes safe to repeat: for clients with an idempotency key, and for the API after a lost reply of a store."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeVar

from commands import write_log
from commands.write_log import WriteLog
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

_RETRIES_LIFE_MS = 60_000
_ANONYMOUS_LIFE_MS = 3_600_000
"""The longest life of the idempotency record of an anonymous device, in milliseconds. It is short because a client can
invent any number of devices, and only the rate limit of its address bounds the number of records.
"""
_ATTEMPTS, _LONGEST_PAUSE = 3, 0.2
"""The number of attempts of a write, and the longest pause between two attempts in seconds."""
T = TypeVar("T")
Prepare = Callable[[], Awaitable[T]]
"""Finds and checks the target of a write. Raises Refused if the write is not allowed."""
Append = Callable[[WriteLog, T], Awaitable[Outcome]]
"""Appends a change to the given write log. Repeated calls append the change once."""


def operation(context: Context, mutation: str, idempotency_key: str | None, *parts: object) -> Operation:
    """Returns the `Operation` that identifies a write: its mutation with the client's idempotency key (a random key if
    the client sends none), and a digest of its input `parts`. A key that is used again with other input is refused.

    Raises BadInput for an invalid key, or for an input that is longer than the largest allowed body.
    """
    if idempotency_key is None:
        unknown = secrets.token_hex(16)
        return Operation(("", unknown), unknown, _RETRIES_LIFE_MS)
    texts.identifier(idempotency_key, "An idempotency key", 128)
    settings = context.state.settings
    if _characters(parts) > settings.max_body_bytes:
        raise BadInput(f"The input of a mutation has at most {settings.max_body_bytes} characters.")
    life_ms = int(settings.idempotency_seconds * 1000)
    if context.viewer is None:
        life_ms = min(life_ms, _ANONYMOUS_LIFE_MS)
    return Operation((mutation, idempotency_key), digest(json.dumps(parts)), life_ms)


def _characters(part: object) -> int:
    """Returns the number of characters of all texts in the input. This number can exceed the length of the request's
    body, because a document can use a variable many times.
    """
    if isinstance(part, list | tuple):
        return sum(map(_characters, part))
    return len(part) if isinstance(part, str) else 0


async def once(
    context: Context, actor_id: int, operation: Operation, prepare: Prepare[T], append: Append[T]
) -> tuple[T, Outcome]:
    """Prepares a write with `prepare` and appends it to the write log with `append`, exactly once. Returns the result
    of `prepare`, and the outcome.

    A repeated idempotency key gets the first outcome. Refusals are stored with the key, too. Raises Refused,
    RateLimited, or Unavailable.
    """
    if not operation.name[0]:  # the client sent no key, so there is no earlier outcome
        prepared = await prepare()
        return prepared, _raise_if_failed(await _append_with_retries(context, append, prepared))
    return await _once_with_key(context, actor_id, operation, prepare, append)


async def _once_with_key(
    context: Context, actor_id: int, operation: Operation, prepare: Prepare[T], append: Append[T]
) -> tuple[T, Outcome]:
    prepared, earlier = await asyncio.gather(
        prepare(), _find_outcome(context, actor_id, operation), return_exceptions=True
    )
    if isinstance(earlier, BaseException):
        raise earlier
    if earlier is not None:
        _raise_if_failed(earlier)
    try:
        if isinstance(prepared, BaseException):
            raise prepared
        outcome = await _append_with_retries(context, append, prepared)
    except Unavailable:
        if earlier is None or isinstance(prepared, BaseException):
            raise
        outcome = earlier  # the change was made before, so nothing must be written now
    except Refused as refused:
        log = await write_log.current(context.state)
        stored = await log.conclude(actor_id, operation, refused.errors)
        if stored is None or isinstance(prepared, BaseException):
            raise
        outcome = stored  # another API process has answered a request with this key meanwhile
    return prepared, _raise_if_failed(outcome)


async def _find_outcome(context: Context, actor_id: int, operation: Operation) -> Outcome | None:
    log = await write_log.current(context.state)
    return await log.find(actor_id, operation)


async def _append_with_retries(context: Context, append: Append[T], prepared: T) -> Outcome:
    """Appends a change to the write log. Tries again with the same operation if Redis does not answer, or if another
    log has come into use.
    """
    for attempt in range(1, _ATTEMPTS):
        try:
            return await append(await write_log.current(context.state), prepared)
        except Moved:
            await context.state.write_mode.refresh()
        except RedisDown:
            await asyncio.sleep(pause(attempt, _LONGEST_PAUSE))
    return await append(await write_log.current(context.state), prepared)


async def find_claimed(context: Context, name: Name, operation: Operation) -> Outcome | None:
    """Returns the outcome that Postgres has stored for an idempotency key, or None.

    Used for new posts and comments, whose keys are valid forever: Redis forgets keys after `idempotency_seconds`.
    """
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
            raise Refused.because(UserErrorCode.IDEMPOTENCY_MISMATCH, message, "idempotencyKey")
        case Status.FULL:
            raise Unavailable("Too many changes are waiting to be stored.", retry_after=5)
        case Status.BUSY:
            raise RateLimited("You are changing this too often.", retry_after=5)
        case Status.REPLAY if outcome.errors:
            raise Refused(*outcome.errors)
    return outcome
