"""Checks that events say what the rows say, and that destinations get all events in order.

`rows` reads the state of each object from the tables, in the words of events. `state_violations` applies events to an
earlier copy of these states, as a consumer does, and compares the result with the rows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import text

from state import State
from store.outgoing.events.notifications import NOTIFICATION_CREATED
from store.outgoing.registry import KINDS

Event = Mapping[str, Any]
Object = tuple[str, str]
"""The kind of an object, and the ids that identify the object."""
States = dict[Object, str | None]
"""The state of each object; None if it is not there, or not public."""

_PAIRS = "CASE WHEN {0}_follows THEN 'FOLLOWS' WHEN {0}_requests THEN 'REQUESTED' END"
_ROWS = text(f"""
    SELECT 'reaction', format('User:%s Entity:video:%s', r.user_id, k.key),
           CASE r.state WHEN 1 THEN 'LIKE' WHEN 2 THEN 'DISLIKE' END
    FROM reactions r JOIN entity_keys k USING (business_id, entity_id)
    UNION ALL
    SELECT 'save', format('User:%s Entity:video:%s', s.user_id, k.key),
           CASE s.collection_id WHEN 0 THEN NULL WHEN 1 THEN 'in no collection'
           ELSE format('Collection:%s.%s', s.user_id, s.collection_id) END
    FROM saves s JOIN entity_keys k USING (business_id, entity_id)
    UNION ALL
    SELECT 'content follow', format('User:%s Entity:video:%s', f.user_id, k.key),
           CASE WHEN f.stands THEN 'followed' END
    FROM content_follows f JOIN entity_keys k USING (business_id, entity_id)
    UNION ALL
    SELECT 'repost', format('User:%s Post:%s', user_id, post_id), CASE WHEN stands THEN 'reposted' END FROM reposts
    UNION ALL
    SELECT 'follow', format('User:%s User:%s', lo, hi), {_PAIRS.format("lo")} FROM follows
    UNION ALL
    SELECT 'follow', format('User:%s User:%s', hi, lo), {_PAIRS.format("hi")} FROM follows
    UNION ALL
    SELECT 'post', format('Post:%s', post_id), CASE WHEN status = 1 AND NOT deleted THEN text END FROM posts
    UNION ALL
    SELECT 'comment', format('Comment:%s.%s', subject_business, comment_id),
           CASE WHEN status = 1 AND NOT deleted THEN text END FROM comment_contents
    UNION ALL
    SELECT 'notification', format('User:%s Notification:%s', user_id, notification_id), actor_count::text
    FROM notifications
    UNION ALL
    SELECT 'report', format('User:%s Post:%s', reporter_id, entity_id), version::text FROM reports
    UNION ALL
    SELECT 'profile', format('User:%s', user_id), format('%s, %s, private: %s', handle, display_name, is_private)
    FROM users
    UNION ALL
    SELECT 'entity', format('Entity:%s:%s', CASE business_id WHEN 100 THEN 'video' ELSE 'chat' END, key),
           CASE WHEN NOT removed THEN title END FROM entities
    UNION ALL
    SELECT 'quote', format('Post:%s', post_id), CASE WHEN detached THEN 'detached' END FROM posts
    UNION ALL
    SELECT 'notice', format('Post:%s %s', entity_id, explanation), law FROM notices
    UNION ALL
    SELECT 'statement', format('Statement:%s.%s', user_id, statement_id), facts FROM statements
    UNION ALL
    SELECT 'suspension', format('User:%s', user_id),
           CASE suspended WHEN 1 THEN 'READ_ONLY' WHEN 2 THEN 'HIDDEN' WHEN 3 THEN 'SHADOW' END FROM users
