"""Outgoing events about follows: a user followed, unfollowed, or asked to follow."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import UserId
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange

State = Literal["NONE", "FOLLOWS", "REQUESTED"]
_STATES: Mapping[int, State] = {0: "NONE", 1: "FOLLOWS", 2: "REQUESTED"}


class Follow(Json):
    """The follow of one user by another. Both together identify the object."""

    follower_id: Id
    followee_id: Id
    before: State
    after: Annotated[State, Field(description="Equals `before` if the event corrects an earlier one.")]


class FollowChanged(Event):
    """A user followed, unfollowed, or asked to follow a private user."""

    kind: Literal["follow.changed"]
    data: Follow


def _follow(change: StoredChange, _: Ids) -> Data:
    return {
        "followerId": UserId.text(change.key[0]),
        "followeeId": UserId.text(change.key[1]),
        "before": _STATES[change.data["before"]],
        "after": _STATES[change.data["after"]],
    }


FOLLOW_CHANGED = EventKind(2, FollowChanged, _follow)
