"""Turns events of the outbox into the JSON that destinations get. Internal ids become global ids."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson

from domain.ids import CollectionId, CommentId, EntityId, NotificationId, PostId, UserId
from domain.moderation.reports import ReportReason
from domain.outgoing.events import SCHEMA
from models.base import at
from models.counters import EntityRef
from models.notifications import NotificationKind
from models.outgoing import EventKind, StoredEvent
from models.saves import DEFAULT, NOT_SAVED
from settings import COMMENTS, POSTS, USERS
from state import State
from store.content import comments
from store.outgoing.cursors import Cursor

Ids = Mapping[EntityRef, str]
"""The global ids of entities and comments. Erased ones are missing."""


Data = dict[str, Any]

_REACTIONS: Mapping[int, str] = {0: "NONE", 1: "LIKE", 2: "DISLIKE"}
_FOLLOWS: Mapping[int, str] = {0: "NONE", 1: "FOLLOWS", 2: "REQUESTED"}
_STATUSES: Mapping[int, str] = {1: "ACCEPTED", 2: "DISMISSED", 3: "MOOT"}
_MODES: Mapping[int, str] = {1: "READ_ONLY", 2: "HIDDEN", 3: "SHADOW"}
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
    """Returns events of a partition as they are sent, in order."""
    parsed = [(event, orjson.loads(event.data)) for event in events]
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
    about = _MAKERS[event.kind](key, data, ids, event.business_id)
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


def _user(id_: int | None) -> str | None:
    return None if id_ is None else UserId.text(id_)


def _reaction(key: list[int], data: Data, ids: Ids, _: int) -> Data:
    before, after = (_REACTIONS[data[name]] for name in ("before", "after"))
    return {
        "userId": UserId.text(key[0]),
        "targetId": ids.get(EntityRef(key[1], key[2])),
        "ownerId": _user(data["owner"]),
        "before": before,
        "after": after,
    }


def _save(key: list[int], data: Data, ids: Ids, _: int) -> Data:
    user_id, collection_id = key[0], data["collection"]
    return {
        "userId": UserId.text(user_id),
        "targetId": ids.get(EntityRef(key[1], key[2])),
        "isSaved": collection_id != NOT_SAVED,
        "collectionId": CollectionId.text(user_id, collection_id) if collection_id > DEFAULT else None,
    }


def _follow(key: list[int], data: Data, _: Ids, __: int) -> Data:
    before, after = (_FOLLOWS[data[name]] for name in ("before", "after"))
    return {
        "followerId": UserId.text(key[0]),
        "followeeId": UserId.text(key[1]),
        "before": before,
        "after": after,
    }


def _post(key: list[int], data: Data, _: Ids, __: int) -> Data:
    return {
        "id": PostId.text(key[0]),
        "authorId": UserId.text(data["author"]),
        "text": data["text"],
        "images": _images(data),
        "topics": data["topics"],
        "custom": _custom(data),
        "createdAt": at(data["moment"] >> 10),
        "editedAt": _edited_at(data),
    }


def _comment(key: list[int], data: Data, ids: Ids, business_id: int) -> Data:
    def comment(id_: int | None) -> str | None:
        return None if id_ is None else CommentId.text(business_id, id_)

    return {
        "id": CommentId.text(business_id, key[0]),
        "authorId": UserId.text(data["author"]),
        "subjectId": ids.get(EntityRef(*data["subject"])),
        "rootId": comment(data["root"]),
        "parentId": comment(data["parent"]),
        "text": data["text"],
        "images": _images(data),
        "custom": _custom(data),
        "floor": data["floor"],
        "createdAt": at(data["moment"] >> 10),
        "editedAt": _edited_at(data),
    }


def _custom(data: Data) -> dict[str, Any] | None:
    text = data.get("custom")  # events of comments that an earlier version stored have none
    found: dict[str, Any] | None = None if text is None else orjson.loads(text)
    return found


def _images(data: Data) -> list[Data]:
    return [{"url": url, "alt": alt} for url, alt in data["images"]]


def _edited_at(data: Data) -> datetime | None:
    return None if data["edited_ms"] is None else at(data["edited_ms"])


def _removed_post(key: list[int], data: Data, _: Ids, __: int) -> Data:
    return {
        "id": PostId.text(key[0]),
        "authorId": UserId.text(data["author"]),
        "byModeration": data["by_moderation"],
    }


def _removed_comment(key: list[int], data: Data, _: Ids, business_id: int) -> Data:
    return {
        "id": CommentId.text(business_id, key[0]),
        "authorId": UserId.text(data["author"]),
        "byModeration": data["by_moderation"],
    }


def _notification(key: list[int], data: Data, ids: Ids, _: int) -> Data:
    return {
        "id": NotificationId.text(key[1]),
        "userId": UserId.text(key[0]),
        "kind": NotificationKind(data["notification"]).name,
        "subjectId": ids.get(EntityRef(*data["about"])),
        "actorIds": [UserId.text(actor) for actor in data["actors"]],
        "actorCount": data["actor_count"],
        "message": data["message"],
        "updatedAt": at(data["updated_ms"]),
    }


def _report(key: list[int], data: Data, ids: Ids, _: int) -> Data:
    return {
        "targetId": ids.get(EntityRef(key[0], key[1])),
        "reporterId": UserId.text(key[2]),
        "authorId": _user(data["author"]),
        "reason": ReportReason(data["reason"]).name,
        "note": data["note"],
    }


def _resolution(key: list[int], data: Data, ids: Ids, _: int) -> Data:
    return {
        "targetId": ids.get(EntityRef(key[0], key[1])),
        "status": _STATUSES[data["status"]],
        "count": data["count"],
    }


def _profile(key: list[int], data: Data, _: Ids, __: int) -> Data:
    return {
        "id": UserId.text(key[0]),
        "handle": data["handle"],
        "displayName": data["display_name"],
        "avatarUrl": data["avatar_url"],
        "bio": data["bio"],
        "isPrivate": data["is_private"],
        "custom": _custom(data),
    }


def _suspension(key: list[int], data: Data, _: Ids, __: int) -> Data:
    mode, until_ms = data["mode"], data["until_ms"]
    return {
        "id": UserId.text(key[0]),
        "mode": None if mode is None else _MODES[mode],
        "until": None if until_ms is None else at(until_ms),
        "reason": data["reason"],
    }


_MAKERS: Mapping[int, Callable[[list[int], Data, Ids, int], Data]] = {
    EventKind.REACTION_CHANGED: _reaction,
    EventKind.SAVE_CHANGED: _save,
    EventKind.FOLLOW_CHANGED: _follow,
    EventKind.POST_CREATED: _post,
    EventKind.POST_UPDATED: _post,
    EventKind.POST_DELETED: _removed_post,
    EventKind.COMMENT_CREATED: _comment,
    EventKind.COMMENT_UPDATED: _comment,
    EventKind.COMMENT_DELETED: _removed_comment,
    EventKind.NOTIFICATION_CREATED: _notification,
    EventKind.REPORT_CREATED: _report,
    EventKind.REPORT_RESOLVED: _resolution,
    EventKind.USER_CREATED: _profile,
    EventKind.USER_UPDATED: _profile,
    EventKind.USER_SUSPENDED: _suspension,
}
"""For each kind, the function that makes the data of an event, as its class in `domain/outgoing` describes it."""
