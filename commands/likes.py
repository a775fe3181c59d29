"""like, unlike, dislike, undislike: one script in the actor's partition, acknowledged when it has run."""

import orjson

from commands import direct, operations, targets
from commands.targets import Target
from context import Context
from domain import texts
from domain.errors import Refused, Unavailable, UserErrorCode
from store.postgres.client import PostgresDown
from store.reactions import likes
from store.reactions.likes import UNKNOWN, Cold, Known, Verb
from store.write_log.operations import Operation, Outcome


async def react(
    context: Context, verb: Verb, target_id: str, source: str | None, idempotency_key: str | None
) -> Target:
    """Makes the viewer's reaction what the verb says, exactly once. Returns what was reacted to.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TARGET_NOT_FOUND, DISLIKE_DISABLED or
    IDEMPOTENCY_MISMATCH. Repeating a verb succeeds and changes nothing.
    """
    viewer = context.require_viewer()
    if source is not None:
        texts.name(source, "a source", 64)
    operation = operations.operation(context, verb.value, idempotency_key, target_id, source)

    async def prepare() -> Target:
        entity = await targets.reactable(context, target_id, "targetId")
        if verb is Verb.DISLIKE and not context.state.businesses[entity.business].dislikes:
            raise Refused.because(UserErrorCode.DISLIKE_DISABLED, "There are no dislikes here.", "targetId")
        return entity

    async def run(entity: Target) -> Outcome:
        return await _react(context, viewer.user_id, verb, entity, source, operation)

    entity, _ = await operations.once(context, viewer.user_id, operation, prepare, run)
    context.forget()
    return entity


async def _react(
    context: Context, user_id: int, verb: Verb, entity: Target, source: str | None, operation: Operation
) -> Outcome:
    state = context.state
    target = likes.Target(state.businesses[entity.business], entity.entity_id, entity.owner_id)
    entry = _journal_entry(context, user_id, entity, source)
    if await state.modes.writes_directly():
        return await direct.react(state, user_id, verb, target, operation, entry)
    known: Known | None = None
    for _ in range(3):  # a set may expire, or a read of truth grow too old, between two attempts: rarely even once
        generation = state.redis.generation
        answer = await state.reactions.react(user_id, verb, target, operation, entry, known)
        if not isinstance(answer, Cold):
            return answer
        try:
            scored = await state.reactions.from_truth(
                user_id, target.business, [entity.entity_id], asked_ms=answer.asked_ms, newest=not answer.warm
            )
        except PostgresDown:
            if not verb.is_absolute:
                raise
            known = UNKNOWN
            continue
        item = scored.get(entity.entity_id)
        if state.redis.generation == generation:
            known = Known(item.moment if item else 0, answer.asked_ms)
    raise Unavailable("The current state could not be established.")


def _journal_entry(context: Context, user_id: int, entity: Target, source: str | None) -> bytes:
    return orjson.dumps(
        {
            "actor": user_id,
            "business": entity.business_id,
            "entity": entity.entity_id,
            "owner": entity.owner_id,
            "source": source,
            **context.client.trace,
        }
    )
