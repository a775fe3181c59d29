"""Turns stored outgoing events into the JSON that destinations get. Internal ids become the ids of the API."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import orjson

from domain.ids import EntityId, PostId, UserId
from models.base import at
from models.counters import EntityRef
from models.outgoing import StoredEvent
from settings import COMMENTS, POSTS, USERS
from state import State
from store.content import comments
from store.outgoing.event_kinds import SCHEMA, Data, Ids, StoredChange
from store.outgoing.registry import KINDS
from workers.outgoing import notification_events


class Rendered(NamedTuple):
    """An event as it is sent: its id, the name of its kind, its position (in microseconds since the Unix epoch), and
    its JSON (`body`).
    """

    id: str
    kind: str
    position: int
    body: bytes
    traceparent: bytes | None = None
    """The `traceparent` of the request that made the change. None if the request was not traced."""


async def render(state: State, p: int, events: Sequence[StoredEvent]) -> list[Rendered]:
    """Returns events of the partition `p` as they are sent, in order. Leaves out events about notifications that are
    hidden from their recipients now.
    """
    parsed = await notification_events.completed(state, [(event, orjson.loads(event.data)) for event in events])
    changes = [(event, _change(event, data)) for event, data in parsed]
    ids = await _ids(state, {ref for event, change in changes for ref in KINDS[event.kind].refs(change)})
    return [_sent(state, p, event, change, ids) for event, change in changes]


def _change(event: StoredEvent, data: Data) -> StoredChange:
    return StoredChange([int(part) for part in event.object.split(".")], event.business_id, data)


def _sent(state: State, p: int, event: StoredEvent, change: StoredChange, ids: Ids) -> Rendered:
    kind, version = KINDS[event.kind], event.version or event.position
    business = state.event_businesses.get(event.business_id) or str(event.business_id)
    data = kind.make(change, ids)
    id_ = f"{p}-{version}-{kind.label}-{event.object}"
    made = envelope(id_, kind.label, p, event.position, version, business, data)
    return made._replace(traceparent=change.data["traceparent"].encode()) if "traceparent" in change.data else made


def envelope(id_: str, label: str, p: int, position: int, version: int, business: str, data: Data) -> Rendered:
    """Returns an event as it is sent, with the fields that the class `Event` describes. To make an instance of the
    class would take several times as long. `label` is the name of the kind, `p` the partition, and `position` is in
    microseconds since the Unix epoch.
    """
    body = {
        "id": id_,
        "schemaVersion": SCHEMA,
        "partition": p,
        "position": str(position),
        "version": str(version),
        "time": time_of(position),
        "business": business,
        "kind": label,
        "data": data,
    }
    return Rendered(id_, label, position, orjson.dumps(body, option=orjson.OPT_UTC_Z))


def time_of(position: int) -> datetime:
    """Returns when an event with this position was stored."""
    return at(position // 1000)


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
