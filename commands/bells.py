"""setPostNotifications: checks its input and appends one change to the write log, which acknowledges the change."""

import orjson

from commands import targets
from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from models.bells import BELL
from models.own_sets import Transition
from models.users import UserRow
from settings import USERS
from store.write_log.operations import Status


async def set_bell(context: Context, user_id: str, enabled: bool, idempotency_key: str | None) -> UserRow | None:
    """Switches the viewer's notifications about new posts of a user on or off, exactly once. Returns the user; None if
    they are switched off and the user is hidden from the viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, INVALID for the viewer,
    FOLLOW_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Repeating the change succeeds and changes nothing.
    """
    async with Write(context, "setPostNotifications", idempotency_key, user_id, enabled) as write:
        user = await (targets.user if enabled else targets.kept_user)(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(UserErrorCode.INVALID, "You cannot choose this for yourself.", "userId")
        entry = orjson.dumps({"actor": write.actor_id, "business": USERS, "entity": user.user_id})
        outcome = await write.append(OwnChange(Transition(BELL, user.ref, int(enabled), entry)))
        if outcome.status is Status.LIMIT:
            message = f"You can choose this for at most {context.state.settings.people.follow_limit} users."
            raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, message, "userId")
    context.forget()
    return user if enabled else await context.content.users.load(user.user_id)
