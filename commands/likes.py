"""like, unlike, dislike, undislike, react and unreact: each checks its input and appends one change to the write log,
which acknowledges the change.
"""

from collections.abc import Callable
from typing import NamedTuple

import orjson

from commands import targets
from commands.own_sets import OwnChange, append_counted
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from models.likes import REACT, KindVerb, Reactions, Verb, unknown_reaction
from models.own_sets import Transition

_KIND, _LONGEST = "A kind of reaction", 64
_WORDS = {"like": Verb.LIKE, "dislike": Verb.DISLIKE}


class _Asked(NamedTuple):
    """The input that all mutations of reactions have: the id of the target, the place in the client's app where the
    user reacted, and the idempotency key.
    """

    target_id: str
    source: str | None
    idempotency_key: str | None


async def react(
    context: Context, verb: Verb, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Applies the viewer's verb (like, unlike, dislike or undislike) to an entity, post or comment, exactly once.
    `source` is the place in the client's app where the user reacted. Returns the target; after a removal, None if the
    target is hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND,
    TARGET_DELETED, DISLIKE_DISABLED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Repeating a verb succeeds and changes
    nothing. A block or a suspension does not prevent the removal of a like or dislike, even if it hides the target.
    """
    asked = _Asked(target_id, source, idempotency_key)
    return await _react(context, verb.value, asked, lambda _: verb, removes=not verb.to)


async def give(
    context: Context, kind: str, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Gives an entity, post or comment a reaction of the viewer, exactly once. `kind` is the name of a kind of reaction
    of the target's business, and `source` the place in the client's app where the user reacted. Returns the target.

    Raises what `react` raises, and Refused with REACTION_UNKNOWN.
    """
    texts.identifier(kind, _KIND, _LONGEST)
    asked = _Asked(target_id, source, idempotency_key)
    return await _react(
        context, "react", asked, lambda known: _WORDS.get(kind) or KindVerb("react", _id_of(kind, known)), kind
    )


async def take_back(
    context: Context, kind: str | None, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Removes a reaction that the viewer has given to an entity, post or comment, exactly once. `kind` is the name of
    its kind; None for all reactions of the viewer. Returns the target; None if it is hidden from the viewer.

    Raises what `react` raises for a removal, and Refused with REACTION_UNKNOWN. Succeeds if there is no such reaction.
    """
    if kind is not None:
        texts.identifier(kind, _KIND, _LONGEST)
    asked = _Asked(target_id, source, idempotency_key)
    return await _react(
        *(context, "unreact", asked, lambda known: KindVerb("unreact", _id_of(kind, known) if kind else 0), kind),
        removes=True,
    )


def _id_of(kind: str, known: Reactions) -> int:
    if id_ := known.find(kind):
        return id_
    raise Refused.because(UserErrorCode.REACTION_UNKNOWN, unknown_reaction(known), "kind")


async def _react(
    context: Context,
    mutation: str,
    asked: _Asked,
    verb_among: Callable[[Reactions], Verb | KindVerb],
    *parts: str | None,
    removes: bool = False,
) -> ReactableRow | None:
    """Makes a change of the viewer's reaction, exactly once. `verb_among` returns the change, given the kinds of
    reactions of the target's business, or raises Refused. `parts` is the input of the mutation that `asked` lacks.
    """
    context.require_viewer()
    target_id, source, key = asked
    if source is not None:
        texts.identifier(source, "A source", 64)
    async with Write(context, mutation, key, target_id, source, *parts, unless_suspended=not removes) as write:
        is_shown = True
        if removes:
            target, is_shown = await targets.reacted(context, target_id, "targetId")
        else:
            target = await targets.reactable(context, target_id, "targetId")
        business = context.state.businesses[target.business]
        known = Reactions.of(business)
        verb = verb_among(known)
        if verb is Verb.DISLIKE and not business.dislikes:
            message = "Dislikes are disabled for this business."
            raise Refused.because(UserErrorCode.DISLIKE_DISABLED, message, "targetId")
        if not removes:
            await targets.check_owner(context, target, "targetId")
        change = OwnChange(_transition(context, write.actor_id, target, verb, source), verb)
        await append_counted(context, write, change)
    return target if is_shown else None


def _transition(
    context: Context, actor_id: int, target: ReactableRow, verb: Verb | KindVerb, source: str | None
) -> Transition:
    known = Reactions.of(context.state.businesses[target.business])
    about = {"business": target.business_id, "entity": target.entity_id, "owner": target.owner_id}
    asked = {"actor": actor_id, "verb": verb.value, **about, "source": source}
    entry = orjson.dumps({**asked, **context.client.trace})
    step = verb.step(known)
    # A change that keeps other kinds needs the state before it.
    blind = step.add > 0 and not known.many
    return Transition(REACT, target.ref, step.add, entry, step.remove, blind=blind, likes=step.likes)
