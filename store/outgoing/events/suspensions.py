"""Outgoing events about suspensions: a user was suspended or reinstated, or a suspension has ended."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import UserId
from models.base import at
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange

Mode = Literal["READ_ONLY", "HIDDEN", "SHADOW"]
_MODES: Mapping[int, Mode] = {1: "READ_ONLY", 2: "HIDDEN", 3: "SHADOW"}


class Suspension(Json):
    """The suspension of a user. Its versions can be compared with those of other events about the user."""

    id: Id
    mode: Annotated[Mode | None, Field(description="Null: not suspended.")]
    until: Annotated[datetime | None, Field(description="Null: without an end.")]
    reason: str | None


class UserSuspended(Event):
    """A user was suspended or reinstated, or a suspension has ended."""

    kind: Literal["user.suspended"]
    data: Suspension


def _suspension(change: StoredChange, _: Ids) -> Data:
    mode, until_ms = change.data["mode"], change.data["until_ms"]
    return {
        "id": UserId.text(change.key[0]),
        "mode": None if mode is None else _MODES[mode],
        "until": None if until_ms is None else at(until_ms),
        "reason": change.data["reason"],
    }


USER_SUSPENDED = EventKind(14, UserSuspended, _suspension)
