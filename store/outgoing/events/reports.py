"""Outgoing events about reports: a user reported something, or the reports of a target were closed."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from domain.ids import CollectionId, UserId
from domain.moderation.reports import ReportReason
from models.counters import EntityRef
from settings import COLLECTIONS
from store.outgoing.event_fields import user
from store.outgoing.event_kinds import Data, Event, EventKind, Id, Ids, Json, StoredChange

ClosedStatus = Literal["ACCEPTED", "DISMISSED", "MOOT"]
STATUSES: Mapping[int, ClosedStatus] = {1: "ACCEPTED", 2: "DISMISSED", 3: "MOOT"}
"""The names of the states of closed reports and notices, by their numbers."""


class Report(Json):
    """A report. The reporter and the target identify the object."""

    target_id: str | None
    reporter_id: Id
    author_id: Annotated[str | None, Field(description="The author or owner of the target.")]
    reason: Annotated[str, Field(description="A ReportReason of the API.")]
    note: str | None


class ReportCreated(Event):
    """A user reported something, or changed an open report."""

    kind: Literal["report.created"]
    data: Report


class Resolution(Json):
    """What closed all open reports of a target."""

    target_id: Annotated[str | None, Field(description="Null if the target is a collection.")]
    status: Annotated[ClosedStatus, Field(description="MOOT: the target was deleted.")]
    count: Annotated[int, Field(description="The number of closed reports.")]


class ReportResolved(Event):
    """The open reports of a target were closed."""

    kind: Literal["report.resolved"]
    data: Resolution


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.key[0], change.key[1])


def _refs(change: StoredChange) -> Sequence[EntityRef]:
    return [_target(change)]


def _collection(change: StoredChange) -> str | None:
    """Returns the id of a reported collection; None for other targets."""
    author = change.data["author"]
    return CollectionId.text(author, change.key[1]) if change.key[0] == COLLECTIONS and author else None


def _report(change: StoredChange, ids: Ids) -> Data:
    return {
        "targetId": _collection(change) or ids.get(_target(change)),
        "reporterId": UserId.text(change.key[2]),
        "authorId": user(change.data["author"]),
        "reason": ReportReason(change.data["reason"]).name,
        "note": change.data["note"],
    }


def _resolution(change: StoredChange, ids: Ids) -> Data:
    return {
        "targetId": ids.get(_target(change)),
        "status": STATUSES[change.data["status"]],
        "count": change.data["count"],
    }


REPORT_CREATED = EventKind(10, ReportCreated, _report, _refs)
REPORT_RESOLVED = EventKind(11, ReportResolved, _resolution, _refs)
