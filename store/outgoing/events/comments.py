"""Outgoing events about comments: a comment became public, was edited, or is not public any more."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import CommentId, UserId
from models.counters import EntityRef
from store.outgoing.event_fields import (
    Attachment,
    ContentWarning,
    Custom,
    Image,
    Labels,
    Removed,
    attachments,
    created_at,
    custom,
    edited_at,
    images,
)
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Comment(Json):
    """A public comment."""

    id: Id
    author_id: Id
    subject_id: Annotated[str | None, Field(description="The post or entity; null if the entity was erased.")]
    root_id: Annotated[str | None, Field(description="The root comment; null for a root comment.")]
    parent_id: Annotated[str | None, Field(description="The answered comment; null for a root comment.")]
    text: str
    images: list[Image]
    attachments: list[Attachment]
    custom: Custom
    content_warning: ContentWarning = None
    labels: Labels = ()
    created_at: datetime
    edited_at: datetime | None


class CommentCreated(Event):
    """A comment became public."""

    kind: Literal["comment.created"]
    data: Comment


class CommentUpdated(Event):
    """The author edited a public comment."""

    kind: Literal["comment.updated"]
    data: Comment


class CommentDeleted(Event):
    """A comment is not public: it was deleted, or moderation hides it. There is an event also if the comment was
    never public.
    """

    kind: Literal["comment.deleted"]
    data: Removed


def _comment(change: StoredChange, ids: Ids) -> Data:
    def comment(id_: int | None) -> str | None:
        return None if id_ is None else CommentId.text(change.business_id, id_)

    data = change.data
    return {
        "id": comment(change.key[0]),
        "authorId": UserId.text(data["author"]),
        "subjectId": ids.get(EntityRef(*data["subject"])),
        "rootId": comment(data["root"]),
        "parentId": comment(data["parent"]),
        "text": data["text"],
        "images": images(data),
        "attachments": attachments(data),
        "custom": custom(data),
        "contentWarning": data.get("content_warning"),
        "labels": data.get("labels", ()),
        "createdAt": created_at(data),
        "editedAt": edited_at(data),
    }


def _refs(change: StoredChange) -> Sequence[EntityRef]:
    return [EntityRef(*change.data["subject"])]


def _removed(change: StoredChange, _: Ids) -> Data:
    return {
        "id": CommentId.text(change.business_id, change.key[0]),
        "authorId": UserId.text(change.data["author"]),
        "byModeration": change.data["by_moderation"],
    }


COMMENT_CREATED = EventKind(6, CommentCreated, _comment, _refs)
COMMENT_UPDATED = EventKind(7, CommentUpdated, _comment, _refs)
COMMENT_DELETED = EventKind(8, CommentDeleted, _removed)
