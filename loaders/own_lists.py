"""Pages of a user's own set in one business. An own set has a user's states about objects, such as likes; a business is
a kind of content. A page lists the objects in state 1, such as the liked ones, newest first.
"""

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
"""The only state that lists show, such as "liked"."""


@dataclass(frozen=True, slots=True)
class OwnList:
    """The objects of one business in one user's own set of a kind, such as all videos that the user likes."""

    state: State
    kind: str
    user_id: int
    business: Business

    async def page(self, degraded: Degraded, field: str, before: Item | None, count: int) -> list[Item]:
        """Returns up to `count` objects that come after `before` in the newest-first list; the newest ones if `before`
        is None. Reads the user's cached set and, for what is older, Postgres. Raises PostgresDown.

        While Redis is down, changes that are not stored in Postgres yet are missing, and `extensions.degraded` lists
        `field`, the schema coordinate of the list.
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
        """Reads up to `count` objects that come after `before` from Postgres, and applies the user's changes that are
        not stored yet.
        """
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
