"""Outgoing events about reposts: a user reposted a post, or removed the repost."""

from typing import Annotated, Literal

from pydantic import Field

from domain.ids import PostId, UserId
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Repost(Json):
    """A user's repost of a post. The user and the post identify the object."""

    user_id: Id
    post_id: Id
    author_id: Annotated[Id | None, Field(description="The author of the post.")]
    is_reposted: Annotated[bool, Field(description="False if the user removed the repost.")]


class RepostChanged(Event):
    """A user reposted a post, or removed the repost."""

    kind: Literal["repost.changed"]
    data: Repost


def _repost(change: StoredChange, _: Ids) -> Data:
    user_id, post_id = change.key
    author = change.data["author"]
    return {
        "userId": UserId.text(user_id),
        "postId": PostId.text(post_id),
        "authorId": UserId.text(author) if author else None,
        "isReposted": change.data["stands"],
    }


REPOST_CHANGED = EventKind(22, RepostChanged, _repost, lambda _: [])
