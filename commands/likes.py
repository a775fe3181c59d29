"""like, unlike, dislike and undislike: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from commands import targets
from commands.changes import Change, DirectWrite, Fields, run_knowing
from commands.counted import with_counts
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from models.counters import Counts, EntityRef
from models.likes import Verb
from state import State
from store.reactions import like_rows
from store.reactions.likes import Known, NotCached, ReactionTarget
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import REACT


@dataclass(frozen=True, slots=True)
class Reacting(Change):
    """A like or dislike, or the removal of one."""

    asked: Verb
    target: ReactionTarget
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the cached reaction. Reads it from Postgres if it is not cached.

        If it is not cached and Postgres is down, a like or dislike is written without the current reaction; unlike and
        undislike raise PostgresDown.
        """
        reactions, target = state.reactions, self.target

        async def run(known: Known | None) -> Outcome | NotCached:
            return await reactions.react(actor_id, self.asked, target, operation, self.data, known)

        async def read(answer: NotCached) -> int:
            scored = await reactions.from_truth(
                actor_id, target.business, [target.entity_id], asked_ms=answer.asked_ms, newest=not answer.warm
            )
            item = scored.get(target.entity_id)
            return item.moment if item else 0

        return await run_knowing(state.redis, run, read, is_absolute=self.asked.is_absolute)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns an entry with the state after the row's state."""
        was = await like_rows.state_in(direct.transaction, direct.actor_id, self.target.ref)
        return [{"kind": REACT, "state": self.asked.after(was), "was": was, "data": self.data}]

    @property
    def about(self) -> EntityRef | None:
        """Returns the target."""
        return self.target.ref

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
    counts: Counts | None = None
    async with Write(
        context, verb.value, idempotency_key, target_id, source, unless_suspended=verb.is_absolute
    ) as write:
        entity, is_shown = await _target(context, verb, target_id)
        target = ReactionTarget(context.state.businesses[entity.business], entity.entity_id)
        reaction = Reacting(verb, target, _entry(context, write.actor_id, verb, entity, source))
        counts = await with_counts(context, entity.ref, write.append(reaction))
    context.forget()
    if after := write.outcome.after:
        context.loaders.prime_reaction(entity.ref, after, counts)
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
