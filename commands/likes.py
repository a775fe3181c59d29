"""like, unlike, dislike and undislike: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

import orjson

from commands import idempotency, suspensions, targets
from commands.counted import with_counts
from commands.targets import ReactableRow
from commands.write_log import WriteLog
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from models.counters import Counts
from store.reactions import likes
from store.reactions.likes import Verb
from store.write_log.operations import Outcome


async def react(
    context: Context, verb: Verb, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Likes or dislikes an entity, post or comment for the viewer, or removes the like or dislike, exactly once.
    Returns the target, or None if it is hidden from the viewer.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TARGET_NOT_FOUND, DISLIKE_DISABLED, BLOCKED,
    SUSPENDED or IDEMPOTENCY_MISMATCH. Repeating a verb succeeds and changes nothing. A block or a suspension does not
    prevent the removal of a like or dislike, even if it hides the target.
    """
    viewer = context.require_viewer()
    if source is not None:
        texts.identifier(source, "A source", 64)
    operation = idempotency.operation(context, verb.value, idempotency_key, target_id, source)
    counts: Counts | None = None

    async def append(log: WriteLog, prepared: tuple[ReactableRow, bool]) -> Outcome:
        nonlocal counts
        entity, _ = prepared
        business = context.state.businesses[entity.business]
        target = likes.ReactionTarget(business, entity.entity_id, entity.owner_id)
        entry = _entry(context, viewer.user_id, verb, entity, source)
        writing = log.react(viewer.user_id, verb, target, operation, entry)
        outcome, counts = await with_counts(context, entity.ref, writing)
        return outcome

    appending = suspensions.unless_suspended(context, append) if verb.is_absolute else append
    (entity, is_shown), outcome = await idempotency.once(
        context, viewer.user_id, operation, lambda: _target(context, verb, target_id), appending
    )
    context.forget()
    if outcome.after:
        context.loaders.prime_reaction(entity.ref, outcome.after, counts)
    return entity if is_shown else None


async def _target(context: Context, verb: Verb, target_id: str) -> tuple[ReactableRow, bool]:
    """Returns the checked target, and whether the viewer may see it. Raises BadInput, Forbidden or Refused."""
    if not verb.is_absolute:
        return await targets.reacted(context, target_id, "targetId")
    entity = await targets.reactable(context, target_id, "targetId")
    if verb is Verb.DISLIKE and not context.state.businesses[entity.business].dislikes:
        message = "Dislikes are disabled for this business."
        raise Refused.because(UserErrorCode.DISLIKE_DISABLED, message, "targetId")
    await targets.check_owner(context, entity, "targetId")
    return entity, True


def _entry(context: Context, user_id: int, verb: Verb, entity: ReactableRow, source: str | None) -> bytes:
    return orjson.dumps(
        {
            "actor": user_id,
            "verb": verb.value,
            "business": entity.business_id,
            "entity": entity.entity_id,
            "owner": entity.owner_id,
            "source": source,
            **context.client.trace,
        }
    )
