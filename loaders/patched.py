"""Posts, comments and other documents as the viewer sees them: as stored, with the viewer's own patches applied. A
patch is a change that is accepted and that a worker may not have stored yet.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from domain.errors import Unavailable
from loaders.read_through import ReadThrough
from models.patches import NONE, Patch, Patches, overlaid
from state import State
from store.postgres.client import PostgresDown
from store.redis.calls import resolved
from store.redis.client import RedisDown

Row = TypeVar("Row")
Key = TypeVar("Key")
Document = TypeVar("Document")
Of = Callable[[Patches], Mapping[int, Sequence[Patch[Row]]]]
"""Selects the patches of one kind of object, such as posts, from all patches of a viewer. Returns them by the id of the
object.
"""


class DocumentPatch(Protocol[Document]):
    """A change of a document. A document, such as the comment settings of a post, exists for every key: without a
    stored row it has default values.
    """

    def applied(self, document: Document, /) -> Document: ...


@dataclass(eq=False)
class Patched:
    """Applies the patches of one viewer to rows during one request. All loaders of the request share one read of the
    patches.
    """

    state: State
    viewer_id: int | None
    local: bool
    """Whether rows may come from the local cache of this process."""
    _patches: "asyncio.Future[Patches] | None" = field(default=None, init=False)

    def ask(self) -> "asyncio.Future[Patches]":
        """Starts to read the viewer's patches. Returns a future, the same for all callers."""
        if self._patches is None:
            self._patches = resolved(NONE) if self.viewer_id is None else self.state.patches.pending(self.viewer_id)
        return self._patches

    async def patches(self) -> Patches:
        """Returns the viewer's patches. Raises RedisDown if they cannot be read."""
        return await asyncio.shield(self.ask())

    async def rows(
        self, source: ReadThrough[int, Row | None], of: Of[Row], ids: Sequence[int]
    ) -> Sequence[Row | Unavailable | None]:
        """Returns the posts or comments with these ids, in this order, also deleted ones. The viewer's patches are
        applied; `of` selects those of this kind of object. An exception is in the place of each row that could not be
        read. Raises RedisDown if the patches cannot be read.

        The change that creates a row may not be stored in Postgres yet. So while Redis is down, a missing row is an
        error, not None.
        """
        asked = self.ask()
        rows: Sequence[Row | PostgresDown | None] = await source.get_each(ids, local=self.local)
        patches = of(await asyncio.shield(asked))

        def seen(id_: int, row: Row | PostgresDown | None) -> Row | PostgresDown | None:
            assert self.viewer_id is not None
            own = patches.get(id_, ())
            if not isinstance(row, PostgresDown):
                return overlaid(id_, self.viewer_id, row, own)
            # What the viewer has just published may be neither stored nor readable while Postgres is down (D1).
            return overlaid(id_, self.viewer_id, None, own) if any(patch.publishes for patch in own) else row

        if patches:
            rows = list(map(seen, ids, rows))
        if self.state.redis.is_unavailable:
            return [RedisDown() if row is None else row for row in rows]
        return rows

    async def documents(
        self,
        source: ReadThrough[Key, Document],
        of: Callable[[Patches], Mapping[Key, Sequence[DocumentPatch[Document]]]],
        keys: Sequence[Key],
    ) -> list[Document | PostgresDown]:
        """Returns the documents of `keys` in this order. The viewer's patches are applied; `of` selects those of this
        kind of document. PostgresDown is in the place of each document that could not be read. Raises RedisDown if the
        patches cannot be read.
        """
        asked = self.ask()
        found = await source.get_each(keys, local=self.local)
        patches = of(await asyncio.shield(asked))
        if not patches:
            return found

        def seen(key: Key, document: Document | PostgresDown) -> Document | PostgresDown:
            for patch in patches.get(key, ()):
                if not isinstance(document, PostgresDown):
                    document = patch.applied(document)
            return document

        return [seen(*one) for one in zip(keys, found, strict=True)]
