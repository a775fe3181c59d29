"""Outgoing events of bookmarks."""

from typing import Annotated, Literal

from pydantic import Field

from domain.ids import UserId
from models.counters import EntityRef
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Bookmark(Json):
    """A user's bookmark of an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    is_bookmarked: Annotated[bool, Field(description="False if the user removed the bookmark.")]


class BookmarkChanged(Event):
    """A user bookmarked something, or removed the bookmark."""

    kind: Literal["bookmark.changed"]
    data: Bookmark


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.key[1], change.key[2])


def _bookmark(change: StoredChange, ids: Ids) -> Data:
    return {
        "userId": UserId.text(change.key[0]),
        "targetId": ids.get(_target(change)),
        "isBookmarked": change.data["stands"],
    }


BOOKMARK_CHANGED = EventKind(9999, BookmarkChanged, _bookmark, lambda change: [_target(change)])
