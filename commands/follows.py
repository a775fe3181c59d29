"""follow, unfollow, acceptFollow and rejectFollow: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import orjson

from commands import targets
from commands.changes import Change, DirectWrite, Fields, run_loaded
from commands.write import Write, read_back
from context import Context
from domain.errors import Refused, Unavailable, UserErrorCode
from models.follows import FollowState
from models.users import UserRow
from state import State
from store.people import boundary_rows, follows
from store.people.follows import FollowsNotCached, accepted, ended
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown
from store.write_log.journal import moment_of, version_of
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import FOLLOW


@dataclass(frozen=True, slots=True)
class _Follow(Change):
    """A follow, an unfollow or a request to follow. The status is LIMIT if the actor already follows too many users,
    and BLOCKED if one of the two users blocks the other.
    """

    wanted: FollowState
    followee_id: int
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the cached follow set. Reads the set from Postgres if it is not cached.

        If it is not cached and Postgres is down, a follow or unfollow is written without checking the limit of followed
        users; for a request, raises PostgresDown. Also raises PostgresDown if a block between the two users cannot be
        read.
        """
        return await _change_follows(state, actor_id, self.wanted, self.followee_id, operation, self.data)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns one entry."""
        was, size = await follows.stored_state(direct.transaction, direct.actor_id, self.followee_id)
        if self.wanted and not was and size >= direct.state.settings.follow_limit:
            return Status.LIMIT
        if self.wanted:
            standing = await boundary_rows.standing(
                direct.transaction, direct.actor_id, self.followee_id, direct.state.now_ms()
            )
            if standing.forbids_follow:
                return Status.BLOCKED
        keeps = self.wanted is FollowState.REQUESTED and was is FollowState.FOLLOWS
        return [{"kind": FOLLOW, "state": int(was if keeps else self.wanted), "data": self.data}]


@dataclass(frozen=True, slots=True)
class _Answer(Change):
    """The answer to the actor's request to follow a user: the user accepts or rejects it. The status is ABSENT if there
    is no request to accept.
    """

    accepts: bool
    followee_id: int
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the cached follow set. The cached lists of the user who answers show the answer at once.

        Raises PostgresDown if the follow set is not cached and Postgres is down.
        """
        wanted = FollowState.FOLLOWS if self.accepts else FollowState.NONE
        outcome = await _change_follows(state, actor_id, wanted, self.followee_id, operation, self.data, answers=True)
        if outcome.value and outcome.status is Status.DONE:  # a repetition must not show an older answer again
            moment, cap = moment_of(version_of(outcome.value)), state.settings.cached_followers
            publish = follows.publish_acceptance if self.accepts else follows.publish_end
            with suppress(RedisDown):
                await publish(state.cache, actor_id, self.followee_id, moment, cap=cap)
        return outcome

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns one entry; none if the actor follows the user already. A rejection also ends a request that only a
        journal has.
        """
        was, _ = await follows.stored_state(direct.transaction, direct.actor_id, self.followee_id)
        if was is FollowState.FOLLOWS:
            return []
        if self.accepts and was is FollowState.NONE:
            return Status.ABSENT
        return [{"kind": FOLLOW, "state": int(self.accepts), "data": self.data}]


async def _change_follows(
    state: State,
    actor_id: int,
    wanted: FollowState,
    followee_id: int,
    operation: Operation,
    data: bytes,
    *,
    answers: bool = False,
) -> Outcome:
    unknown = False

    async def run() -> Outcome | FollowsNotCached:
        return await state.follows.follow(
            actor_id, wanted, followee_id, operation, data, answers=answers, unknown=unknown
        )

    async def load(lacking: FollowsNotCached) -> None:
        nonlocal unknown
        try:
            if not lacking.boundaries:
                await state.follows.warm(actor_id, lacking.asked_ms)
            elif (await state.boundaries.warm(actor_id, lacking.asked_ms)).blockers is None:
                await state.boundaries.blockers_among(actor_id, [followee_id])
        except PostgresDown:
            if answers or lacking.boundaries or wanted is FollowState.REQUESTED:
                raise
            unknown = True

    return await run_loaded(run, load, "The users that you follow")


async def follow(
    context: Context, starts: bool, user_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Makes the viewer follow or unfollow a user, exactly once. Returns the user; after an unfollow None if the user is
    hidden from the viewer, and Unavailable if that cannot be read. To follow a private user, the viewer only asks: the
    user decides. An unfollow also withdraws such a request.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_FOLLOW_SELF,
    FOLLOW_LIMIT_REACHED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Following or unfollowing again succeeds and
    changes nothing. A block or a suspension does not prevent an unfollow.
    """
    async with Write(
        context, "follow" if starts else "unfollow", idempotency_key, user_id, unless_suspended=starts
    ) as write:
        context.loaders.boundaries.ask()  # the payload needs them after an unfollow
        user = await (targets.user if starts else targets.kept_user)(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(UserErrorCode.CANNOT_FOLLOW_SELF, "You cannot follow yourself.", "userId")
        entry = orjson.dumps({"actor": write.actor_id, "followee": user.user_id, **context.client.trace})
        wanted = FollowState.REQUESTED if user.is_private else FollowState.FOLLOWS
        outcome = await write.append(_Follow(wanted if starts else FollowState.NONE, user.user_id, entry))
        if outcome.status is Status.LIMIT:
            message = f"You can follow, or ask to follow, at most {context.state.settings.follow_limit} users."
            raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, message, "userId")
        if outcome.status is Status.BLOCKED:
            raise Refused.because(UserErrorCode.BLOCKED, "One of you blocks the other.", "userId")
    shown = user if starts else await read_back(context.loaders.users.load(user.user_id))
    context.forget()
    return shown


async def answer_request(
    context: Context, accepts: bool, user_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Makes the viewer accept or reject the request of a user to follow the viewer, exactly once. Returns the user.
    After a rejection, returns None if the user is hidden from the viewer, or Unavailable if that cannot be read.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, REQUEST_NOT_FOUND,
    SUSPENDED, or INVALID for the viewer's own id. Accepting or rejecting again succeeds and changes nothing. So does
    rejecting without a request. A suspension does not prevent a rejection.
    """
    viewer = context.require_viewer()
    user = await targets.kept_user(context, user_id, "userId")
    # The operation is recorded in the slot of the user who asked. So its name must contain the id of the viewer.
    name = f"{'acceptFollow' if accepts else 'rejectFollow'} {viewer.user_id}"
    async with Write(context, name, idempotency_key, user_id, unless_suspended=accepts, actor_id=user.user_id) as write:
        if user.user_id == viewer.user_id:
            raise Refused.because(UserErrorCode.INVALID, "You cannot follow yourself.", "userId")
        if accepts:
            user = await targets.user(context, user_id, "userId")
        entry = (accepted if accepts else ended)(user.user_id, viewer.user_id)
        outcome = await write.append(_Answer(accepts, viewer.user_id, entry))
        if outcome.status in (Status.ABSENT, Status.BLOCKED):
            message = "This user has not asked to follow you."
            raise Refused.because(UserErrorCode.REQUEST_NOT_FOUND, message, "userId")
    context.forget()
    return user if accepts else await read_back(context.loaders.users.load(user.user_id))
