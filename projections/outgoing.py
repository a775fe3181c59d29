"""Makes outgoing events from the changes of rows (docs/build/events.md).

A batch writes only the last of several changes of one row. After a failover of Postgres, a change that was stored and
sent alone may be stored again in a batch that also undoes it. So there is an event also if the row is as before but a
change in the batch was different: it corrects what destinations were told before.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.moderation.reports import ReportStatus
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.follows import FollowState
from models.images import plain
from models.outgoing import EventKind
from models.posts import PostRow
from models.users import UserRow
from projections.content import Change
from projections.events.people import Followed
from projections.events.reactions import Reacted, Saved
from settings import POSTS, USERS
from store.moderation.reports import NewReport
from store.outgoing.outbox import OutgoingEvents
from store.people.follows import Pair

_POST = EventKind.POST_CREATED, EventKind.POST_UPDATED, EventKind.POST_DELETED
_COMMENT = EventKind.COMMENT_CREATED, EventKind.COMMENT_UPDATED, EventKind.COMMENT_DELETED


def reacted(outgoing: OutgoingEvents, event: Reacted, before: int) -> None:
    """Adds the change of a user's reaction to an entity, post or comment."""
    key = event.actor_id, *event.ref
    outgoing.add(
        *(EventKind.REACTION_CHANGED, event.actor_id, event.ref.business_id, event.version, key),
        owner=event.owner_id,
        before=before,
        after=event.state,
    )


def saved(outgoing: OutgoingEvents, event: Saved) -> None:
    """Adds the change of a user's save of an entity, post or comment."""
    key = event.actor_id, *event.ref
    outgoing.add(
        *(EventKind.SAVE_CHANGED, event.actor_id, event.ref.business_id, event.version, key),
        collection=event.collection_id,
    )


def followed(outgoing: OutgoingEvents, events: Iterable[Followed], pair: Pair, before: Sequence[FollowState]) -> None:
    """Adds the changes of a pair of users. `events` are all changes of the batch; `before` are the states of the lower
    and the higher user.
    """
    for (follower, followee, _, version), was in zip(pair.directions, before, strict=True):
        changes = [event for event in events if (event.actor_id, event.followee_id) == (follower, followee)]
        last = next((event for event in changes if event.version == version), None)
        if last and any(event.state != was for event in changes):
            key = follower, followee
            values = {"before": int(was), "after": int(last.state)}
            outgoing.add(EventKind.FOLLOW_CHANGED, follower, USERS, version, key, **values)


def content(outgoing: OutgoingEvents, change: Change[Any]) -> None:
    """Adds the change of a post or comment. One that is not public gets an event also if it was never public: an event
    that a failover of Postgres has undone may have told that it is.
    """
    before, row = change.before, change.after
    is_post = isinstance(row, PostRow)
    created, updated, deleted = _POST if is_post else _COMMENT
    business_id = POSTS if is_post else row.subject_business
    to = row.author_id, business_id, row.version, (row.entity_id,)
    if not row.is_public:
        outgoing.add(deleted, *to, author=row.author_id, by_moderation=not row.deleted)
    elif not (before and before.is_public):
        outgoing.add(created, *to, **_content(row))
    elif row.content_version != before.content_version:
        outgoing.add(updated, *to, **_content(row))


def _content(row: PostRow | CommentRow) -> dict[str, Any]:
    if isinstance(row, PostRow):
        values: dict[str, Any] = {"topics": row.topic_names}
    else:
        values = {"subject": tuple(row.subject), "root": row.root_id, "parent": row.parent_id}
    values |= {"images": plain(row.images), "custom": row.custom, "edited_ms": row.edited_ms}
    return {"author": row.author_id, "text": row.text, "moment": row.moment, **values}


def reported(outgoing: OutgoingEvents, report: NewReport) -> None:
    """Adds a new report, or one that replaces an open report of the same user."""
    outgoing.add(
        *(EventKind.REPORT_CREATED, report.ref.entity_id, report.ref.business_id, report.version, report.place),
        author=report.author_id,
        reason=int(report.reason),
        note=report.note,
    )


def resolved(outgoing: OutgoingEvents, ref: EntityRef, version: int, status: ReportStatus, count: int) -> None:
    """Adds that `count` open reports of a target were closed."""
    outgoing.add(
        EventKind.REPORT_RESOLVED, ref.entity_id, ref.business_id, version, ref, status=int(status), count=count
    )


def entity(outgoing: OutgoingEvents, row: EntityRow) -> None:
    """Adds an entity that was registered, changed, restored or removed."""
    kind = EventKind.ENTITY_REMOVED if row.removed else EventKind.ENTITY_UPDATED
    outgoing.add(
        *(kind, row.entity_id, row.business_id, 0, row.ref),
        id=row.global_id,
        owner=row.owner_id,
        title=row.title,
        url=row.url,
        comments_closed=row.comments_closed,
        custom=row.custom,
    )


def profile(outgoing: OutgoingEvents, user: UserRow, *, is_new: bool = False) -> None:
    """Adds a new or changed profile."""
    kind = EventKind.USER_CREATED if is_new else EventKind.USER_UPDATED
    outgoing.add(
        *(kind, user.user_id, USERS, 0, (user.user_id,)),
        handle=user.handle,
        display_name=user.display_name,
        avatar_url=user.avatar_url,
        bio=user.bio,
        is_private=user.is_private,
        custom=user.custom,
    )


def suspended(outgoing: OutgoingEvents, user: UserRow) -> None:
    """Adds that a user was suspended or reinstated, or that the suspension ended."""
    outgoing.add(
        *(EventKind.USER_SUSPENDED, user.user_id, USERS, 0, (user.user_id,)),
        mode=user.suspended,
        until_ms=user.suspended_until_ms,
        reason=user.suspension_reason,
    )
