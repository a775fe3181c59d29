"""Outgoing events about notices: somebody sent a notice, or a notice was decided. A mailer can use these events to
write to the person.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from domain.notice_numbers import NoticePlace, number_of
from models.base import at
from models.counters import EntityRef
from store.outgoing.event_kinds import Data, Event, EventKind, Ids, Json, StoredChange
from store.outgoing.events.reports import STATUSES, ClosedStatus


class Notice(Json):
    """A notice about content that somebody thinks is illegal. Contains personal data: the name and the e-mail address
    of the person.
    """

    number: Annotated[str, Field(description="The number of the receipt, with which the person can read the decision.")]
    target_id: str | None
    law: Annotated[str, Field(description="The law that the content breaks, as the person names it.")]
    explanation: str
    name: Annotated[str | None, Field(description="The name of the person. Null for a notice without a name.")]
    email: Annotated[str | None, Field(description="The e-mail address of the person, or null.")]
    is_trusted: Annotated[bool, Field(description="Whether a trusted flagger sent the notice.")]
    received_at: datetime


class NoticeReceived(Event):
    """Somebody sent a notice. Confirm the receipt to the person by e-mail."""

    kind: Literal["notice.received"]
    data: Notice


class DecidedNotice(Notice):
    """A notice that was decided, or whose target was deleted."""

    status: Annotated[ClosedStatus, Field(description="MOOT: the target was deleted.")]
    decision: Annotated[str | None, Field(description="The reason of the moderator. Null if the status is MOOT.")]


class NoticeDecided(Event):
    """A notice was decided. Tell the person the decision by e-mail."""

    kind: Literal["notice.decided"]
    data: DecidedNotice


def _target(change: StoredChange) -> EntityRef:
    return EntityRef(change.key[0], change.key[1])


def _refs(change: StoredChange) -> Sequence[EntityRef]:
    return [_target(change)]


def _notice(change: StoredChange, ids: Ids) -> Data:
    business, entity, notice = change.key
    data = change.data
    return {
        "number": number_of(NoticePlace(business, entity, notice)),
        "targetId": ids.get(_target(change)),
        "law": data["law"],
        "explanation": data["explanation"],
        "name": data["name"],
        "email": data["email"],
        "isTrusted": data["trusted"],
        "receivedAt": at(data["received_ms"]),
    }


def _decided(change: StoredChange, ids: Ids) -> Data:
    return {
        **_notice(change, ids),
        "status": STATUSES[change.data["status"]],
        "decision": change.data["decision"],
    }


NOTICE_RECEIVED = EventKind(34, NoticeReceived, _notice, _refs)
NOTICE_DECIDED = EventKind(35, NoticeDecided, _decided, _refs)
