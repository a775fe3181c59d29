"""Outgoing events about follows of topics and entities."""

from typing import Annotated, Literal

from pydantic import Field

from domain.ids import TopicId, UserId
from domain.topics import key
from models.counters import EntityRef
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class ContentFollow(Json):
    """A user's follow of a topic or entity. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="The topic or entity. Null if the entity was erased.")]
    is_followed: Annotated[bool, Field(description="False if the user unfollowed the topic or entity.")]


class ContentFollowChanged(Event):
    """A user followed a topic or entity, or unfollowed it."""

    kind: Literal["contentFollow.changed"]
    data: ContentFollow


def _entities(change: StoredChange) -> list[EntityRef]:
    return [] if change.data["name"] else [EntityRef(change.key[1], change.key[2])]


def _content_follow(change: StoredChange, ids: Ids) -> Data:
    name, entities = change.data["name"], _entities(change)
    return {
        "userId": UserId.text(change.key[0]),
        "targetId": ids.get(entities[0]) if entities else TopicId.text(key(name)),
        "isFollowed": change.data["stands"],
    }


CONTENT_FOLLOW_CHANGED = EventKind(24, ContentFollowChanged, _content_follow, _entities)
