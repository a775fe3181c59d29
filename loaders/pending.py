"""Reads the pending changes of the actor (user or anonymous device) of one request. A pending change is accepted, but
may not be in all stored and cached values yet.
"""

import asyncio
from collections.abc import Awaitable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.counters import EntityRef
from models.follows import FOLLOW
from settings import USERS
from state import State
from store.own_sets.kinds import counted_changes
from store.write_log.pending import Pending


@dataclass(slots=True, eq=False)
class Coming(Awaitable[Pending]):
    """An awaitable for pending changes that are being read. Awaiting it raises RedisDown if they cannot be read: an
    answer without them could lack an acknowledged change.
    """

    reads: Sequence["asyncio.Future[Pending]"] = ()

    def __await__(self) -> Generator[Any, None, Pending]:
        pending: Pending | None = None
        for read in self.reads:
            found = yield from asyncio.shield(read).__await__()
            pending = pending | found if pending else found
        return pending or Pending(0)


@dataclass(eq=False)
class ActorsPending:
    """Reads the pending changes of one actor during one request, in the round trip of the first loader that asks.

    One command reads all changes except follows. If the actor has made very many changes, only the changes of the
    objects that a loader asks for are read. So the work depends on what the request shows, not on what the actor has
    done.
    """

    state: State
    actor_id: int | None
    _all: "asyncio.Future[Pending] | None" = field(default=None, init=False)
    _some: "list[tuple[frozenset[EntityRef], asyncio.Future[Pending]]]" = field(default_factory=list, init=False)
    """For each read of only some changes: the objects whose changes are read, and a future for the changes."""
    _follows: "asyncio.Future[Pending] | None" = field(default=None, init=False)

    def ask(self, refs: Sequence[EntityRef]) -> Coming:
        """Starts to read the changes that concern these objects. If users are among the objects, reads all pending
        follows and unfollows of the actor. The answer may have changes of other objects. It is empty if the request has
        no actor.
        """
        if self.actor_id is None:
            return Coming()
        others = [ref for ref in refs if ref.business_id != USERS]
        reads = [self._read(self.actor_id, others)] if others else []
        return Coming(reads if len(others) == len(refs) else [*reads, *self.ask_for_follows().reads])

    def ask_for_follows(self) -> Coming:
        """Starts to read all pending follows and unfollows of the actor."""
        if self.actor_id is None:
            return Coming()
        if self._follows is None:
            self._follows = self.state.pending.get_of(self.actor_id, FOLLOW)
        return Coming([self._follows])

    def _read(self, actor_id: int, refs: Sequence[EntityRef]) -> "asyncio.Future[Pending]":
        """Reads the changes of these objects, except follows. Reads all changes of the actor instead if that is no more
        work.
        """
        if self._all is not None:
            return self._all
        for asked, reading in self._some:
            if asked.issuperset(refs):
                return reading
        count = self.state.pending.count(actor_id)
        changes = [(what, ref) for ref in refs for what in self._kinds_of(ref.business_id)] if count else []
        if len(changes) < count:
            reading = self.state.pending.get_some(actor_id, changes)
            self._some.append((frozenset(refs), reading))
            return reading
        self._all = self.state.pending.get(actor_id)
        return self._all

    def _kinds_of(self, business_id: int) -> list[str]:
        business = self.state.businesses_by_id.get(business_id)
        return counted_changes(business_id, [counter.id for counter in business.counters] if business else ())
