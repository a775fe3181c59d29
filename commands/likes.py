"""like, unlike, dislike and undislike: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from dataclasses import dataclass

import orjson

from commands import targets
from commands.own_sets import OwnChange, append_counted
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from models.counters import EntityRef
from models.likes import REACT, Verb
from store.own_sets.own_sets import Transition


@dataclass(frozen=True, slots=True)
class Reacting(OwnChange):
    """A like or dislike, or the removal of one."""

    asked: Verb

    @property
    def about(self) -> EntityRef | None:
        """Returns the target."""
        return self.transition.ref

    @property
    def verb(self) -> str | None:
        """Returns the verb."""
        return self.asked.value


async def react(
    context: Context, verb: Verb, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Likes or dislikes an entity, post or comment for the viewer, or removes the like or dislike, exactly once.
    Returns the target, or None if it is hidden from the viewer.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TARGET_NOT_FOUND, DISLIKE_DISABLED, BLOCKED,
    SUSPENDED or IDEMPOTENCY_MISMATCH. Repeating a verb succeeds and changes nothing. A block or a suspension does not
    prevent the removal of a like or dislike, even if it hides the target.
    """
    context.require_viewer()
    if source is not None:
        texts.identifier(source, "A source", 64)
    async with Write(
        context, verb.value, idempotency_key, target_id, source, unless_suspended=verb.is_absolute
    ) as write:
        entity, is_shown = await _target(context, verb, target_id)
        entry = _entry(context, write.actor_id, verb, entity, source)
        transition = Transition(REACT, entity.ref, verb.to, entry, verb.only, blind=verb.is_absolute)
        await append_counted(context, write, Reacting(transition, verb))
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
