"""Outgoing events about posts: a post became public, was edited, or is not public any more."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import PostId, UserId
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


class Post(Json):
    """A public post."""

    id: Id
    author_id: Id
    text: str
    images: list[Image]
    attachments: list[Attachment]
    topics: list[str]
    quote_of: Annotated[Id | None, Field(description="The post that this post quotes; null if it quotes none.")]
    custom: Custom
    content_warning: ContentWarning = None
    labels: Labels = ()
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


class DetachedQuote(Json):
    """A post that quoted another post. The author of the quoted post has detached it."""

    id: Id
    author_id: Id
    quote_of: Id
    quote_of_author_id: Annotated[Id, Field(description="The author of the quoted post.")]


class QuoteDetached(Event):
    """The author of a quoted post has detached a quote from it, permanently."""

    kind: Literal["quote.detached"]
    data: DetachedQuote


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
        "quoteOf": PostId.text(quoted) if (quoted := data.get("quote_of")) else None,
        "custom": custom(data),
        "contentWarning": data.get("content_warning"),
        "labels": data.get("labels", ()),
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


def _detached(change: StoredChange, _: Ids) -> Data:
    data = change.data
    return {
        "id": PostId.text(change.key[0]),
        "authorId": UserId.text(data["author"]),
        "quoteOf": PostId.text(data["quoted"]),
        "quoteOfAuthorId": UserId.text(data["by"]),
    }


QUOTE_DETACHED = EventKind(23, QuoteDetached, _detached)
POST_CREATED = EventKind(3, PostCreated, _post, _refs)
POST_UPDATED = EventKind(4, PostUpdated, _post, _refs)
POST_DELETED = EventKind(5, PostDeleted, _removed)
