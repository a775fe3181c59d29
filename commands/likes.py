"""like, unlike, dislike and undislike: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

import orjson

from commands import targets
from commands.own_sets import OwnChange, append_counted
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from models.likes import REACT, Reaction, Verb
from models.own_sets import Transition


async def react(
    context: Context, verb: Verb, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Applies the viewer's verb (like, unlike, dislike or undislike) to an entity, post or comment, exactly once.
    A reaction to a post that announces an entity is a reaction to the entity. `source` is the place in the client's app
    where the user reacted. Returns the target; after a removal, None if the target is hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND,
    TARGET_DELETED, DISLIKE_DISABLED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Repeating a verb succeeds and changes
    nothing. A block or a suspension does not prevent the removal of a like or dislike, even if it hides the target.
    """
    context.require_viewer()
    if source is not None:
        texts.identifier(source, "A source", 64)
    removes = verb.to is Reaction.NONE
    async with Write(context, verb.value, idempotency_key, target_id, source, unless_suspended=not removes) as write:
        is_shown = True
        if removes:
            target, is_shown = await targets.reacted(context, target_id, "targetId")
        else:
            target = await targets.reactable(context, target_id, "targetId")
        liked = await targets.content(context, target, "targetId")
        if verb is Verb.DISLIKE and not context.state.businesses[liked.business].dislikes:
            message = "Dislikes are disabled for this business."
            raise Refused.because(UserErrorCode.DISLIKE_DISABLED, message, "targetId")
        if not removes:
            await targets.check_owner(context, target, "targetId")
        about = {"business": liked.business_id, "entity": liked.entity_id, "owner": liked.owner_id}
        asked = {"actor": write.actor_id, "verb": verb.value, **about, "source": source}
        entry = orjson.dumps({**asked, **context.client.trace})
        transition = Transition(REACT, liked.ref, verb.to, entry, verb.only, blind=not removes)
        await append_counted(context, write, OwnChange(transition, verb))
    return target if is_shown else None
