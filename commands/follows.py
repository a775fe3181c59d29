"""follow and unfollow: one script in the actor's partition, acknowledged when it has run."""

import orjson

from commands import direct, operations, targets
from context import Context
from domain.errors import Refused, Unavailable, UserErrorCode
from models.users import UserRow
from store.people.follows import Cold
from store.postgres.client import PostgresDown
from store.write_log.operations import Operation, Outcome, Status


async def follow(context: Context, follows: bool, user_id: str, idempotency_key: str | None) -> UserRow:
    """Makes the viewer follow a user, or not, exactly once. Returns the user.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, CANNOT_FOLLOW_SELF,
    FOLLOW_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Repeating it succeeds and changes nothing.
    """
    viewer = context.require_viewer()
    operation = operations.operation(context, "follow" if follows else "unfollow", idempotency_key, user_id)

    async def prepare() -> UserRow:
        user = await targets.user(context, user_id, "userId")
        if user.user_id == viewer.user_id:
            raise Refused.because(UserErrorCode.CANNOT_FOLLOW_SELF, "You cannot follow yourself.", "userId")
        return user

    async def run(user: UserRow) -> Outcome:
        return await _follow(context, viewer.user_id, follows, user.user_id, operation)

    user, _ = await operations.once(context, viewer.user_id, operation, prepare, run)
    context.forget()
    return user


async def _follow(context: Context, actor_id: int, follows: bool, followee_id: int, operation: Operation) -> Outcome:
    state = context.state
    entry = orjson.dumps({"actor": actor_id, "followee": followee_id, **context.client.trace})
    unknown = False
    for _ in range(3):  # the set may expire between being warmed and being used: rarely even once
        answer: Outcome | Cold
        if await state.modes.writes_directly():
            answer = await direct.follow(state, actor_id, follows, followee_id, operation, entry)
        else:
            answer = await state.follows.follow(actor_id, follows, followee_id, operation, entry, unknown=unknown)
        if isinstance(answer, Cold):
            try:
                await state.follows.warm(actor_id, answer.asked_ms)
            except PostgresDown:
                unknown = True
        elif answer.status is Status.LIMIT:
            most = state.settings.follow_limit
            raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, f"One may follow {most} people.", "userId")
        else:
            return answer
    raise Unavailable("Whom you follow could not be established.")
