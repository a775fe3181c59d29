"""Outgoing events about users: a user was created, a profile was edited, and how far the deletion of an account is."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import UserId
from models.base import at
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


Mode = Literal["ANONYMIZE", "ERASE"]
_MODES: Mapping[int, Mode] = {1: "ANONYMIZE", 2: "ERASE"}


class RequestedDeletion(Json):
    """The requested deletion of an account, which is hidden until the deletion is cancelled."""

    id: Id
    mode: Annotated[Mode | None, Field(description="Null: cancelled, so the account is visible again.")]
    due_at: Annotated[datetime | None, Field(description="When workers begin to remove the data. Null: cancelled.")]


class UserDeletion(Event):
    """The deletion of an account was requested, changed or cancelled."""

    kind: Literal["user.deletion"]
    data: RequestedDeletion


def _deletion(change: StoredChange, _: Ids) -> Data:
    mode, due_ms = change.data["mode"], change.data["due_ms"]
    return {
        "id": UserId.text(change.key[0]),
        "mode": None if mode is None else _MODES[mode],
        "dueAt": None if due_ms is None else at(due_ms),
    }


class DeletedUser(Json):
    """A user whose account was deleted."""

    id: Id
    mode: Annotated[Mode, Field(description="`ANONYMIZE`: posts and comments stay. `ERASE`: they are removed.")]


class UserDeleted(Event):
    """The account of a user was deleted. Nothing is left of it, except posts and comments with the mode `ANONYMIZE`."""

    kind: Literal["user.deleted"]
    data: DeletedUser


def _deleted(change: StoredChange, _: Ids) -> Data:
    return {"id": UserId.text(change.key[0]), "mode": _MODES[change.data["mode"]]}


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
USER_DELETED = EventKind(19, UserDeleted, _deleted)
USER_DELETION = EventKind(20, UserDeletion, _deletion)
