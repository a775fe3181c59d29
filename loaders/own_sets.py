"""Looks up the viewer's state about each object of a page, such as whether the viewer likes it. These states are in one
of the viewer's own sets, such as the set of reactions. The first source that knows a state answers (L2, L11).

The sources are read in this order:

1. *pending*: the viewer's pending changes, which are accepted and may not be stored yet;
2. *held*: the cached set;
3. *complete* and *young*: the state is 0 if the cached set is complete, or if the object is newer than all members that
   the set no longer has;
4. *truth*: rows in Postgres, with one query for each set.

Pages of a business (a kind of content) can be configured not to read rows (`look_up_old_reactions = false`). States
that are still unknown are then *skipped*: they are reported as not looked up, never as 0 (D3). Rows are read anyway for
a single object, for an object whose exact state is required, and if the set is not cached or cannot be read.
"""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from domain.errors import Unavailable
from loaders.pending import Coming
from models.counters import EntityRef
from models.likes import REACT
from observability import metrics
from state import State
from store.groups import grouped
from store.own_sets.kinds import KINDS
from store.own_sets.own_sets import Held
from store.redis.client import RedisDown

_EXITS = "pending", "held", "complete", "young", "truth", "skipped"
_LOOKUPS = {exit_: metrics.REACTION_LOOKUPS.labels(exit_) for exit_ in _EXITS}
_COLD = Held({}, None)


class NotLookedUp(Unavailable):
    """A value in place of the viewer's state about an object, such as a reaction, that only Postgres knows. The object
    is on a page whose business does not look up old reactions.
    """

    reason = "NOT_LOOKED_UP"

    def __init__(self) -> None:
        super().__init__("Pages do not look this up.", retry_after=None)


States = dict[EntityRef, int | NotLookedUp]
"""The state of each object. 0 means that the object is not in the set."""


async def states_of(
    what: str,
    state: State,
    user_id: int,
    pending: Coming,
    refs: Sequence[EntityRef],
    exact: Collection[EntityRef] = (),
) -> list[int | NotLookedUp]:
    """Returns a user's state about each object in own sets of the kind `what`, such as reactions. The state 0 means
    that the object is not in the set. NotLookedUp is in the place of a state that only Postgres knows, if the object is
    on a page of a business with `look_up_old_reactions = false`. A single object and objects in `exact` are always
    looked up.

    `pending` is an awaitable for the user's pending changes. Start to read them before this call, so that both are read
    in one round trip. Raises RedisDown if the pending changes cannot be read, and PostgresDown.
    """
    by_set = grouped((ref.business_id if KINDS[what].by_business else 0, ref) for ref in refs)
    lookups = [_Lookup(state, what, user_id, *one).states(pending, exact) for one in by_set.items()]
    answers = [await lookups[0]] if len(lookups) == 1 else await asyncio.gather(*lookups)
    found = {ref: one for some in answers for ref, one in some.items()}
    return [found[ref] for ref in refs]


@dataclass(frozen=True, slots=True)
class _Lookup:
    """The lookup of one user's states about the objects `refs` in one set."""

    state: State
    what: str
    user_id: int
    business_id: int
    refs: list[EntityRef]

    async def states(self, pending: Coming, exact: Collection[EntityRef]) -> States:
        """Returns the user's states about `refs`. Each source answers the objects that it knows; the next source
        answers the others. Objects in `exact` are always looked up.
        """
        held: Held | None = None
        if not self.state.redis.is_suspended:
            with suppress(RedisDown):
                held = await self.state.own_sets.held(self.what, self.user_id, self.refs)
        changed = (await pending).among(self.what, self.refs)
        known = {ref: history.latest for ref, history in changed.items()}
        self._count("pending", len(known))
        cached = held or _COLD
        rest = [ref for ref in self.refs if ref not in known] if known else self.refs
        out = [ref for ref in rest if ref not in cached.states]
        self._count("held", len(rest) - len(out))
        answers: States = {**dict.fromkeys(out, 0), **cached.states, **known}
        if cached.floor == 0:
            self._count("complete", len(out))
            return answers
        cold = [ref for ref in out if not cached.rules_out(ref)]
        self._count("young", len(out) - len(cold))
        return {**answers, **await self._cold(cold, held, exact)} if cold else answers

    async def _cold(self, refs: list[EntityRef], held: Held | None, exact: Collection[EntityRef]) -> States:
        """Returns the states of `refs`, which neither the pending changes nor the cached set tell. Reads them from
        Postgres, or returns NotLookedUp for them if the page must not read rows. Rows are always read for objects in
        `exact`, and if the user's set is not cached or could not be read (`held` is None).
        """
        stops = len(self.refs) > 1 and held and held.floor is not None
        sought = [ref for ref in refs if not stops or ref in exact or self._asks_truth(ref)]
        self._count("skipped", len(refs) - len(sought))
        self._count("truth", len(sought))
        found = await self._truth(sought, held) if sought else {}
        return {**dict.fromkeys(refs, NotLookedUp()), **found} if len(found) < len(refs) else found

    def _asks_truth(self, ref: EntityRef) -> bool:
        business = self.state.businesses_by_id.get(ref.business_id)
        return business is None or business.look_up_old_reactions

    async def _truth(self, refs: list[EntityRef], held: Held | None) -> States:
        """Reads states from Postgres in one query, and adds them to the user's cached set, unless this set could not be
        read. If the set is not cached, loads it with the same query.
        """
        own_sets, asked_ms = self.state.own_sets, None
        if held:
            with suppress(RedisDown):
                asked_ms = await own_sets.clock_ms(self.what, self.user_id, self.business_id)
        warms = held is not None and held.floor is None and asked_ms is not None
        found = await own_sets.from_rows(
            self.what, self.user_id, refs, self.business_id, asked_ms=asked_ms, newest=warms
        )
        return {ref: found[ref].state if ref in found else 0 for ref in refs}

    def _count(self, exit_: str, number: int) -> None:
        if number and self.what == REACT:
            _LOOKUPS[exit_].inc(number)
