"""The pending changes of the actor of one request."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from models.counters import EntityRef
from state import State
from store.write_log.pending import Change, Pending, changes_of

Coming = Callable[[], Awaitable[Pending]]
"""Waits for pending changes that are being read. Raises RedisDown if they cannot be read, because an answer without
them could lack an acknowledged change.
"""


async def _nothing() -> Pending:
    return Pending(0)


async def _read(future: "asyncio.Future[Pending]") -> Pending:
    return future.result() if future.done() else await asyncio.shield(future)


class ActorsPending:
    """Reads the pending changes of one actor during one request, in the round trip of the first loader that asks.

    One command reads all changes except follows. If the actor has many changes, only those of the objects that a loader
    asks for are read. So the work depends on what the request shows, not on what the actor has done.
    """

    def __init__(self, state: State, actor_id: int | None) -> None:
        self._state = state
        self._actor_id = actor_id
        self._all: asyncio.Future[Pending] | None = None
        self._some: list[tuple[frozenset[EntityRef], asyncio.Future[Pending]]] = []
        """The objects whose changes were read for each question about an actor with many changes."""
        self._follows: asyncio.Future[Pending] | None = None

    def ask(self, refs: Sequence[EntityRef]) -> Coming:
        """Starts to read the changes, except follows, that concern these objects. The answer may have changes of other
        objects too.
        """
        if self._actor_id is None:
            return _nothing
        if self._all is None:
            if self._state.pending.is_busy(self._actor_id):
                return partial(asyncio.shield, self._ask_for_some(self._actor_id, refs))
            self._all = self._state.pending.get(self._actor_id)
        return partial(asyncio.shield, self._all)

    def ask_for_follows(self) -> Coming:
        """Starts to read all pending follows and unfollows of the actor."""
        if self._actor_id is None:
            return _nothing
        if self._follows is None:
            self._follows = self._state.pending.get_follows(self._actor_id)
        return partial(_read, self._follows)

    def _ask_for_some(self, actor_id: int, refs: Sequence[EntityRef]) -> "asyncio.Future[Pending]":
        for asked, coming in self._some:
            if asked.issuperset(refs):
                return coming
        changes = [change for ref in refs for change in self._changes(ref)]
        self._some.append((frozenset(refs), self._state.pending.get_some(actor_id, changes)))
        return self._some[-1][1]

    def _changes(self, ref: EntityRef) -> list[Change]:
        business = self._state.businesses_by_id.get(ref.business_id)
        return changes_of(ref, [counter.id for counter in business.counters] if business else ())
