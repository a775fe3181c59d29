"""Outgoing events about reactions: a user reacted to something, or removed a reaction."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import UserId
from models.counters import EntityRef
from models.likes import counts_as
from store.outgoing.event_fields import user
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange

State = Literal["NONE", "LIKE", "DISLIKE"]
_STATES: Mapping[int, State] = {0: "NONE", 1: "LIKE", 2: "DISLIKE", 3: "NONE"}
_PLAIN: Mapping[int, list[str]] = {0: [], 1: ["like"], 2: ["dislike"]}


class Reaction(Json):
    """A user's reaction to an entity, post or comment. The user and the target identify the object."""

    user_id: Id
    target_id: Annotated[str | None, Field(description="Null if the entity or comment was erased.")]
    owner_id: Annotated[str | None, Field(description="The owner of the target; null without owner.")]
    before: Annotated[
        State, Field(description="LIKE also for a kind that counts as a like. NONE also for other kinds.")
    ]
    after: Annotated[
        State, Field(description="Equals `before` if the event corrects an earlier one, or for other kinds.")
    ]
    kinds_before: Annotated[list[str], Field(description="The names of the kinds that the user had given.")]
    kinds: Annotated[list[str], Field(description="The names of the kinds that the user has given now.")]


class ReactionChanged(Event):
    """A user reacted, or removed a reaction."""

    kind: Literal["reaction.changed"]
    data: Reaction


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.key[1], change.key[2])


def _reaction(change: StoredChange, ids: Ids) -> Data:
    before, after = change.data["before"], change.data["after"]
    kinds = change.data.get("kinds") or (_PLAIN[before], _PLAIN[after])
    return {
        "userId": UserId.text(change.key[0]),
        "targetId": ids.get(_target(change)),
        "ownerId": user(change.data["owner"]),
        "before": _STATES[counts_as(before)],
        "after": _STATES[counts_as(after)],
        "kindsBefore": kinds[0],
        "kinds": kinds[1],
    }


REACTION_CHANGED = EventKind(1, ReactionChanged, _reaction, lambda change: [_target(change)])
