"""Outgoing events about saves: a user saved something, moved the save, or removed it."""

from typing import Annotated, Literal

from pydantic import Field

from domain.ids import CollectionId, UserId
from models.counters import EntityRef
from models.saves import DEFAULT, NOT_SAVED
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Save(Json):
    """A user's save of an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    is_saved: Annotated[bool, Field(description="False if the user removed the save.")]
    collection_id: Annotated[str | None, Field(description="The collection of the save; null if it is in none.")]


class SaveChanged(Event):
    """A user saved something, moved it to another collection, or removed the save."""

    kind: Literal["save.changed"]
    data: Save


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.key[1], change.key[2])


def _save(change: StoredChange, ids: Ids) -> Data:
    user_id, collection_id = change.key[0], change.data["collection"]
    return {
        "userId": UserId.text(user_id),
        "targetId": ids.get(_target(change)),
        "isSaved": collection_id != NOT_SAVED,
        "collectionId": CollectionId.text(user_id, collection_id) if collection_id > DEFAULT else None,
    }


SAVE_CHANGED = EventKind(15, SaveChanged, _save, lambda change: [_target(change)])
