"""Pages of a user's own set in one business: the objects in state 1, newest first."""

import asyncio
from dataclasses import dataclass

from domain.degraded import Degraded
from domain.versions import moment_of
from settings import Business
from state import State
from store.cache import lists
from store.cache.lists import NEWEST, Item
from store.own_sets.kinds import KINDS
from store.redis.client import RedisDown
from store.write_log.pending import Pending

_LISTED = 1
"""The only state that lists show."""


@dataclass(frozen=True, slots=True)
class OwnList:
    """The list of the objects in one user's own set of a kind, in one business."""

    state: State
    kind: str
    user_id: int
    business: Business

    async def page(self, degraded: Degraded, field: str, before: Item | None, count: int) -> list[Item]:
        """Reads up to `count` objects that are older than `before`, or the newest ones: first from the user's cached
        set, then, where the set ends, from rows. Raises PostgresDown.

        While Redis is down, changes that are only in a journal are missing, and `extensions.degraded` lists `field`.
        """
        below = before or NEWEST
        try:
            held, pending = await asyncio.gather(self._held(before, count), self.state.pending.get(self.user_id))
        except RedisDown as error:
            degraded.incomplete(field, error)
            return await self._rows(below, count)
        if held is None:
            return await self._older(pending, below, count)
        if held.complete:
            return held.items
        below = min(below, Item(held.floor + 1, 0))
        return held.items + await self._older(pending, below, count - len(held.items))

    async def _held(self, before: Item | None, count: int) -> lists.Page | None:
        key = self.state.own_sets.key(self.kind, self.user_id, self.business.id)
        (held,) = await lists.read(self.state.redis, [key], [before], [count])
        if held is None:
            await self.state.own_sets.warm(self.kind, self.user_id, self.business.id)
            (held,) = await lists.read(self.state.redis, [key], [before], [count])
        return held

    async def _older(self, pending: Pending, before: Item, count: int) -> list[Item]:
        """Reads up to `count` objects that are older than `before` from rows, and applies pending changes."""
        changed = {
            ref.entity_id: history
            for ref, history in pending.all_of(self.kind).items()
            if ref.business_id == self.business.id
        }
        rows = await self._rows(before, count + len(changed))
        coming = [Item(moment_of(one.version), entity) for entity, one in changed.items() if one.latest == _LISTED]
        items = [item for item in rows if item.member not in changed] + [item for item in coming if item < before]
        return sorted(items, reverse=True)[:count]

    async def _rows(self, before: Item, count: int) -> list[Item]:
        read = KINDS[self.kind].page
        assert read is not None, "this kind has no list of one business"
        return await read(self.state.postgres, self.user_id, self.business.id, before, count)
