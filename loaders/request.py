"""The loaders of one request: what each batches, and through whose eyes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import Any

from aiodataloader import DataLoader

from loaders import likes
from loaders.counts import SeenCounts
from loaders.likes import ListPage
from loaders.read_through import ReadThrough
from loaders.shared import SharedLoaders
from models.counters import EntityRef
from models.entities import EntityRow
from models.likes import Reaction
from models.users import UserRow
from state import State
from store.entities import EntityKey
from store.lists import Item
from store.pending import Pending

_NOTHING_PENDING = Pending(0)


class Loaders:
    """Lives as long as one request, never longer: what it has read once, it answers again."""

    def __init__(self, state: State, shared: SharedLoaders, viewer_id: int | None, actor_id: int | None) -> None:
        self._state = state
        self._shared = shared
        self._viewer_id = viewer_id
        self._actor_id = actor_id
        self._pending: asyncio.Task[Pending] | None = None

    @cached_property
    def entities(self) -> DataLoader[EntityKey, EntityRow | None]:
        """Entity by business id and key."""
        return _loader(self._shared.entities)

    @cached_property
    def entities_by_id(self) -> DataLoader[EntityRef, EntityRow | None]:
        """Entity by internal address."""
        return _loader(self._shared.entities_by_id)

    @cached_property
    def users(self) -> DataLoader[int, UserRow | None]:
        """User by id."""
        return _loader(self._shared.users)

    @cached_property
    def handles(self) -> DataLoader[str, int | None]:
        """User id by handle."""
        return _loader(self._shared.handles)

    @cached_property
    def counts(self) -> DataLoader[EntityRef, SeenCounts]:
        """Counters of an entity or user, as the viewer must see them."""
        return DataLoader(self._counts)

    @cached_property
    def reactions(self) -> DataLoader[EntityRef, Reaction | None]:
        """The viewer's own reaction; None when nobody is signed in."""
        return DataLoader(self._reactions)

    @cached_property
    def likers(self) -> DataLoader[ListPage, list[Item]]:
        """Pages of the users who like an entity."""
        return DataLoader(self._likers)

    async def pending(self) -> Pending:
        """What the actor has pending: one command per request, however many loaders need it.

        Raises RedisDown rather than leave out what its author has been told.
        """
        if self._actor_id is None:
            return _NOTHING_PENDING
        if self._pending is None:
            self._pending = asyncio.create_task(self._state.pending.get(self._actor_id))
        return await asyncio.shield(self._pending)

    async def _counts(self, refs: Sequence[EntityRef]) -> list[SeenCounts]:
        pending, counts = await asyncio.gather(self.pending(), self._shared.counts.get_many(refs))
        return [SeenCounts(ref, one, pending) for ref, one in zip(refs, counts, strict=True)]

    async def _reactions(self, refs: Sequence[EntityRef]) -> list[Reaction | None]:
        if self._viewer_id is None:
            return [None] * len(refs)
        return [*await likes.reactions_of(self._state, self._viewer_id, self.pending, refs)]

    async def _likers(self, pages: Sequence[ListPage]) -> list[list[Item]]:
        return await likes.likers(self._state, pages)


def _loader(source: ReadThrough[Any, Any]) -> DataLoader[Any, Any]:
    load: Callable[[Any], Awaitable[Any]] = source.get_many
    return DataLoader(load)  # type: ignore[arg-type]