""")  # noqa: S608 - constants
_HIDEABLE = text("""
    SELECT DISTINCT n.user_id, n.notification_id FROM notifications n
    CROSS JOIN unnest(n.actors) AS a(actor_id) JOIN users u ON u.user_id = a.actor_id
    WHERE u.suspension_version > 0
        OR EXISTS (SELECT FROM blocks b
                   WHERE (b.user_id, b.blocked_id) IN ((n.user_id, a.actor_id), (a.actor_id, n.user_id)))
        OR EXISTS (SELECT FROM mutes m WHERE (m.user_id, m.muted_id) = (n.user_id, a.actor_id))
""")
_LIKES = text("""
    SELECT k.key, c.value FROM counters c JOIN entity_keys k USING (business_id, entity_id)
    WHERE k.business_id = 100 AND c.kind = 1 AND c.value > 0
""")
_STORED = text("SELECT p, version, position, kind, object FROM outgoing_events ORDER BY p, position")


def _unless_none(state: str) -> str | None:
    return None if state == "NONE" else state


def _place(data: Event) -> str | None:
    return (data["collectionId"] or "in no collection") if data["isSaved"] else None


_READERS: Mapping[str, Callable[[Event, Event], tuple[str, str, str | None]]] = {
    "reaction.changed": lambda _, it: ("reaction", f"{it['userId']} {it['targetId']}", _unless_none(it["after"])),
    "contentFollow.changed": lambda _, it: (
        *("content follow", f"{it['userId']} {it['targetId']}"),
        "followed" if it["isFollowed"] else None,
    ),
    "save.changed": lambda _, it: ("save", f"{it['userId']} {it['targetId']}", _place(it)),
    "repost.changed": lambda _, it: (
        *("repost", f"{it['userId']} {it['postId']}"),
        "reposted" if it["isReposted"] else None,
    ),
    "follow.changed": lambda _, it: ("follow", f"{it['followerId']} {it['followeeId']}", _unless_none(it["after"])),
    "post.created": lambda _, it: ("post", it["id"], it["text"]),
    "post.updated": lambda _, it: ("post", it["id"], it["text"]),
    "post.deleted": lambda _, it: ("post", it["id"], None),
    "comment.created": lambda _, it: ("comment", it["id"], it["text"]),
    "comment.updated": lambda _, it: ("comment", it["id"], it["text"]),
    "comment.deleted": lambda _, it: ("comment", it["id"], None),
    "notification.created": lambda _, it: ("notification", f"{it['userId']} {it['id']}", str(it["actorCount"])),
    "report.created": lambda event, it: ("report", f"{it['reporterId']} {it['targetId']}", event["version"]),
    "user.created": lambda _, it: ("profile", it["id"], _profile(it)),
    "user.updated": lambda _, it: ("profile", it["id"], _profile(it)),
    "entity.updated": lambda _, it: ("entity", it["id"], it["title"]),
    **dict.fromkeys(("entity.removed", "entity.erased"), lambda _, it: ("entity", it["id"], None)),
    "quote.detached": lambda _, it: ("quote", it["id"], "detached"),
    "notice.received": lambda _, it: ("notice", f"{it['targetId']} {it['explanation']}", it["law"]),
    "statement.created": lambda _, it: ("statement", it["id"], it["facts"]),
    "user.suspended": lambda _, it: ("suspension", it["id"], it["mode"]),
}
"""Returns the object of an event, and its state after the event. Other kinds have no row of their own."""


def _profile(data: Event) -> str:
    return f"{data['handle']}, {data['displayName']}, private: {'t' if data['isPrivate'] else 'f'}"


async def rows(state: State) -> States:
    """Returns the state of each object in its row."""
    return {(what, object_): now for what, object_, now in await state.postgres.read(_ROWS)}


async def hideable(state: State) -> set[tuple[int, int]]:
    """Returns the notifications, as pairs of ids of user and notification, of which an actor was hidden from the user
    at some time: by a block, a mute or a suspension. What is hidden when an event is sent is left out of the event.
    """
    return {(user, id_) for user, id_ in await state.postgres.read(_HIDEABLE)}


def caused_by(events: Sequence[Event], users: Collection[int]) -> set[tuple[int, int]]:
    """Returns the notifications in events, as pairs of ids of user and notification, of which one of these users is an
    actor.
    """
    actors = {f"User:{user}" for user in users}
    created = [event["data"] for event in events if event["kind"] == NOTIFICATION_CREATED.label]
    return {
        (_number(data["userId"]), _number(data["id"])) for data in created if not actors.isdisjoint(data["actorIds"])
    }


def _number(id_: str) -> int:
    return int(id_.rpartition(":")[2])


async def likes(state: State) -> Counter[str]:
    """Returns the likes of each video that has any."""
    return Counter({f"Entity:video:{key}": value for key, value in await state.postgres.read(_LIKES)})


async def stored_ids(state: State) -> dict[int, list[str]]:
    """Returns the ids of all stored events of each partition, in order."""
    ids = defaultdict[int, list[str]](list)
    for p, version, position, kind, object_ in await state.postgres.read(_STORED):
        ids[p].append(f"{p}-{version or position}-{KINDS[kind].label}-{object_}")
    return ids


def _by_object(events: Sequence[Event]) -> dict[Object, dict[tuple[int, int], tuple[str | None, Event]]]:
    """Returns the state that each event tells, and the event, by object and by version and position."""
    found = defaultdict[Object, dict[tuple[int, int], tuple[str | None, Event]]](dict)
    for event in events:
        if reader := _READERS.get(event["kind"]):
            what, object_, now = reader(event, event["data"])
            found[what, object_][int(event["version"]), int(event["position"])] = now, event
    return found


def state_violations(
    before: States, events: Sequence[Event], after: States, hideable: Collection[tuple[int, int]]
) -> Iterator[str]:
    """Applies the newest event of each object to a copy of the earlier rows, and compares the copy with the rows.
    Leaves out the notifications `hideable`.
    """
    copy = before | {object_: states[max(states)][0] for object_, states in _by_object(events).items()}
    left_out = {("notification", f"User:{user} Notification:{id_}") for user, id_ in hideable}
    for object_ in sorted((copy.keys() | after.keys()) - left_out):
        if copy.get(object_) != after.get(object_):
            yield f"{object_} is {copy.get(object_)!r} by its events, and {after.get(object_)!r} in its row"


def chain_violations(before: States, events: Sequence[Event]) -> Iterator[str]:
    """Checks that each event of a reaction or follow continues the one before it."""
    for object_, states in _by_object(events).items():
        if object_[0] in ("reaction", "follow"):
            changes = [states[version][1]["data"] for version in sorted(states)]
            links = [before.get(object_) or "NONE", *(one for it in changes for one in (it["before"], it["after"]))]
            if any(was != now for was, now in zip(links[::2], links[1::2], strict=False)):
                yield f"the events of {object_} do not continue each other: {links}"


def lost_violations(
    events: Sequence[Event], stored: Mapping[int, Sequence[str]], hideable: Collection[tuple[int, int]]
) -> Iterator[str]:
    """Checks that every stored event has arrived, except events of the notifications `hideable`."""
    arrived = {event["id"] for event in events}
    ends = tuple(f"-{NOTIFICATION_CREATED.label}-{user}.{id_}" for user, id_ in hideable)
    for p, ids in stored.items():
        if missing := {one for one in set(ids) - arrived if not one.endswith(ends)}:
            yield f"events of partition {p} have not arrived: {missing}"


def order_violations(events: Sequence[Event], stored: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """Checks that no event has arrived that is not stored. In each partition, events must have arrived in order, not
    counting repeats.
    """
    arrived = defaultdict[int, dict[str, None]](dict)
    for event in events:
        arrived[event["partition"]].setdefault(event["id"])
    for p, ids in arrived.items():
        expected = stored.get(p, ())
        if invented := ids.keys() - set(expected):
            yield f"events of partition {p} are not stored: {invented}"
        elif [*ids] != [one for one in expected if one in ids]:
            yield f"events of partition {p} arrived in another order: {[*ids]} instead of {expected}"
