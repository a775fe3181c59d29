"""Outgoing events about profiles: a user was created, or a profile was edited."""

from typing import Literal

from domain.ids import UserId
from store.outgoing.event_fields import Custom, custom
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Profile(Json):
    """The profile of a user."""

    id: Id
    handle: str
    display_name: str
    avatar_url: str | None
    bio: str
    is_private: bool
    custom: Custom


class UserCreated(Event):
    """A user was created."""

    kind: Literal["user.created"]
    data: Profile


class UserUpdated(Event):
    """A profile was edited."""

    kind: Literal["user.updated"]
    data: Profile


def _profile(change: StoredChange, _: Ids) -> Data:
    data = change.data
    return {
        "id": UserId.text(change.key[0]),
        "handle": data["handle"],
        "displayName": data["display_name"],
        "avatarUrl": data["avatar_url"],
        "bio": data["bio"],
        "isPrivate": data["is_private"],
        "custom": custom(data),
    }


USER_CREATED = EventKind(12, UserCreated, _profile)
USER_UPDATED = EventKind(13, UserUpdated, _profile)
