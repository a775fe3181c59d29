"""Outgoing events about posts: a post became public, was edited, or is not public any more."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import PostId, UserId
from models.counters import EntityRef
from store.outgoing.event_fields import (
    Attachment,
    Custom,
    Image,
    Removed,
    attachments,
    created_at,
    custom,
    edited_at,
    images,
)
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Post(Json):
    """A public post."""

    id: Id
    author_id: Id
    text: str
    images: list[Image]
    attachments: list[Attachment]
    topics: list[str]
    custom: Custom
    entity_id: Annotated[
        str | None, Field(description="The entity that the post refers to; null if there is none, or if it was erased.")
    ] = None
    created_at: datetime
    edited_at: datetime | None


class PostCreated(Event):
    """A post became public."""

    kind: Literal["post.created"]
    data: Post


class PostUpdated(Event):
    """The author edited a public post."""

    kind: Literal["post.updated"]
    data: Post


class PostDeleted(Event):
    """A post is not public: the author or a moderator deleted it, or moderation hides it. There is an event also if
    the post was never public.
    """

    kind: Literal["post.deleted"]
    data: Removed


def _refs(change: StoredChange) -> Sequence[EntityRef]:
    about = change.data.get("about")
    return [EntityRef(*about)] if about else ()


def _post(change: StoredChange, ids: Ids) -> Data:
    data = change.data
    entity = next((ids.get(ref) for ref in _refs(change)), None)
    return {
        "id": PostId.text(change.key[0]),
        "authorId": UserId.text(data["author"]),
        "text": data["text"],
        "images": images(data),
        "attachments": attachments(data),
        "topics": data["topics"],
        "custom": custom(data),
        "entityId": entity,
        "createdAt": created_at(data),
        "editedAt": edited_at(data),
    }


def _removed(change: StoredChange, _: Ids) -> Data:
    return {
        "id": PostId.text(change.key[0]),
        "authorId": UserId.text(change.data["author"]),
        "byModeration": change.data["by_moderation"],
    }


POST_CREATED = EventKind(3, PostCreated, _post, _refs)
POST_UPDATED = EventKind(4, PostUpdated, _post, _refs)
POST_DELETED = EventKind(5, PostDeleted, _removed)
