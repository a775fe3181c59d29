"""The pending changes of the actor of one request."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from models.counters import EntityRef
from models.follows import FOLLOW
from settings import USERS
from state import State
from store.own_sets.kinds import counted_changes
from store.write_log.pending import Pending, PendingKey

Coming = Callable[[], Awaitable[Pending]]
"""Waits for pending changes that are being read. Raises RedisDown if they cannot be read, because an answer without
them could lack an acknowledged change.
"""


async def _nothing() -> Pending:
    return Pending(0)


async def _wait_for(future: "asyncio.Future[Pending]") -> Pending:
    return future.result() if future.done() else await asyncio.shield(future)


async def _both(changes: Coming, follows: Coming) -> Pending:
    return await changes() | await follows()


class ActorsPending:
    """Reads the pending changes of one actor during one request, in the round trip of the first loader that asks.

    One command reads all changes except follows. If the actor has made more changes than could concern the objects that
    a loader asks for, only those are read. So the work depends on what the request shows, not on what the actor has
    done.
    """

    def __init__(self, state: State, actor_id: int | None) -> None:
        self._state = state
        self._actor_id = actor_id
        self._all: asyncio.Future[Pending] | None = None
        self._some: list[tuple[frozenset[EntityRef], asyncio.Future[Pending]]] = []
        """The objects of each read of only some changes, and what it returns."""
        self._follows: asyncio.Future[Pending] | None = None

    def ask(self, refs: Sequence[EntityRef]) -> Coming:
        """Starts to read the changes that concern these objects: all pending follows if some of the objects are users.
        The answer may have changes of other objects.
        """
        if self._actor_id is None or not refs:
            return _nothing
        others = [ref for ref in refs if ref.business_id != USERS]
        if not others:
            return self.ask_for_follows()
        changes = partial(_wait_for, self._read(self._actor_id, others))
        return changes if len(others) == len(refs) else partial(_both, changes, self.ask_for_follows())

    def ask_for_follows(self) -> Coming:
        """Starts to read all pending follows and unfollows of the actor."""
        if self._actor_id is None:
            return _nothing
        if self._follows is None:
            self._follows = self._state.pending.get_of(self._actor_id, FOLLOW)
        return partial(_wait_for, self._follows)

    def _read(self, actor_id: int, refs: Sequence[EntityRef]) -> "asyncio.Future[Pending]":
        if self._all is None:
            for asked, coming in self._some:
                if asked.issuperset(refs):
                    return coming
            if changes := self._less_than_all(actor_id, refs):
                self._some.append((frozenset(refs), self._state.pending.get_some(actor_id, changes)))
                return self._some[-1][1]
            self._all = self._state.pending.get(actor_id)
        return self._all

    def _less_than_all(self, actor_id: int, refs: Sequence[EntityRef]) -> list[PendingKey] | None:
        """Returns what to read about these objects, except follows. Returns None if reading all is no more work."""
        count = self._state.pending.count(actor_id)
        changes = [(what, ref) for ref in refs for what in self._kinds_of(ref.business_id)] if count else []
        return changes if len(changes) < count else None

    def _kinds_of(self, business_id: int) -> list[str]:
        business = self._state.businesses_by_id.get(business_id)
        return counted_changes(counter.id for counter in business.counters) if business else counted_changes()
