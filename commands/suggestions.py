"""dismissSuggestion: checks its input and appends one change to the write log, which acknowledges the change."""

import orjson

from commands import targets
from commands.own_sets import OwnChange
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from models.boundaries import THREAD
from models.own_sets import Transition
from models.suggestions import dismissal
from models.users import UserRow
from store.write_log.operations import Status


async def dismiss(context: Context, user_id: str, idempotency_key: str | None) -> UserRow | None:
    """Stops Plaudit from suggesting a user to the viewer, for ever and exactly once. Returns the user, or None if the
    user is hidden from the viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, INVALID for the viewer's
    own id, MUTE_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Dismissing a user again succeeds and changes nothing.
    """
    async with Write(context, "dismissSuggestion", idempotency_key, user_id) as write:
        user = await targets.kept_user(context, user_id, "userId")
        if user.user_id == write.actor_id:
            raise Refused.because(UserErrorCode.INVALID, "You are never suggested to yourself.", "userId")
        ref = dismissal(user.user_id)
        about = {"actor": write.actor_id, "business": ref.business_id, "entity": ref.entity_id}
        entry = orjson.dumps({**about, **context.client.trace})
        outcome = await write.append(OwnChange(Transition(THREAD, ref, 1, entry)))
        if outcome.status is Status.LIMIT:
            limit = context.state.settings.people.boundary_limit
            message = f"You can mute threads and reposts, and dismiss suggestions, at most {limit} in all."
            raise Refused.because(UserErrorCode.MUTE_LIMIT_REACHED, message, "userId")
    context.forget()
    return await context.content.users.load(user.user_id)
