"""Makes writes safe to repeat: for clients that send an idempotency key, and for the API if a store did not answer.

A write is acknowledged by one of two write logs. Normally a script appends the change to the journal in Redis
(`Change.journal`). While Redis is unavailable, the change goes directly to Postgres (commands/direct_log.py).
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable
from types import TracebackType
from typing import Self, TypeVar

from commands import direct_log, suspended
from commands.changes import Change
from context import Context
from domain import texts
from domain.digests import digest
from domain.errors import BadInput, RateLimited, Refused, Unavailable, UserError, UserErrorCode
from domain.idempotency import ANONYMOUS_LIFE_MS, LIFE_MS, RETRIES_LIFE_MS
from models.users import UserRow
from store.backoff import pause
from store.postgres.client import PostgresDown
from store.redis.client import Moved, RedisDown
from store.write_log import claims, operations
from store.write_log.claims import Name
from store.write_log.operations import Operation, Outcome, Status

_ATTEMPTS, _LONGEST_PAUSE = 3, 0.2
"""The number of attempts of a write, and the longest pause between two attempts in seconds."""
T = TypeVar("T")


class _Mismatch(Refused):
    """Raised for an idempotency key that was used before, with another input. This error is not stored under
    the key.
    """


class Write:
    """One write that a client requests, made exactly once.

    A command checks its target in a block `async with Write(…) as write`, and calls `append` in it. The first outcome,
    also a refusal, is stored under the idempotency key, and a repeated request gets this outcome. After the block, it
    is in `outcome`.

    `append` first calls `ready`, which looks for the outcome of an earlier request; a command may call `ready` sooner.
    If the command raises Refused before `ready`, for example because the target is gone, the client gets this refusal
    even if the first request succeeded. If it raises Refused after `ready` although the first request succeeded, the
    block ends without an exception.

    The write of a viewer whose account is deleted is refused, unless `for_deleted` is true. If `unless_suspended` is
    true, the write of a suspended viewer is refused. `actor_id` is the user in whose journal the change belongs; by
    default the viewer.
    """

    def __init__(
        self,
        context: Context,
        mutation: str,
        idempotency_key: str | None,
        *parts: object,
        unless_suspended: bool = False,
        actor_id: int | None = None,
        for_deleted: bool = False,
    ) -> None:
        """Names the write by `mutation` and the client's idempotency key, or by a random key if the client sends none.
        `parts` are the input of the mutation: a key that is used again with other input is refused.

        Raises Unauthenticated without a viewer and without `actor_id`; BadInput for an invalid key, or for an input
        that is longer than the largest allowed body.
        """
        self.actor_id = context.require_viewer().user_id if actor_id is None else actor_id
        if idempotency_key is None:
            unknown = secrets.token_hex(16)
            self.operation = Operation(unknown, unknown, RETRIES_LIFE_MS)
        else:
            self.operation = _operation(context, mutation, idempotency_key, parts)
        self.outcome = Outcome(Status.DONE)
        self._context = context
        self._mutation = mutation
        self._is_keyed = idempotency_key is not None
        self._unless_suspended, self._for_deleted = unless_suspended, for_deleted
        viewer = context.viewer
        self._profile = context.content.kept_users.ask([viewer.user_id], each=True) if viewer else None
        """The viewer's profile, or why it cannot be read, as an awaitable; None without a viewer. The profile is read
        in the round trip of the target.
        """
        self._is_made = False
        """Whether `append` has returned an outcome. In synchronous mode, the other site then has the change."""
        self._finding: asyncio.Task[Outcome | None] | None = None
        self._earlier: Outcome | None = None
        self._is_ready = False

    async def __aenter__(self) -> Self:
        """Starts to look for the outcome of an earlier request with the same key, without waiting: the lookup is in the
        same round trip as the target.
        """
        if self._is_keyed:  # otherwise there is none
            self._finding = asyncio.create_task(self._find())
            self._finding.add_done_callback(_retrieve)
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> bool:
        """Stores a refusal under the key. If the write was made by an earlier request, sets `outcome` and returns True,
        so that no exception leaves the block.

        The first row that fits decides. "Ready" means that the block knows the result of the lookup (see `ready`).
        Another request may have made a record since the lookup.

            the block ends with           | stored here  | the caller gets
            ------------------------------+--------------+------------------------------------------------------
            anything, without a key       | nothing      | the exception, or `outcome`
            a cancellation                | nothing      | the cancellation; the lookup is cancelled too
            anything, not ready, and the  | nothing      | the error of the lookup, the earlier refusal, or
              lookup fails or has found   |              |   _Mismatch
              a refusal or another input  |              |
            Unavailable, ready, and the   | nothing      | no exception; `outcome` is that of the earlier request
              lookup has found a success  |              |
            _Mismatch                     | nothing      | _Mismatch
            Refused, no record            | the refusal  | the refusal, or the error if it cannot be stored
            Refused, not ready, a record  | nothing      | the refusal of the block
            Refused, ready, a record      | nothing      | what the record says: no exception and its `outcome`,
                                          |              |   its refusal, or _Mismatch
            another exception             | nothing      | the exception
            no exception                  | nothing      | `outcome`, as the block has set it

        The outcome of a write that was made is stored by the script or transaction that made it.

        A block that appends nothing has seen a state that perhaps a write without acknowledgement has made. In
        synchronous mode, raises Unavailable then, unless the other site has what this site has.
        """
        is_answer = error is None or isinstance(error, Refused)
        if is_answer and not self._is_made and self._context.state.write_mode.current.replicas:
            await self._find()
        if self._finding is None:
            return False
        if error and not isinstance(error, Exception):
            self._finding.cancel()
            return False
        if not self._is_ready:
            _raise_if_failed(await self._finding)
        elif self._earlier and isinstance(error, Unavailable):  # the change was made before, so nothing must be written
            self.outcome = self._earlier
            return True
        if isinstance(error, Refused) and not isinstance(error, _Mismatch):
            stored = await self._conclude(error.errors)
            if stored and self._is_ready:  # perhaps another API process has answered a request with this key meanwhile
                _raise_if_failed(stored)
                self.outcome = stored
                return True
        return False

    async def ready(self) -> None:
        """Waits for the outcome of an earlier request with the same key, and for the viewer's profile.

        Raises AccountDeleted if the viewer's account is deleted, unless the write is for deleted accounts; Refused if
        the earlier request was refused or had other input, or if the viewer is suspended; Unavailable if one of the two
        cannot be read. If a suspension does not forbid the write, the profile need not be readable.
        """
        if not self._is_ready:
            self._earlier = await self._finding if self._finding else None
            _raise_if_failed(self._earlier)
            self._is_ready = True
            if self._profile and not self._for_deleted:
                (viewer,) = await self._profile
                if self._unless_suspended or isinstance(viewer, UserRow):
                    suspended.check(self._context, viewer, may_write=not self._unless_suspended)

    async def was_claimed(self, name: Name) -> bool:
        """Returns whether a post or comment with the idempotency key `name` is stored in Postgres. If so, `outcome`
        becomes the outcome of the request that created it. Returns False while Postgres is down. Raises Refused if the
        key was used with other input.

        Postgres keeps the keys of new posts and comments for longer than Redis, which forgets keys after a day.
        """
        try:
            earlier = (await claims.find(self._context.state.postgres, [name])).get(name)
        except PostgresDown as error:
            self._context.degraded.incomplete(f"Mutation.{self._mutation}", error)
            return False  # the worker drops a publication whose key was used before
        if earlier is None:
            return False
        same = earlier.fingerprint == self.operation.fingerprint
        outcome = Outcome(Status.REPLAY, value=str(earlier.entity_id)) if same else Outcome(Status.MISMATCH)
        _raise_if_failed(outcome)
        self.outcome = outcome
        return True

    async def append(self, change: Change) -> Outcome:
        """Appends a change to the write log that is in use, once: a repeated request gets the first outcome. Tries
        again if Redis does not answer, or if the other log has come into use. Returns the outcome. The caller must
        check its status: with LIMIT, BLOCKED, ABSENT or CHANGED, nothing was changed.

        Raises Refused, RateLimited, or Unavailable; RedisDown or PostgresDown if it is unknown whether the change was
        made.
        """
        await self.ready()
        state = self._context.state
        attempt = 0
        while True:
            try:
                if await state.write_mode.writes_directly():
                    self.outcome = await direct_log.append(state, self.actor_id, self.operation, change)
                else:
                    self.outcome = await change.journal(state, self.actor_id, self.operation)
                break
            except (Moved, RedisDown) as error:
                attempt += 1
                if attempt == _ATTEMPTS:
                    raise
                if isinstance(error, Moved):
                    await state.write_mode.refresh()
                else:
                    await asyncio.sleep(pause(attempt, _LONGEST_PAUSE))
        self._is_made = True
        _raise_if_failed(self.outcome)
        return self.outcome

    async def _find(self) -> Outcome | None:
        """Returns the outcome that an earlier request with this key stored in the write log that is in use, or None. In
        synchronous mode, waits until the other site has the outcome and all earlier changes.
        """
        state = self._context.state
        if await state.write_mode.writes_directly():
            outcome = await operations.recorded(state.postgres, self.actor_id, self.operation)
            await state.write_mode.wait_for_other_site()
            return outcome
        return await state.operations.find(self.actor_id, self.operation)

    async def _conclude(self, errors: tuple[UserError, ...]) -> Outcome | None:
        """Stores these user errors as the outcome of the refused write, in the write log that is in use. Returns the
        outcome that was stored before, or None.
        """
        state = self._context.state
        if await state.write_mode.writes_directly():
            return await direct_log.conclude(state, self.actor_id, self.operation, errors)
        return await state.operations.conclude(self.actor_id, self.operation, errors)


def _retrieve(task: "asyncio.Task[Outcome | None]") -> None:
    """Retrieves the exception of a lookup that nobody awaits any more. Without this, asyncio logs it as unexpected."""
    if not task.cancelled():
        task.exception()


def _operation(context: Context, mutation: str, idempotency_key: str, parts: tuple[object, ...]) -> Operation:
    texts.identifier(idempotency_key, "An idempotency key", 128)
    most = context.state.settings.connections.body_bytes
    if _characters(parts) > most:
        raise BadInput(f"The input of a mutation has at most {most} characters.")
    life_ms = LIFE_MS if context.viewer else ANONYMOUS_LIFE_MS
    return Operation(digest(mutation, idempotency_key), digest(json.dumps(parts)), life_ms)


def _characters(part: object) -> int:
    """Returns the number of characters of all texts in the input. This number can exceed the length of the request's
    body, because a document can use a variable many times.
    """
    if isinstance(part, (list, tuple)):
        return sum(map(_characters, part))
    return len(part) if isinstance(part, str) else 0


async def read_back(reading: Awaitable[T]) -> T | Unavailable:
    """Returns the object that a write has created or changed, as `reading` returns it. If it cannot be read, returns
    the error Unavailable instead of raising it, because the write has succeeded.
    """
    try:
        return await reading
    except Unavailable as error:
        return error


def _raise_if_failed(outcome: Outcome | None) -> None:
    """Raises an error for some outcomes: Refused for MISMATCH and for stored user errors of an earlier request,
    Unavailable for FULL (the journal is full), RateLimited for BUSY (too many changes wait). Does nothing for other
    outcomes, such as LIMIT, which commands check, and for None.
    """
    if outcome is None:
        return
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
