"""Entities that their business has removed: the rules that hide them and their comments."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from loaders.loader import Loader
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow

Key = TypeVar("Key")
Row = TypeVar("Row")


async def unless_removed(
    kept: Loader[Key, EntityRow | None], keys: Sequence[Key]
) -> Sequence[EntityRow | Exception | None]:
    """Returns entities, with None in place of removed ones."""
    rows: Sequence[EntityRow | Exception | None] = await kept.ask(keys, each=True)
    return [None if isinstance(row, EntityRow) and row.removed else row for row in rows]


async def without_removed(
    kept: Loader[EntityRef, EntityRow | None], entities: Iterable[EntityRef], rows: Sequence[Row]
) -> Sequence[Row | Exception | None]:
    """Returns comments, with None in place of each comment on a removed entity, and an exception in place of each
    comment on an entity that cannot be read. `entities` are the entities of the comments.
    """
    refs = list(entities)
    found = zip(refs, await kept.ask(refs, each=True), strict=True)
    hidden: dict[EntityRef, Exception | None] = {
        ref: row if isinstance(row, Exception) else None
        for ref, row in found
        if isinstance(row, Exception) or (row and row.removed)
    }
    if not hidden:
        return rows
    return [hidden[row.subject] if isinstance(row, CommentRow) and row.subject in hidden else row for row in rows]
