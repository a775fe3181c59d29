"""Outgoing events about entities: an entity was registered, changed, restored or removed."""

from typing import Annotated, Literal

from pydantic import Field

from store.outgoing.event_fields import Custom, Labels, custom, user
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Entity(Json):
    """An entity."""

    id: Id
    owner_id: Annotated[str | None, Field(description="The owner; null without owner.")]
    title: str | None
    url: str | None
    comments_closed: bool
    topics: list[str]
    custom: Custom
    labels: Labels = ()


class EntityUpdated(Event):
    """An entity was registered, changed or restored, or a moderator set its labels."""

    kind: Literal["entity.updated"]
    data: Entity


class EntityRemoved(Event):
    """An entity was removed. Its comments are hidden."""

    kind: Literal["entity.removed"]
    data: Entity


class ErasedEntity(Json):
    """An entity that was erased. A new entity can be registered with this id."""

    id: Id


class EntityErased(Event):
    """An entity was erased with its comments and with everything that users did with them. `entity.removed` was sent
    when the erasure began.
    """

    kind: Literal["entity.erased"]
    data: ErasedEntity


def _entity(change: StoredChange, _: Ids) -> Data:
    data = change.data
    return {
        "id": data["id"],
        "ownerId": user(data["owner"]),
        "title": data["title"],
        "url": data["url"],
        "commentsClosed": data["comments_closed"],
        "topics": data.get("topics", []),
        "custom": custom(data),
        "labels": data.get("labels", []),
    }


ENTITY_UPDATED = EventKind(16, EntityUpdated, _entity)
ENTITY_REMOVED = EventKind(17, EntityRemoved, _entity)
ENTITY_ERASED = EventKind(27, EntityErased, lambda change, _: {"id": change.data["id"]})
