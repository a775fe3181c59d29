"""like, unlike, dislike, undislike, react and unreact: each checks its input and appends one change to the write log,
which acknowledges the change.
"""

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
from models.posts import PostRow

_KIND, _LONGEST = "A kind of reaction", 64
_WORDS = {"like": Verb.LIKE, "dislike": Verb.DISLIKE}


class Asked(NamedTuple):
    """A request to give the kind of reaction with a name, or to take it back. To take back, None stands for all kinds.
    Names are those of the business of the target.
    """

    name: str | None
    gives: bool

    def verb(self, known: Reactions) -> Verb | KindVerb:
        """Returns the verb, given the kinds of the business. Raises Refused if there is no kind with this name."""
        kind = 0 if self.name is None else known.find(self.name)
        if kind is None:
            raise Refused.because(UserErrorCode.REACTION_UNKNOWN, unknown_reaction(known), "kind")
        if self.gives:
            return _WORDS.get(self.name or "") or KindVerb("react", kind)
        return KindVerb("unreact", kind)


async def react(
    context: Context, verb: Verb | Asked, target_id: str, source: str | None, idempotency_key: str | None
) -> ReactableRow | None:
    """Applies the viewer's verb (like, unlike, dislike or undislike), or gives or takes back a kind of reaction, to an
    entity, post or comment, exactly once. A reaction to a post that announces an entity is a reaction to the entity.
    `source` is the place in the client's app where the user reacted. Returns the target; after a removal, None if the
    target is hidden from the viewer.

    Raises Unauthenticated, BadInput, Forbidden, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND,
    TARGET_DELETED, REACTION_UNKNOWN, DISLIKE_DISABLED, BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Repeating a verb
    succeeds and changes nothing. A block or a suspension does not prevent the removal of a reaction, even if it hides
    the target.
    """
    context.require_viewer()
    if source is not None:
        texts.identifier(source, "A source", 64)
    if isinstance(verb, Verb):
        mutation, removes, parts = verb.value, not verb.to, [target_id, source]
    else:
        mutation, removes = "react" if verb.gives else "unreact", not verb.gives
        parts = [target_id, source, None if verb.name is None else texts.identifier(verb.name, _KIND, _LONGEST)]
    async with Write(context, mutation, idempotency_key, *parts, unless_suspended=not removes) as write:
        is_shown = True
        if removes:
            target, is_shown = await targets.reacted(context, target_id, "targetId")
        else:
            target = await targets.reactable(context, target_id, "targetId")
        liked = await targets.content(context, target, "targetId") if isinstance(target, PostRow) else target
        known = context.state.reactions[liked.business_id]
        made = verb if isinstance(verb, Verb) else verb.verb(known)
        if made is Verb.DISLIKE and not context.state.businesses[liked.business].dislikes:
            message = "Dislikes are disabled for this business."
            raise Refused.because(UserErrorCode.DISLIKE_DISABLED, message, "targetId")
        if not removes:
            await targets.check_owner(context, target, "targetId")
        about = {"business": liked.business_id, "entity": liked.entity_id, "owner": liked.owner_id}
        asked = {"actor": write.actor_id, "verb": made.value, **about, "source": source}
        entry = orjson.dumps({**asked, **context.client.trace})
        add, remove, likes = known.steps[made.value]
        # A change that keeps other kinds needs the state before it.
        blind = not removes and not known.many
        transition = Transition(REACT, liked.ref, add, entry, remove, blind=blind, likes=likes)
        await append_counted(context, write, OwnChange(transition, made))
    return target if is_shown else None
