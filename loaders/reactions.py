"""The viewer's own reactions to a page of entities, from the first source that knows them (L2, L11).

The sources are read in this order:

1. *pending*: the viewer's pending changes;
2. *held*: the cached set of the viewer's reactions;
3. *complete* and *young*: there is no reaction if the cached set is complete, or if the entity is newer than all
   reactions that the set no longer has;
4. *truth*: rows, with one query for each business.

Pages of a business can be configured not to read rows (`pages_ask_truth`). Reactions that are still unknown are then
*skipped*: they are reported as not looked up, never as "no reaction" (D3). A single entity is always looked up.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from prometheus_client import Counter

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


def _count(lookups: Counter, number: int) -> None:
    if number:
        lookups.inc(number)


class NotLookedUp(Unavailable):
    """A value in place of a reaction that was not looked up, because the entity is on a page that does not read
    rows.
    """

    reason = "NOT_LOOKED_UP"

    def __init__(self) -> None:
        super().__init__("Pages do not look this up.", retry_after=None)


Answers = dict[int, Reaction | NotLookedUp]
"""The found reactions by entity id."""


async def reactions_of(
    state: State,
    user_id: int,
    pending: Callable[[], Awaitable[Pending]],
    refs: Sequence[EntityRef],
    exact: Collection[EntityRef],
) -> list[Reaction | NotLookedUp]:
    """Returns a user's reaction to each entity. NotLookedUp stands for reactions that are only in rows, on pages that
    do not read rows. Reactions to entities in `exact` are always looked up.

    Start to read the pending changes before this call, so that both are read in one round trip.
    """
    by_business: dict[int, list[int]] = {}
    for ref in refs:
        by_business.setdefault(ref.business_id, []).append(ref.entity_id)
    lookups = [_Lookup(state, user_id, state.businesses_by_id[one], ids) for one, ids in by_business.items()]
    held = await _all([one.held() for one in lookups])
    changed = (await pending()).among(REACT, refs)
    mine = {ref: Reaction(history.latest) for ref, history in changed.items()}
    answers = [one.answers(mine, cached, exact) for one, cached in zip(lookups, held, strict=True)]
    found = dict(zip(by_business, await _all(answers), strict=True))
    return [found[business][entity] for business, entity in refs]


@dataclass(frozen=True, slots=True)
class _Lookup:
    """The lookup of one user's reactions to entities of one business."""

    state: State
    user_id: int
    business: Business
    ids: list[int]

    async def held(self) -> Held | None:
        """Reads the user's cached reactions to these entities. Returns None if Redis is down."""
        try:
            return await self.state.reactions.held(self.user_id, self.business.id, self.ids)
        except RedisDown:
            return None

    async def answers(
        self, mine: dict[EntityRef, Reaction], held: Held | None, exact: Collection[EntityRef]
    ) -> Answers:
        """Returns the user's reactions to these entities. Each source answers the entities that it knows; the next
        source answers the others.
        """
        pending = {ref.entity_id: reaction for ref, reaction in mine.items() if ref.business_id == self.business.id}
        rest = [id_ for id_ in self.ids if id_ not in pending] if pending else self.ids
        _count(_PENDING, len(self.ids) - len(rest))
        reactions, floor = held or (dict[int, Reaction](), None)
        out = [id_ for id_ in rest if id_ not in reactions]
        _count(_HELD, len(rest) - len(out))
        answers: Answers = {**dict.fromkeys(out, Reaction.NONE), **reactions, **pending}
        if floor == 0:
            _count(_COMPLETE, len(out))
            return answers
        cold = [id_ for id_ in out if not (held and held.rules_out(id_))]
        _count(_YOUNG, len(out) - len(cold))
        return {**answers, **await self._cold(cold, held, exact)} if cold else answers

    async def _cold(self, ids: list[int], held: Held | None, exact: Collection[EntityRef]) -> Answers:
        """Reads from rows the reactions that no other source knows, or returns NotLookedUp for them if the page must
        not read rows. If the user's set is not cached, rows are always read, because the filled set answers most later
        requests.
        """
        stops = not self.business.pages_ask_truth and len(self.ids) > 1 and held and held.floor is not None
        sought = [id_ for id_ in ids if EntityRef(self.business.id, id_) in exact] if stops else ids
        _SKIPPED.inc(len(ids) - len(sought))
        _TRUTH.inc(len(sought))
        found = await self._truth(sought, held) if sought else {}
        return {**dict.fromkeys(ids, NotLookedUp()), **found}

    async def _truth(self, ids: list[int], held: Held | None) -> Answers:
        """Reads reactions from rows in one query, and adds them to the user's cached set if Redis is up."""
        reactions, asked_ms = self.state.reactions, None
        if held:
            with suppress(RedisDown):
                asked_ms = await reactions.clock_ms(self.user_id, self.business.id)
        warms = held is not None and held.floor is None and asked_ms is not None
        scored = await reactions.from_truth(self.user_id, self.business, ids, asked_ms=asked_ms, newest=warms)
        return {id_: reaction_of(scored[id_].moment) if id_ in scored else Reaction.NONE for id_ in ids}


async def _all(answers: Sequence[Awaitable[T]]) -> list[T]:
    """Returns the results of all awaitables. A single awaitable is awaited without a task."""
    return [await answers[0]] if len(answers) == 1 else await asyncio.gather(*answers)
