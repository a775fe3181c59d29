"""follow, unfollow, acceptFollow and rejectFollow: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import orjson

from commands import targets
from commands.changes import DirectWrite, Fields
from commands.own_sets import OwnChange
from commands.write import Write, read_back
from context import Context
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.versions import moment_of, version_of
from models.counters import EntityRef
from models.follows import FOLLOW, FollowState, FollowVerb
from models.own_sets import Transition
from models.users import UserRow
from settings import USERS
from state import State
from store.people import follows
from store.people.follows import accepted, ended
from store.redis.client import RedisDown
from store.write_log.operations import Operation, Outcome, Status


@dataclass(frozen=True, slots=True)
class _Answer(OwnChange):
    """The answer of a user to the actor's request to follow this user. The user accepts or rejects the request. The
    status of the outcome is ABSENT if there is no request to accept, BLOCKED if a block between the two forbids the
    follow.
    """

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the state of the follow in the actor's cached set of follows, and appends the change to the actor's
        journal, at most once for the same `operation`. The status of the outcome is DONE, or says why nothing was
        changed. The cached lists of the user who answers show the answer at once.

        Raises PostgresDown if the set is not cached and Postgres is down.
        """
        outcome = await state.own_sets.change(actor_id, self.transition, operation)
        if outcome.value and outcome.status is Status.DONE:  # a repetition must not show an older answer again
            moment, cap = moment_of(version_of(outcome.value)), state.settings.caches.followers
            publish = follows.publish_acceptance if self.transition.to else follows.publish_end
            with suppress(RedisDown):
                await publish(state.cache, actor_id, self.transition.ref.entity_id, moment, cap=cap)
        return outcome

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns one journal entry; an empty list if the actor follows the user already; a status if the answer is not
        allowed. A rejection has an entry even if no request is stored: the request may still be in a journal.
        """
        made = await OwnChange.entries(self, direct)
        if isinstance(made, Status) or made[0]["was"] != FollowState.FOLLOWS:
            return made
        return []


async def follow(
    context: Context, starts: bool, user_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Makes the viewer follow a user or, if `starts` is false, unfollow the user, exactly once. If the user is private,
    a follow is only a request, which the user may accept; an unfollow withdraws it. Returns the user. After an
    unfollow, returns None if the user is hidden from the viewer, or Unavailable if that cannot be read.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_FOLLOW_SELF,
    FOLLOW_LIMIT_REACHED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Following or unfollowing again succeeds and
    changes nothing. A block or a suspension does not prevent an unfollow.
    """
    async with Write(
        context, "follow" if starts else "unfollow", idempotency_key, user_id, unless_suspended=starts
    ) as write:
        context.own.boundaries.ask()  # the payload needs them after an unfollow
        user = await (targets.user if starts else targets.kept_user)(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(UserErrorCode.CANNOT_FOLLOW_SELF, "You cannot follow yourself.", "userId")
        entry = orjson.dumps({"actor": write.actor_id, "followee": user.user_id, **context.client.trace})
        verb = FollowVerb.UNFOLLOW if not starts else FollowVerb.ASK if user.is_private else FollowVerb.FOLLOW
        outcome = await write.append(OwnChange(_transition(verb, user, entry), verb))
        if outcome.status is Status.LIMIT:
            message = f"You can follow, or ask to follow, at most {context.state.settings.people.follow_limit} users."
            raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, message, "userId")
        if outcome.status is Status.BLOCKED:
            raise Refused.because(UserErrorCode.BLOCKED, "One of you blocks the other.", "userId")
    shown = user if starts else await read_back(context.content.users.load(user.user_id))
    context.forget()
    return shown


def _transition(verb: FollowVerb, user: UserRow, entry: bytes) -> Transition:
    """Returns the change that `verb` makes in the actor's set of follows. If the actor follows the user already, a
    request to follow the user (ASK) changes nothing.

    If the set is not cached and Postgres is down, a follow is made without a check of the follow limit, and a request
    to a private user fails.
    """
    ref, blind = EntityRef(USERS, user.user_id), verb is not FollowVerb.ASK
    return Transition(FOLLOW, ref, verb.to, entry, verb.only, blind=blind)


async def answer_request(
    context: Context, accepts: bool, user_id: str, idempotency_key: str | None
) -> UserRow | Unavailable | None:
    """Accepts or, if `accepts` is false, rejects the request of the user `user_id` to follow the viewer, exactly once.
    Returns the user. After a rejection, returns None if the user is hidden from the viewer, or Unavailable if that
    cannot be read.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, REQUEST_NOT_FOUND,
    SUSPENDED, or INVALID for the viewer's own id. Accepting or rejecting again, and rejecting without a request,
    succeed and change nothing. A suspension does not prevent a rejection.
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
        ref, verb = EntityRef(USERS, viewer.user_id), FollowVerb.ACCEPT if accepts else FollowVerb.REJECT
        transition = Transition(FOLLOW, ref, verb.to, entry, verb.only, must_be=accepts)
        outcome = await write.append(_Answer(transition, verb))
        if outcome.status in (Status.ABSENT, Status.BLOCKED):
            message = "This user has not asked to follow you."
            raise Refused.because(UserErrorCode.REQUEST_NOT_FOUND, message, "userId")
    context.forget()
    return user if accepts else await read_back(context.content.users.load(user.user_id))
