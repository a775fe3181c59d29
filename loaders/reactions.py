"""The viewer's own reactions to a page of entities, from whatever can answer first (L2, L11).

In this order: what is *pending*; what the cached set has *held*; certainty that there is none, because the set is
*complete*, or the entity too *young* for a reaction that the set does not hold any more; *truth*, in one query per
business. Pages of a business may stop before that (`pages_ask_truth`): what they leave open is *skipped*, and never
told as no reaction (D3). What is asked for by itself is always looked up.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from domain.errors import Unavailable
from models.counters import EntityRef
from models.likes import Reaction
from observability import metrics
from settings import Business
from state import State
from store.reactions.likes import Held, reaction_of
from store.redis.client import RedisDown
from store.write_log.pending import REACT, Pending

_EXITS = "pending", "held", "complete", "young", "truth", "skipped"
_PENDING, _HELD, _COMPLETE, _YOUNG, _TRUTH, _SKIPPED = (metrics.REACTION_LOOKUPS.labels(one) for one in _EXITS)

T = TypeVar("T")


class NotLookedUp(Unavailable):
    """A page was not to look, nor will it be."""

    reason = "NOT_LOOKED_UP"

    def __init__(self) -> None:
        super().__init__("Pages do not look this up.", retry_after=None)


Answers = dict[int, Reaction | NotLookedUp]
"""By entity."""


async def reactions_of(
    state: State,
    user_id: int,
    pending: Callable[[], Awaitable[Pending]],
    refs: Sequence[EntityRef],
    exact: Collection[EntityRef],
) -> list[Reaction | NotLookedUp]:
    """A user's reaction to each entity; NotLookedUp where a page stops before truth, which it does for none `exact`.

    Whoever calls has asked for what is pending, so that it comes in one trip with what is held.
    """
    by_business: dict[int, list[int]] = {}
    for ref in refs:
        by_business.setdefault(ref.business_id, []).append(ref.entity_id)
    lookups = [_Lookup(state, user_id, state.businesses_by_id[one], ids) for one, ids in by_business.items()]
    held = await _all([one.held() for one in lookups])
    changed = (await pending()).all_of(REACT)
    mine = {ref: Reaction(history.latest) for ref, history in changed.items()}
    answers = [one.answers(mine, cached, exact) for one, cached in zip(lookups, held, strict=True)]
    found = dict(zip(by_business, await _all(answers), strict=True))
    return [found[business][entity] for business, entity in refs]


@dataclass(frozen=True, slots=True)
class _Lookup:
    """One user's reactions to entities of one business."""

    state: State
    user_id: int
    business: Business
    ids: list[int]

    async def held(self) -> Held | None:
        """What is cached; None where that cannot be asked."""
        try:
            return await self.state.reactions.held(self.user_id, self.business.id, self.ids)
        except RedisDown:
            return None

    async def answers(
        self, mine: dict[EntityRef, Reaction], held: Held | None, exact: Collection[EntityRef]
    ) -> Answers:
        """Each exit takes what it can answer, and leaves the rest to the next."""
        pending = {ref.entity_id: reaction for ref, reaction in mine.items() if ref.business_id == self.business.id}
        rest = [id_ for id_ in self.ids if id_ not in pending] if pending else self.ids
        _PENDING.inc(len(self.ids) - len(rest))
        reactions, floor = held or (dict[int, Reaction](), None)
        out = [id_ for id_ in rest if id_ not in reactions]
        _HELD.inc(len(rest) - len(out))
        answers: Answers = {**dict.fromkeys(out, Reaction.NONE), **reactions, **pending}
        if floor == 0:
            _COMPLETE.inc(len(out))
            return answers
        cold = [id_ for id_ in out if not (held and held.rules_out(id_))]
        _YOUNG.inc(len(out) - len(cold))
        return {**answers, **await self._cold(cold, held, exact)} if cold else answers

    async def _cold(self, ids: list[int], held: Held | None, exact: Collection[EntityRef]) -> Answers:
        """What only truth can tell. A set that is not there is always read: it tells of most things from then on."""
        stops = not self.business.pages_ask_truth and len(self.ids) > 1 and held and held.floor is not None
        sought = [id_ for id_ in ids if EntityRef(self.business.id, id_) in exact] if stops else ids
        _SKIPPED.inc(len(ids) - len(sought))
        _TRUTH.inc(len(sought))
        found = await self._truth(sought, held) if sought else {}
        return {**dict.fromkeys(ids, NotLookedUp()), **found}

    async def _truth(self, ids: list[int], held: Held | None) -> Answers:
        """From one query, which warms the set too where that can be asked."""
        reactions, asked_ms = self.state.reactions, None
        if held:
            with suppress(RedisDown):
                asked_ms = await reactions.clock_ms(self.user_id, self.business.id)
        warms = held is not None and held.floor is None and asked_ms is not None
        scored = await reactions.from_truth(self.user_id, self.business, ids, asked_ms=asked_ms, newest=warms)
        return {id_: reaction_of(scored[id_].moment) if id_ in scored else Reaction.NONE for id_ in ids}


async def _all(answers: Sequence[Awaitable[T]]) -> list[T]:
    """What each gives; a single one needs no task."""
    return [await answers[0]] if len(answers) == 1 else await asyncio.gather(*answers)
