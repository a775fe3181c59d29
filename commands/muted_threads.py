"""muteThread and unmuteThread: each checks its input and appends one change to the write log, which acknowledges the
change.
"""

import orjson

from commands import targets
from commands.own_sets import OwnChange
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from models.boundaries import THREAD
from models.own_sets import Transition
from store.write_log.operations import Status


async def set_muted(context: Context, mutes: bool, target_id: str, idempotency_key: str | None) -> ReactableRow:
    """Makes the viewer mute or, if `mutes` is false, unmute a thread, exactly once. The viewer gets no notifications
    about muted threads. The target names the thread: a post or entity with all its comments, or a comment with its
    replies. For a reply, the thread is that of its root comment. Returns the target.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND,
    TARGET_DELETED, MUTE_LIMIT_REACHED or IDEMPOTENCY_MISMATCH. Muting or unmuting again succeeds and changes nothing.
    """
    name = "muteThread" if mutes else "unmuteThread"
    async with Write(context, name, idempotency_key, target_id) as write:
        target = await targets.reactable(context, target_id, "targetId")
        business_id, entity_id = thread = (await targets.content(context, target, "targetId")).thread
        about = {"actor": write.actor_id, "business": business_id, "entity": entity_id}
        entry = orjson.dumps({**about, **context.client.trace})
        outcome = await write.append(OwnChange(Transition(THREAD, thread, int(mutes), entry)))
        if outcome.status is Status.LIMIT:
            message = f"You can mute at most {context.state.settings.people.boundary_limit} threads."
            raise Refused.because(UserErrorCode.MUTE_LIMIT_REACHED, message, "targetId")
    context.forget()
    return target
