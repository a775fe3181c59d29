"""Outgoing events about reactions: a user liked or disliked something, or removed the reaction."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import UserId
from models.counters import EntityRef
from store.outgoing.event_fields import user
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange

State = Literal["NONE", "LIKE", "DISLIKE"]
_STATES: Mapping[int, State] = {0: "NONE", 1: "LIKE", 2: "DISLIKE"}


class Reaction(Json):
    """A user's reaction to an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    owner_id: Annotated[str | None, Field(description="The owner of the target; null without owner.")]
    before: State
    after: Annotated[State, Field(description="Equals `before` if the event corrects an earlier one.")]


class ReactionChanged(Event):
    """A user reacted, or removed a reaction."""

    kind: Literal["reaction.changed"]
    data: Reaction


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.key[1], change.key[2])


def _reaction(change: StoredChange, ids: Ids) -> Data:
    return {
        "userId": UserId.text(change.key[0]),
        "targetId": ids.get(_target(change)),
        "ownerId": user(change.data["owner"]),
        "before": _STATES[change.data["before"]],
        "after": _STATES[change.data["after"]],
    }


REACTION_CHANGED = EventKind(1, ReactionChanged, _reaction, lambda change: [_target(change)])
