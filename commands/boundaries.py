"""block, unblock, mute, unmute and removeFollower: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import orjson

from commands import targets
from commands.changes import Change, DirectWrite, Fields
from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from domain import times
from domain.errors import Refused, UserErrorCode
from domain.versions import moment_of, version_of
from models.boundaries import BLOCK, MUTE
from models.counters import EntityRef
from models.own_sets import Transition
from models.users import UserRow
from settings import USERS
from state import State
from store.own_sets.boundaries import FOREVER_MS, REMOVED, UNFOLLOWER
from store.people import follows
from store.redis.client import RedisDown
from store.write_log.operations import Operation, Outcome, Status

_SELF = {BLOCK: UserErrorCode.CANNOT_BLOCK_SELF, MUTE: UserErrorCode.CANNOT_MUTE_SELF}
_LIMIT = {BLOCK: UserErrorCode.BLOCK_LIMIT_REACHED, MUTE: UserErrorCode.MUTE_LIMIT_REACHED}


@dataclass(frozen=True, slots=True)
class _Block(OwnChange):
    """A change by which the actor blocks or unblocks another user."""

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the actor's cached blocks and appends the change to the actor's journal, at most once for the same
        `operation`. The status of the outcome is DONE, or says why nothing was changed.

        Then records the block or unblock in the other user's data in Redis. If that fails because Redis is down, a
        worker does it later.
        """
        outcome = await state.own_sets.change(actor_id, self.transition, operation)
        if outcome.value:
            moment = moment_of(version_of(outcome.value)) * (1 if self.transition.to else -1)
            await _tell(state, self.transition.ref.entity_id, actor_id, moment, outcome.value)
        return outcome

    def unfollow(self, actor_id: int) -> tuple[int, int] | None:
        """Returns the ids of the blocked user and of the actor: a block ends the blocked user's follow of the actor.
        Returns None for an unblock. The journal entry of the block itself ends the actor's follow of the blocked user.
        """
        return (self.transition.ref.entity_id, actor_id) if self.transition.to else None


@dataclass(frozen=True, slots=True)
class _Removal(Change):
    """A change by which the actor removes the user `follower_id` from the actor's followers. `data` is the JSON of the
    journal entry.
    """

    follower_id: int
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the removal to the actor's journal, at most once for the same `operation`. The status of the outcome
        is DONE, or says why nothing was appended.

        Then ends the follow in the follower's data in Redis. If that fails because Redis is down, a worker does it
        later.
        """
        outcome = await state.boundaries.remove_follower(actor_id, operation, self.data)
        if outcome.status is Status.DONE:  # a repeated request must not end a follow that is newer than the removal
            await _tell(state, self.follower_id, actor_id, REMOVED, operation.name)
        return outcome

    async def entries(self, _: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the removal."""
        return [{"kind": UNFOLLOWER, "data": self.data}]

    def unfollow(self, actor_id: int) -> tuple[int, int] | None:
        """Returns the ids of the follower and of the actor, whose follow a direct write must end."""
        return self.follower_id, actor_id


async def _tell(state: State, user_id: int, actor_id: int, mark: int, change: str) -> None:
    """Records in the Redis data of the user `user_id` that the actor blocks, unblocks or removes this user. If the
    user's follow of the actor ends, the actor's cached lists show that at once. Does nothing if Redis is down.

    `mark` is the moment (a number made of the time) of a block, minus the moment of an unblock, or REMOVED for the
    removal of a follower. `change` names the change, so that a repeated call has no effect.
    """
    with suppress(RedisDown):
        outcome = await state.boundaries.receive(user_id, actor_id, mark, change)
        if outcome.value and outcome.status is Status.DONE:  # a repetition must not show an older end again
            moment = moment_of(version_of(outcome.value))
            await follows.publish_end(state.cache, user_id, actor_id, moment, cap=state.settings.caches.followers)


async def block(context: Context, blocks: bool, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Makes the viewer block a user or, if `blocks` is false, unblock the user, exactly once. Returns the user, or None
    if the user blocks the viewer or is hidden by a suspension.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_BLOCK_SELF,
    BLOCK_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Blocking or unblocking again succeeds and changes nothing.
    """
    name = "block" if blocks else "unblock"
    return await _set(context, BLOCK, name, int(blocks), user_id, idempotency_key)


async def mute(context: Context, user_id: str, until: datetime | None, idempotency_key: str | None) -> UserRow | None:
    """Makes the viewer mute a user, exactly once. The mute ends at the time `until`; None: it has no end. If the viewer
    mutes the user already, only the end changes. Returns the user, or None if the user blocks the viewer or is hidden
    by a suspension.

    Raises Unauthenticated, RateLimited, Unavailable; BadInput for a malformed id, and if `until` is not in the future
    or has no time zone; Refused with TARGET_NOT_FOUND, CANNOT_MUTE_SELF, MUTE_LIMIT_REACHED or IDEMPOTENCY_MISMATCH.
    """
    end_ms = FOREVER_MS if until is None else times.end_ms(until)
    return await _set(context, MUTE, "mute", end_ms, user_id, idempotency_key)


async def unmute(context: Context, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Ends the viewer's mute of a user, exactly once. Returns the user, or None if the user blocks the viewer or is
    hidden by a suspension. Succeeds and changes nothing if the viewer does not mute the user.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_MUTE_SELF or
    IDEMPOTENCY_MISMATCH.
    """
    return await _set(context, MUTE, "unmute", 0, user_id, idempotency_key)


async def remove_follower(context: Context, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Removes a user from the viewer's followers, exactly once. Returns the user, or None if the user blocks the viewer
    or is hidden by a suspension. Succeeds and changes nothing if the user does not follow the viewer.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TARGET_NOT_FOUND, INVALID for the viewer's own id, or
    IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, "removeFollower", idempotency_key, user_id) as write:
        user = await targets.kept_user(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(UserErrorCode.INVALID, "You are not a follower of yourself.", "userId")
        await write.append(_Removal(user.user_id, _entry(context, user)))
    return await _visible(context, user)


async def _set(
    context: Context, kind: str, name: str, state: int, user_id: str, idempotency_key: str | None
) -> UserRow | None:
    # The input contains the end of a mute, which has no end if the client sends none.
    async with Write(context, name, idempotency_key, user_id, state) as write:
        if name == "mute":
            times.check_future(state, context.state.now_ms())
        user = await targets.kept_user(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(_SELF[kind], f"You cannot {kind} yourself.", "userId")
        transition = Transition(kind, EntityRef(USERS, user.user_id), state, _entry(context, user))
        outcome = await write.append(_Block(transition) if kind == BLOCK else OwnChange(transition))
        if outcome.status is Status.LIMIT:
            message = f"You can {kind} at most {context.state.settings.people.boundary_limit} users."
            raise Refused.because(_LIMIT[kind], message, "userId")
    return await _visible(context, user)


async def _visible(context: Context, user: UserRow) -> UserRow | None:
    """Returns the user, or None if the user blocks the viewer, or if a suspension hides the user and the viewer is no
    moderator. First drops what the request has loaded, so that the payload shows the change.
    """
    context.forget()
    if user.is_hidden(context.state.now_ms()) and not context.moderates:
        return None
    return None if await context.own.boundaries.is_blocked_by(user.user_id) else user


def _entry(context: Context, user: UserRow) -> bytes:
    return orjson.dumps({"actor": context.require_viewer().user_id, "other": user.user_id, **context.client.trace})
