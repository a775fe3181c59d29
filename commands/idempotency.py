"""Running a write so that repeating it is safe: by the client, with its key, and by ourselves after a lost reply."""

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
_ATTEMPTS, _PATIENCE = 3, 0.2
"""How often a write is tried, and the longest pause between two attempts."""
T = TypeVar("T")
Prepare = Callable[[], Awaitable[T]]
"""Finds what a write is about, or refuses it."""
Append = Callable[[WriteLog, T], Awaitable[Outcome]]
"""Appends the change to the log that is in force: once, however often it is called."""


def operation(context: Context, mutation: str, idempotency_key: str | None, *parts: object) -> Operation:
    """Names this write; `parts` are what makes two inputs of one key different.

    Raises BadInput for a key that cannot be one, and for parts that are longer than any body.
    """
    if idempotency_key is None:
        unknown = secrets.token_hex(16)
        return Operation(("", unknown), unknown, _RETRIES_LIFE_MS)
    texts.name(idempotency_key, "An idempotency key", 128)
    settings = context.state.settings
    if _characters(parts) > settings.max_body_bytes:
        raise BadInput(f"The input of a mutation has at most {settings.max_body_bytes} characters.")
    return Operation((mutation, idempotency_key), digest(json.dumps(parts)), int(settings.idempotency_seconds * 1000))


def _characters(part: object) -> int:
    """A text that is named often counts as often: variables make much of it from a small body."""
    if isinstance(part, list | tuple):
        return sum(map(_characters, part))
    return len(part) if isinstance(part, str) else 0


async def once(
    context: Context, actor_id: int, operation: Operation, prepare: Prepare[T], append: Append[T]
) -> tuple[T, Outcome]:
    """Prepares and runs a write, or answers as it was answered the first time.

    What is refused under a client's key is remembered with it. Raises Refused, RateLimited, or Unavailable.
    """
    if not operation.name[0]:  # made just now: nobody has run it before, and nobody will ask for it again
        prepared = await prepare()
        return prepared, _concluded(await _appended(context, append, prepared))
    return await _named(context, actor_id, operation, prepare, append)


async def _named(
    context: Context, actor_id: int, operation: Operation, prepare: Prepare[T], append: Append[T]
) -> tuple[T, Outcome]:
    prepared, earlier = await asyncio.gather(prepare(), _recorded(context, actor_id, operation), return_exceptions=True)
    if isinstance(earlier, BaseException):
        raise earlier
    if earlier is not None:
        _concluded(earlier)
    try:
        if isinstance(prepared, BaseException):
            raise prepared
        outcome = await _appended(context, append, prepared)
    except Refused as refused:
        standing = await _refused(context, actor_id, operation, refused)
        if standing is None or isinstance(prepared, BaseException):
            raise
        outcome = standing  # a retry under the same key, sent elsewhere, was answered first
    return prepared, _concluded(outcome)


async def _recorded(context: Context, actor_id: int, operation: Operation) -> Outcome | None:
    log = await write_log.current(context.state)
    return await log.find(actor_id, operation)


async def _refused(context: Context, actor_id: int, operation: Operation, refused: Refused) -> Outcome | None:
    log = await write_log.current(context.state)
    return await log.refuse(actor_id, operation, refused.errors)


async def _appended(context: Context, append: Append[T], prepared: T) -> Outcome:
    """Appends a change. Tries again under the same operation if the reply is lost, or if another log is in force."""
    for attempt in range(1, _ATTEMPTS):
        try:
            return await append(await write_log.current(context.state), prepared)
        except Moved:
            await context.state.modes.refresh()
        except RedisDown:
            await asyncio.sleep(pause(attempt, _PATIENCE))
    return await append(await write_log.current(context.state), prepared)


async def claimed(context: Context, name: Name, operation: Operation) -> Outcome | None:
    """What truth says of a key that something was published under already: Redis remembers keys for a day."""
    try:
        earlier = (await claims.under(context.state.postgres, [name])).get(name)
    except PostgresDown as error:
        context.degraded.incomplete(f"Mutation.{operation.name[0]}", error)
        return None  # what is published twice after more than a day is one too many, and the worker drops it
    if earlier is None:
        return None
    same = earlier.fingerprint == operation.fingerprint
    return Outcome(Status.REPLAY, value=str(earlier.entity_id)) if same else Outcome(Status.MISMATCH)


async def read_back(reading: Awaitable[T]) -> T | Unavailable:
    """What was acknowledged, as it is by now; why that cannot be read is no word about the write."""
    try:
        return await reading
    except Unavailable as error:
        return error


def _concluded(outcome: Outcome) -> Outcome:
    """An outcome that is none of a refusal."""
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
