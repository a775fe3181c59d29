"""Posts and comments as the viewer sees them: the stored rows with the viewer's own unpublished changes applied."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from domain.errors import Unavailable
from loaders.read_through import ReadThrough
from models.patches import NONE, Patch, Patches, overlaid
from state import State
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown

Row = TypeVar("Row")
Key = TypeVar("Key")
Document = TypeVar("Document")
Of = Callable[[Patches], Mapping[int, Sequence[Patch[Row]]]]
"""Returns the patches of one kind of object."""


class DocumentPatch(Protocol[Document]):
    """A patch of a document that exists for every key, such as the settings of comments."""

    def applied(self, document: Document, /) -> Document: ...


class Patched:
    """The patches of one viewer, applied to rows during one request. All loaders of the request share one read of the
    patches.
    """

    def __init__(self, state: State, viewer_id: int | None, *, local: bool) -> None:
        """Prepares to read the viewer's patches. `local` tells whether rows may come from the local cache."""
        self._state = state
        self._viewer_id = viewer_id
        self._local = local
        self._patches: asyncio.Future[Patches] | None = None

    async def patches(self) -> Patches:
        """Returns the viewer's unpublished patches. Raises RedisDown if they cannot be read."""
        if self._viewer_id is None:
            return NONE
        asked = self.ask(self._viewer_id)
        return asked.result() if asked.done() else await asyncio.shield(asked)

    def ask(self, viewer_id: int) -> "asyncio.Future[Patches]":
        """Starts to read the viewer's patches, and returns the future of the patches. The viewer must be signed in."""
        if self._patches is None:
            self._patches = self._state.patches.pending(viewer_id)
        return self._patches

    async def rows(
        self, source: ReadThrough[int, Row | None], of: Of[Row], ids: Sequence[int]
    ) -> Sequence[Row | Unavailable | None]:
        """Returns rows by id, including deleted ones, with the viewer's patches applied. An exception is in the place
        of each row that could not be read.

        The change that creates a row may still be in a journal. So while Redis is down, a missing row is an error, not
        None.
        """
        rows = await self._overlaid(source, of, ids)
        if self._state.redis.is_unavailable:
            return [RedisDown() if row is None else row for row in rows]
        return rows

    async def _overlaid(
        self, source: ReadThrough[int, Row | None], of: Of[Row], ids: Sequence[int]
    ) -> Sequence[Row | PostgresDown | None]:
        viewer = self._viewer_id
        if viewer is None:
            return await source.get_each(ids, local=self._local)
        self.ask(viewer)
        rows, patches = await source.get_each(ids, local=self._local), of(await self.patches())
        if not patches:
            return rows

        def seen(id_: int, row: Row | PostgresDown | None) -> Row | PostgresDown | None:
            own = patches.get(id_, ())
            if not isinstance(row, PostgresDown):
                return overlaid(id_, viewer, row, own)
            # What the viewer has just published may be neither stored nor readable while Postgres is down (D1).
            return overlaid(id_, viewer, None, own) if any(patch.publishes for patch in own) else row

        return [seen(id_, row) for id_, row in zip(ids, rows, strict=True)]

    async def documents(
        self,
        source: ReadThrough[Key, Document],
        of: Callable[[Patches], Mapping[Key, Sequence[DocumentPatch[Document]]]],
        keys: Sequence[Key],
    ) -> list[Document | PostgresDown]:
        """Returns documents by key, with the viewer's patches applied. PostgresDown is in the place of each document
        that could not be read. Raises RedisDown if the patches cannot be read.
        """
        if self._viewer_id:
            self.ask(self._viewer_id)
        found = await source.get_each(keys, local=self._local)
        patches = of(await self.patches())
        if not patches:
            return found

        def seen(key: Key, document: Document | PostgresDown) -> Document | PostgresDown:
            for patch in patches.get(key, ()):
                if not isinstance(document, PostgresDown):
                    document = patch.applied(document)
            return document

        return [seen(*one) for one in zip(keys, found, strict=True)]
