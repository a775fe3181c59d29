"""The boundaries of the viewer of one request, and the rules for what they hide. Boundaries are the users whom the
viewer blocks or mutes, the threads that the viewer mutes, and the users who block the viewer.

| author | lists | a single object, the author's own lists | the viewer's mutations |
|---|---|---|---|
| the viewer blocks the author, or the author blocks the viewer | left out, and the page is filled up | null | refused |
| the viewer mutes the author | left out, and the page is filled up | shown | allowed |

A root comment with public replies stays as a tombstone without text and author. Anonymous viewers have no boundaries.
"""

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from domain.errors import NotHere
from models.boundaries import Boundaries
from state import State
from store.own_sets.boundaries import Reading
from store.people import boundary_rows
from store.redis.client import RedisDown

_NONE = Boundaries()
_NOBODY: frozenset[int] = frozenset()
_MOST_LOOKED_UP = 1000
"""The number of answers to "does this user block the viewer?" that a process remembers for each viewer."""


@dataclass(eq=False)
class ViewerBoundaries:
    """Reads the boundaries (blocks and mutes) of one viewer, once in a request. The read shares the round trip of the
    first loader that asks.

    All methods except `ask` raise Unavailable if the boundaries cannot be read, or if this site may lack some: content
    must then be left out.
    """

    state: State
    viewer_id: int | None
    _reading: Reading | None = field(default=None, init=False)
    _found: Boundaries | None = field(default=None, init=False)
    _loading: "asyncio.Task[Boundaries] | None" = field(default=None, init=False)

    def ask(self) -> None:
        """Starts to read the boundaries, so that the other methods wait less. Does nothing for an anonymous viewer, or
        while writes are direct (Redis is not used, and Postgres is read).
        """
        is_asked = self._reading is not None or self._found is not None
        if self.viewer_id is not None and not is_asked and not self.state.redis.is_suspended:
            self._reading = self.state.boundaries.ask(self.viewer_id)

    async def get(self) -> Boundaries:
        """Returns the boundaries of the viewer, which are read once. An anonymous viewer has no blocks and mutes."""
        if self.viewer_id is None:
            return _NONE
        state = self.state
        if state.other_site and not state.write_mode.takes_writes and not state.freshness.has_boundaries:
            raise NotHere
        if self._found is None:
            self.ask()
            if self._reading and self._reading.coming.done():
                self._found = self.state.boundaries.answered(self._reading)
            if self._found is None:
                self._loading = self._loading or asyncio.create_task(self._load(self.viewer_id))
                self._found = await asyncio.shield(self._loading)
        return self._found

    async def _load(self, viewer_id: int) -> Boundaries:
        try:
            if self._reading:
                return await self.state.boundaries.read(self._reading)
        except RedisDown:
            pass
        return (await boundary_rows.stored(self.state.postgres, viewer_id, self.state.now_ms())).boundaries

    async def hidden_among(self, users: Iterable[int]) -> Collection[int]:
        """Returns the users among `users` that are hidden: the viewer blocks them, or they block the viewer."""
        found = await self.get()
        if found.blockers is not None:
            if not found.blocks and not found.blockers:
                return _NOBODY
            return {user for user in users if user in found.blocks or user in found.blockers}
        others = {user for user in users if user not in found.blocks and user != self.viewer_id}
        answers = {user: found.looked_up[user] for user in others if user in found.looked_up}
        if unknown := sorted(others - answers.keys()):
            blockers = await self._blockers_among(unknown)
            new = {user: user in blockers for user in unknown}
            if len(found.looked_up) > _MOST_LOOKED_UP:
                found.looked_up.clear()
            found.looked_up.update(new)
            answers |= new
        return {user for user in users if user in found.blocks or answers.get(user)}

    async def is_blocked_by(self, user_id: int) -> bool:
        """Returns whether a user blocks the viewer."""
        found = await self.get()
        if found.blockers is not None:
            return user_id in found.blockers
        return user_id in await self._blockers_among([user_id])

    async def muted_among(self, users: Iterable[int]) -> Collection[int]:
        """Returns the users among `users` that the viewer mutes now."""
        found, now_ms = await self.get(), self.state.now_ms()
        return {user for user in users if found.is_muted(user, now_ms)} if found.mutes else _NOBODY

    async def _blockers_among(self, users: list[int]) -> Collection[int]:
        assert self.viewer_id is not None
        try:
            return await self.state.boundaries.blockers_among(self.viewer_id, users)
        except RedisDown:
            return await boundary_rows.blockers_among(self.state.postgres, self.viewer_id, users)
