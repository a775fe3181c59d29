"""The field `data` of each kind of outgoing event, as its class in `domain/outgoing` describes it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import orjson

from domain.ids import CollectionId, CommentId, NotificationId, PostId, UserId
from domain.moderation.reports import ReportReason
from domain.texts import excerpt
from models.base import at
from models.comments import CommentRow
from models.counters import EntityRef
from models.notifications import NotificationKind, collapse_key
from models.outgoing import EventKind
from models.saves import DEFAULT, NOT_SAVED
from models.users import UserRow

Data = dict[str, Any]
Ids = Mapping[EntityRef, str]
"""The global ids of entities and comments. Erased ones are missing."""

_REACTIONS: Mapping[int, str] = {0: "NONE", 1: "LIKE", 2: "DISLIKE"}
_FOLLOWS: Mapping[int, str] = {0: "NONE", 1: "FOLLOWS", 2: "REQUESTED"}
_STATUSES: Mapping[int, str] = {1: "ACCEPTED", 2: "DISMISSED", 3: "MOOT"}
_MODES: Mapping[int, str] = {1: "READ_ONLY", 2: "HIDDEN", 3: "SHADOW"}


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
        "createdAt": at(data["moment"] >> 10),
        "editedAt": _edited_at(data),
    }


def _custom(data: Data) -> dict[str, Any] | None:
    text = data["custom"]
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
    text = data["text"]
    return {
        "id": NotificationId.text(key[1]),
        "userId": UserId.text(key[0]),
        "kind": NotificationKind(data["notification"]).name,
        "subjectId": ids.get(EntityRef(*data["about"])),
        "actorIds": [UserId.text(actor) for actor in data["actors"]],
        "actors": [_actor(data["profiles"][one]) for one in data["actors"] if one in data["profiles"]],
        "actorCount": data["actor_count"],
        "unreadCount": data["unread"],
        "commentId": text.global_id if isinstance(text, CommentRow) else None,
        "excerpt": text and excerpt(text.text),
        "message": data["message"],
        "updatedAt": at(data["updated_ms"]),
        "collapseKey": collapse_key(key[1]),
    }


def _actor(user: UserRow) -> Data:
    return {"id": user.global_id, "handle": user.handle, "displayName": user.display_name}


def _read_mark(key: list[int], data: Data, _: Ids, __: int) -> Data:
    return {"userId": UserId.text(key[0]), "readThrough": str(data["moment"])}


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


def _entity(_: list[int], data: Data, __: Ids, ___: int) -> Data:
    return {
        "id": data["id"],
        "ownerId": _user(data["owner"]),
        "title": data["title"],
        "url": data["url"],
        "commentsClosed": data["comments_closed"],
        "custom": _custom(data),
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


MAKERS: Mapping[int, Callable[[list[int], Data, Ids, int], Data]] = {
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
    EventKind.NOTIFICATION_READ: _read_mark,
    EventKind.REPORT_CREATED: _report,
    EventKind.REPORT_RESOLVED: _resolution,
    EventKind.USER_CREATED: _profile,
    EventKind.USER_UPDATED: _profile,
    EventKind.USER_SUSPENDED: _suspension,
    EventKind.ENTITY_UPDATED: _entity,
    EventKind.ENTITY_REMOVED: _entity,
}
"""For each kind, the function that makes the data of an event: of the key of the row, the stored change, the global ids
and the business.
"""
