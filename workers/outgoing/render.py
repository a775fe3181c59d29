"""Turns events of the outbox into the JSON that destinations get. Internal ids become global ids."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson

from domain import outgoing
from domain.ids import CollectionId, CommentId, EntityId, NotificationId, PostId, UserId
from domain.moderation.reports import ReportReason
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


_REACTIONS: Mapping[int, outgoing.State] = {0: "NONE", 1: "LIKE", 2: "DISLIKE"}
_FOLLOWS: Mapping[int, outgoing.FollowStateName] = {0: "NONE", 1: "FOLLOWS", 2: "REQUESTED"}
_STATUSES: Mapping[int, outgoing.ClosedStatus] = {1: "ACCEPTED", 2: "DISMISSED", 3: "MOOT"}
_MODES: Mapping[int, outgoing.Mode] = {1: "READ_ONLY", 2: "HIDDEN", 3: "SHADOW"}


class Rendered(NamedTuple):
    """An event as it is sent."""

    id: str
    kind: str
    position: int
    body: bytes


async def render(state: State, p: int, events: Sequence[StoredEvent]) -> list[Rendered]:
    """Returns events of a partition as they are sent, in order."""
    parsed = [(event, orjson.loads(event.data)) for event in events]
    ids = await _ids(state, {ref for event, data in parsed for ref in _refs(event, data)})
    return [_rendered(state, p, event, data, ids) for event, data in parsed]


def lost(cursor: Cursor) -> Rendered:
    """Returns the event that tells a destination which events were removed before they were sent."""
    after, through = cursor.lost_after or 0, cursor.lost_through or 0
    event = outgoing.EventsLost(
        id=f"{cursor.p}-{through}-events.lost-{after}",
        kind="events.lost",
        partition=cursor.p,
        position=str(through),
        version=str(through),
        time=_at(through),
        business="user",
        data=outgoing.Lost(
            after_position=str(after), through_position=str(through), after=_at(after), through=_at(through)
        ),
    )
    return Rendered(event.id, event.kind, through, event.model_dump_json(by_alias=True).encode())


def sample(now_ms: int) -> Rendered:
    """Returns an event that tests a destination."""
    position = now_ms * 1000
    event = outgoing.EventsTest(
        id=f"0-{position}-events.test",
        kind="events.test",
        partition=0,
        position=str(position),
        version=str(position),
        time=at(now_ms),
        business="user",
        data=outgoing.Test(),
    )
    return Rendered(event.id, event.kind, position, event.model_dump_json(by_alias=True).encode())


def _rendered(state: State, p: int, event: StoredEvent, data: dict[str, Any], ids: Ids) -> Rendered:
    kind, version = EventKind(event.kind), event.version or event.position
    make, kind_class = _MAKERS[kind]
    body: outgoing.Event = kind_class(
        id=f"{p}-{version}-{kind.label}-{event.object}",
        kind=kind.label,
        partition=p,
        position=str(event.position),
        version=str(version),
        time=_at(event.position),
        business=state.business_names.get(event.business_id, str(event.business_id)),
        data=make([int(part) for part in event.object.split(".")], data, ids, event.business_id),
    )
    return Rendered(body.id, kind.label, event.position, body.model_dump_json(by_alias=True).encode())


def _at(position: int) -> datetime:
    return at(position // 1000)


def _refs(event: StoredEvent, data: dict[str, Any]) -> Iterable[EntityRef]:
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


def _reaction(key: list[int], data: dict[str, Any], ids: Ids, _: int) -> outgoing.Reaction:
    before, after = (_REACTIONS[data[name]] for name in ("before", "after"))
    return outgoing.Reaction(
        user_id=UserId.text(key[0]),
        target_id=ids.get(EntityRef(key[1], key[2])),
        owner_id=_user(data["owner"]),
        before=before,
        after=after,
    )


def _save(key: list[int], data: dict[str, Any], ids: Ids, _: int) -> outgoing.Save:
    user_id, collection_id = key[0], data["collection"]
    return outgoing.Save(
        user_id=UserId.text(user_id),
        target_id=ids.get(EntityRef(key[1], key[2])),
        is_saved=collection_id != NOT_SAVED,
        collection_id=CollectionId.text(user_id, collection_id) if collection_id > DEFAULT else None,
    )


def _follow(key: list[int], data: dict[str, Any], _: Ids, __: int) -> outgoing.Follow:
    before, after = (_FOLLOWS[data[name]] for name in ("before", "after"))
    return outgoing.Follow(follower_id=UserId.text(key[0]), followee_id=UserId.text(key[1]), before=before, after=after)


def _post(key: list[int], data: dict[str, Any], _: Ids, __: int) -> outgoing.Post:
    return outgoing.Post(
        id=PostId.text(key[0]),
        author_id=UserId.text(data["author"]),
        text=data["text"],
        images=_images(data),
        topics=data["topics"],
        custom=_custom(data),
        created_at=at(data["moment"] >> 10),
        edited_at=_edited_at(data),
    )


def _comment(key: list[int], data: dict[str, Any], ids: Ids, business_id: int) -> outgoing.Comment:
    def comment(id_: int | None) -> str | None:
        return None if id_ is None else CommentId.text(business_id, id_)

    return outgoing.Comment(
        id=CommentId.text(business_id, key[0]),
        author_id=UserId.text(data["author"]),
        subject_id=ids.get(EntityRef(*data["subject"])),
        root_id=comment(data["root"]),
        parent_id=comment(data["parent"]),
        text=data["text"],
        images=_images(data),
        custom=_custom(data),
        floor=data["floor"],
        created_at=at(data["moment"] >> 10),
        edited_at=_edited_at(data),
    )


def _custom(data: dict[str, Any]) -> dict[str, Any] | None:
    text = data.get("custom")  # events of comments that an earlier version stored have none
    found: dict[str, Any] | None = None if text is None else orjson.loads(text)
    return found


def _images(data: dict[str, Any]) -> list[outgoing.Image]:
    return [outgoing.Image(url=url, alt=alt) for url, alt in data["images"]]


def _edited_at(data: dict[str, Any]) -> datetime | None:
    return None if data["edited_ms"] is None else at(data["edited_ms"])


def _removed_post(key: list[int], data: dict[str, Any], _: Ids, __: int) -> outgoing.Removed:
    return outgoing.Removed(
        id=PostId.text(key[0]), author_id=UserId.text(data["author"]), by_moderation=data["by_moderation"]
    )


def _removed_comment(key: list[int], data: dict[str, Any], _: Ids, business_id: int) -> outgoing.Removed:
    return outgoing.Removed(
        id=CommentId.text(business_id, key[0]),
        author_id=UserId.text(data["author"]),
        by_moderation=data["by_moderation"],
    )


def _notification(key: list[int], data: dict[str, Any], ids: Ids, _: int) -> outgoing.Notification:
    return outgoing.Notification(
        id=NotificationId.text(key[1]),
        user_id=UserId.text(key[0]),
        kind=NotificationKind(data["notification"]).name,
        subject_id=ids.get(EntityRef(*data["about"])),
        actor_ids=[UserId.text(actor) for actor in data["actors"]],
        actor_count=data["actor_count"],
        message=data["message"],
        updated_at=at(data["updated_ms"]),
    )


def _report(key: list[int], data: dict[str, Any], ids: Ids, _: int) -> outgoing.Report:
    return outgoing.Report(
        target_id=ids.get(EntityRef(key[0], key[1])),
        reporter_id=UserId.text(key[2]),
        author_id=_user(data["author"]),
        reason=ReportReason(data["reason"]).name,
        note=data["note"],
    )


def _resolution(key: list[int], data: dict[str, Any], ids: Ids, _: int) -> outgoing.Resolution:
    return outgoing.Resolution(
        target_id=ids.get(EntityRef(key[0], key[1])), status=_STATUSES[data["status"]], count=data["count"]
    )


def _profile(key: list[int], data: dict[str, Any], _: Ids, __: int) -> outgoing.Profile:
    return outgoing.Profile(id=UserId.text(key[0]), **{**data, "custom": _custom(data)})


def _suspension(key: list[int], data: dict[str, Any], _: Ids, __: int) -> outgoing.Suspension:
    mode, until_ms = data["mode"], data["until_ms"]
    return outgoing.Suspension(
        id=UserId.text(key[0]),
        mode=None if mode is None else _MODES[mode],
        until=None if until_ms is None else at(until_ms),
        reason=data["reason"],
    )


_MAKERS: Mapping[EventKind, tuple[Any, Any]] = {
    EventKind.REACTION_CHANGED: (_reaction, outgoing.ReactionChanged),
    EventKind.SAVE_CHANGED: (_save, outgoing.SaveChanged),
    EventKind.FOLLOW_CHANGED: (_follow, outgoing.FollowChanged),
    EventKind.POST_CREATED: (_post, outgoing.PostCreated),
    EventKind.POST_UPDATED: (_post, outgoing.PostUpdated),
    EventKind.POST_DELETED: (_removed_post, outgoing.PostDeleted),
    EventKind.COMMENT_CREATED: (_comment, outgoing.CommentCreated),
    EventKind.COMMENT_UPDATED: (_comment, outgoing.CommentUpdated),
    EventKind.COMMENT_DELETED: (_removed_comment, outgoing.CommentDeleted),
    EventKind.NOTIFICATION_CREATED: (_notification, outgoing.NotificationCreated),
    EventKind.REPORT_CREATED: (_report, outgoing.ReportCreated),
    EventKind.REPORT_RESOLVED: (_resolution, outgoing.ReportResolved),
    EventKind.USER_CREATED: (_profile, outgoing.UserCreated),
    EventKind.USER_UPDATED: (_profile, outgoing.UserUpdated),
    EventKind.USER_SUSPENDED: (_suspension, outgoing.UserSuspended),
}
"""For each kind, the function that makes the data of an event, and the class of the event."""
