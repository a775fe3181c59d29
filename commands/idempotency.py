"""Runs writes so that they are safe to repeat: by clients with an idempotency key, and by us after a lost reply."""

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
"""How often a write is tried, and the longest pause between two attempts in seconds."""
T = TypeVar("T")
Prepare = Callable[[], Awaitable[T]]
"""Finds the target of a write, or raises Refused."""
Append = Callable[[WriteLog, T], Awaitable[Outcome]]
"""Appends the change to the given write log. Repeated calls append it once."""


def operation(context: Context, mutation: str, idempotency_key: str | None, *parts: object) -> Operation:
    """Returns the operation of a write. `parts` is its input, by which a key that is used for another input is found.

    Raises BadInput for an invalid key, and for an input that is longer than the longest allowed body.
    """
    if idempotency_key is None:
        unknown = secrets.token_hex(16)
        return Operation(("", unknown), unknown, _RETRIES_LIFE_MS)
    texts.identifier(idempotency_key, "An idempotency key", 128)
    settings = context.state.settings
    if _characters(parts) > settings.max_body_bytes:
        raise BadInput(f"The input of a mutation has at most {settings.max_body_bytes} characters.")
    return Operation((mutation, idempotency_key), digest(json.dumps(parts)), int(settings.idempotency_seconds * 1000))


def _characters(part: object) -> int:
    """Returns the number of characters of all texts. A variable that is used twice in the document counts twice."""
    if isinstance(part, list | tuple):
        return sum(map(_characters, part))
    return len(part) if isinstance(part, str) else 0


async def once(
    context: Context, actor_id: int, operation: Operation, prepare: Prepare[T], append: Append[T]
) -> tuple[T, Outcome]:
    """Prepares and runs a write. Returns what was prepared, and the outcome.

    A repeated idempotency key gets the first outcome; refusals are remembered with the key as well. Raises Refused,
    RateLimited, or Unavailable.
    """
    if not operation.name[0]:  # the client sent no key, so there is no earlier outcome
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
        outcome = standing  # another API process has answered a request with this key meanwhile
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
            await context.state.write_mode.refresh()
        except RedisDown:
            await asyncio.sleep(pause(attempt, _PATIENCE))
    return await append(await write_log.current(context.state), prepared)


async def claimed(context: Context, name: Name, operation: Operation) -> Outcome | None:
    """Returns the outcome that Postgres has for an idempotency key, or None.

    Needed for publications: their keys are valid for ever, but Redis forgets keys after `idempotency_seconds`.
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
    """Returns what a write has created. Returns Unavailable instead of raising it, because the write has succeeded."""
    try:
        return await reading
    except Unavailable as error:
        return error


def _concluded(outcome: Outcome) -> Outcome:
    """Returns the outcome if the write succeeded. Raises the error that the outcome stands for otherwise."""
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
