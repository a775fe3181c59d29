"""Turns events of the outbox into the JSON that destinations get. Internal ids become global ids."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import orjson

from domain.ids import EntityId, PostId, UserId
from domain.outgoing.events import SCHEMA
from models.base import at
from models.counters import EntityRef
from models.outgoing import EventKind, StoredEvent
from settings import COMMENTS, POSTS, USERS
from state import State
from store.content import comments
from store.outgoing.cursors import Cursor
from workers.outgoing import notified
from workers.outgoing.payloads import MAKERS, Data, Ids

_LABELS: Mapping[int, str] = {int(kind): kind.label for kind in EventKind}


class Rendered(NamedTuple):
    """An event as it is sent."""

    id: str
    kind: str
    position: int
    body: bytes
    traceparent: bytes | None = None
    """The `traceparent` of the request that made the change. None if the request was not traced."""


async def render(state: State, p: int, events: Sequence[StoredEvent]) -> list[Rendered]:
    """Returns events of a partition as they are sent, in order. Leaves out those about hidden notifications."""
    parsed = await notified.completed(state, [(event, orjson.loads(event.data)) for event in events])
    ids = await _ids(state, {ref for event, data in parsed for ref in _refs(event, data)})
    return [_rendered(state, p, event, data, ids) for event, data in parsed]


def lost(cursor: Cursor) -> Rendered:
    """Returns the event that tells a destination which events were removed before they were sent."""
    after, through = cursor.lost_after or 0, cursor.lost_through or 0
    data: Data = {"afterPosition": str(after), "throughPosition": str(through)}
    data |= {"after": _at(after), "through": _at(through)}
    return _event(f"{cursor.p}-{through}-events.lost-{after}", "events.lost", cursor.p, through, through, "user", data)


def sample(now_ms: int) -> Rendered:
    """Returns an event that tests a destination."""
    position = now_ms * 1000
    return _event(f"0-{position}-events.test", "events.test", 0, position, position, "user", {})


def _rendered(state: State, p: int, event: StoredEvent, data: Data, ids: Ids) -> Rendered:
    kind, version = _LABELS[event.kind], event.version or event.position
    key = [int(part) for part in event.object.split(".")]
    business = state.event_businesses.get(event.business_id) or str(event.business_id)
    about = MAKERS[event.kind](key, data, ids, event.business_id)
    made = _event(f"{p}-{version}-{kind}-{event.object}", kind, p, event.position, version, business, about)
    return made._replace(traceparent=data["traceparent"].encode()) if "traceparent" in data else made


def _event(id_: str, kind: str, p: int, position: int, version: int, business: str, data: Data) -> Rendered:
    """Returns an event as `domain/outgoing` describes it. The classes there would take several times as long."""
    body = {
        "id": id_,
        "schemaVersion": SCHEMA,
        "partition": p,
        "position": str(position),
        "version": str(version),
        "time": _at(position),
        "business": business,
        "kind": kind,
        "data": data,
    }
    return Rendered(id_, kind, position, orjson.dumps(body, option=orjson.OPT_UTC_Z))


def _at(position: int) -> datetime:
    return at(position // 1000)


def _refs(event: StoredEvent, data: Data) -> Iterable[EntityRef]:
    """Returns the objects whose global ids are not known from their internal ids."""
    parts = event.object.split(".")
    match event.kind:
        case EventKind.REACTION_CHANGED | EventKind.SAVE_CHANGED:
            yield EntityRef(int(parts[1]), int(parts[2]))
        case EventKind.REPORT_CREATED | EventKind.REPORT_RESOLVED:
            yield EntityRef(int(parts[0]), int(parts[1]))
        case EventKind.COMMENT_CREATED | EventKind.COMMENT_UPDATED:
            yield EntityRef(*data["subject"])
        case EventKind.NOTIFICATION_CREATED:
            yield EntityRef(*data["about"])


async def _ids(state: State, refs: Iterable[EntityRef]) -> dict[EntityRef, str]:
    found: dict[EntityRef, str] = {}
    asked = list(refs)
    found |= {ref: UserId.text(ref.entity_id) for ref in asked if ref.business_id == USERS}
    found |= {ref: PostId.text(ref.entity_id) for ref in asked if ref.business_id == POSTS}
    if about := [ref.entity_id for ref in asked if ref.business_id == COMMENTS]:
        rows = await comments.by_id(state.postgres, sorted(about))
        found |= {row.ref: row.global_id for row in rows.values()}
    if about_entities := [ref for ref in asked if ref not in found and ref.business_id != COMMENTS]:
        entities = await state.entities.by_id(about_entities)
        found |= {ref: EntityId.text(row.business, row.key) for ref, row in entities.items()}
    return found
