"""Outgoing events about statements of reasons: what a person is told about a restriction or a decided report."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import StatementId, UserId
from models.base import at
from models.counters import EntityRef
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange


class Statement(Json):
    """A statement of reasons."""

    id: Id
    user_id: Annotated[Id, Field(description="The person whom the statement is for.")]
    target_id: Annotated[str | None, Field(description="What is restricted, or was reported.")]
    restriction: Annotated[str, Field(description="A Restriction of the API.")]
    ground: Annotated[str, Field(description="The name of a configured ground.")]
    facts: str | None
    found_by: Annotated[str, Field(description="A FoundBy of the API.")]
    is_automated: bool
    since: datetime
    until: Annotated[datetime | None, Field(description="Null: without an end.")]


class StatementCreated(Event):
    """A person got a statement of reasons."""

    kind: Literal["statement.created"]
    data: Statement


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.data["business"], change.data["entity"])


def _refs(change: StoredChange) -> Sequence[EntityRef]:
    return [_target(change)]


def _statement(change: StoredChange, ids: Ids) -> Data:
    data, (user_id, statement_id) = change.data, change.key
    return {
        "id": StatementId.text(user_id, statement_id),
        "userId": UserId.text(user_id),
        "targetId": ids.get(_target(change)),
        "restriction": data["restriction"],
        "ground": data["ground"],
        "facts": data["facts"],
        "foundBy": data["found_by"],
        "isAutomated": data["automated"],
        "since": at(data["since_ms"]),
        "until": None if data["until_ms"] is None else at(data["until_ms"]),
    }


STATEMENT_CREATED = EventKind(28, StatementCreated, _statement, _refs)
