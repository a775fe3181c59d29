"""Makes the kinds of records that only an export of one person has, from rows. A function returns None if the person
may not see the row, or if the row refers to a post, comment or entity that is not stored any more.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from archive.personal import (
    Activity,
    AnyTarget,
    Appeal,
    Decision,
    DismissedSuggestion,
    Edit,
    HiddenPost,
    MutedReposts,
    MutedThread,
    MutedWord,
    Notification,
    PostNotifications,
    Report,
    SavedQueue,
    Statement,
    UserTarget,
)
from archive.references import References
from archive.rows import images_of, time_of
from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import ReportReason, ReportStatus
from domain.moderation.statements import FoundBy, Restriction
from domain.muted_words import MutedWord as MutedWordRow
from domain.times import parse
from domain.versions import moment_ms
from models.actions import SHARED, VIEWED
from models.attachments import from_plain
from models.base import at
from models.counters import EntityRef
from models.hidden_posts import LESS
from models.moderation_log import ModerationAction, ModerationRole
from models.notifications import TEXT_KINDS, NotificationKind
from models.saved_queues import SavedQueue as SavedQueueRow
from models.users import SuspensionMode
from settings import SUGGESTIONS, USERS

SEEN_ACTIONS = tuple(
    action
    for action in ModerationAction
    if action not in (ModerationAction.REPORTS_ACCEPTED, ModerationAction.REPORTS_DISMISSED)
)
"""The kinds of decisions that the person may see. Decisions about reports are only shown to the reporters."""
_BUILT_IN = {kind.counter: kind.name for kind in (VIEWED, SHARED)}


def _ref(row: Any) -> EntityRef:
    return EntityRef(row.business_id, row.entity_id)


def post_notifications(row: Any, refs: References) -> PostNotifications:
    """Returns the record of a row of `bells`."""
    return PostNotifications(kind="postNotifications", author=refs.user(row.author_id), created_at=time_of(row.version))


def muted_thread(row: Any, refs: References) -> MutedThread | MutedReposts | DismissedSuggestion | None:
    """Returns the record of a row of `thread_mutes`."""
    if row.business_id == USERS:
        return MutedReposts(kind="mutedReposts", user=refs.user(row.entity_id), created_at=time_of(row.version))
    if row.business_id == SUGGESTIONS:
        return DismissedSuggestion(
            kind="dismissedSuggestion", user=refs.user(row.entity_id), created_at=time_of(row.version)
        )
    target = refs.target(_ref(row))
    return None if target is None else MutedThread(kind="mutedThread", target=target, created_at=time_of(row.version))


def hidden_post(row: Any, refs: References) -> HiddenPost | None:
    """Returns the record of a row of `hidden_posts`."""
    target = refs.target(_ref(row))
    if target is None:
        return None
    return HiddenPost(kind="hiddenPost", target=target, less=row.state == LESS, created_at=time_of(row.version))


def muted_word(word: MutedWordRow) -> MutedWord:
    """Returns the record of a muted word."""
    return MutedWord(
        kind="mutedWord",
        text=word.text,
        targets=tuple(target.name for target in word.target_list),
        whole_word=word.whole_word,
        except_followed=word.except_followed,
        until=at(word.until_ms) if word.until_ms else None,
    )


def saved_queue(queue: SavedQueueRow) -> SavedQueue:
    """Returns the part of the record `account` about a saved queue."""
    filters = {name: value for name, value in queue._asdict().items() if name != "name" and value}
    return SavedQueue(name=queue.name, filters=filters)


def notification(row: Any, refs: References, read_moment: int) -> Notification:
    """Returns the record of a row of `notifications`, without other users and their texts. The person has read the
    notifications up to the moment `read_moment`.
    """
    kind = NotificationKind(row.kind)
    return Notification(
        kind="notification",
        event=kind.name,
        target=None if kind in TEXT_KINDS else refs.any_target(_ref(row)),
        times=row.actor_count,
        message=row.message,
        read=row.moment <= max(read_moment, row.read_moment or 0),
        created_at=at(row.created_ms),
        updated_at=at(row.updated_ms),
    )


def report(row: Any, refs: References) -> Report | None:
    """Returns the record of a row of `reports` that the person made."""
    target = refs.any_target(_ref(row))
    return (
        None
        if target is None
        else Report(
            kind="report",
            target=target,
            reason=ReportReason(row.reason).name,
            note=row.note,
            status=ReportStatus(row.status).name,
            network=row.network,
            created_at=time_of(row.version),
        )
    )


def appeal(row: Any, refs: References) -> Appeal | None:
    """Returns the record of a row of `appeals`."""
    target, status = refs.any_target(_ref(row)), AppealStatus(row.status).name
    return (
        None
        if target is None
        else Appeal(kind="appeal", target=target, text=row.text, status=status, created_at=time_of(row.version))
    )


def edit(row: Any, refs: References) -> Edit | None:
    """Returns the record of a row of `edits`."""
    target = refs.target(_ref(row))
    if target is None:
        return None
    images = images_of(from_plain(orjson.loads(row.images)))
    return Edit(kind="edit", target=target, text=row.text, images=images, created_at=time_of(row.version))


def decision(row: Any, refs: References) -> Decision | None:
    """Returns the record of a row of the moderation log, without the user who decided. Returns None if the decision is
    about a suspension in the mode SHADOW, which its user cannot see.
    """
    before, after = (orjson.loads(state) if state else {} for state in (row.before, row.after))
    target = refs.any_target(_ref(row))
    if target is None or SuspensionMode.SHADOW.name in (before.get("mode"), after.get("mode")):
        return None
    until = after.get("until")
    return Decision(
        kind="decision",
        action=ModerationAction(row.action).name,
        role=ModerationRole(row.role).name,
        target=target,
        reason=row.reason,
        mode=after.get("mode"),
        until=parse(until) if until else None,
        created_at=at(moment_ms(row.moment)),
    )


def statement(row: Any, refs: References) -> Statement | None:
    """Returns the record of a row of `statements`, without the user who decided."""
    target = refs.any_target(_ref(row))
    if target is None:
        return None
    return Statement(
        kind="statement",
        restriction=Restriction(row.restriction).name,
        target=target,
        ground=row.ground,
        facts=row.facts,
        found_by=FoundBy(row.found_by).name,
        is_automated=row.automated,
        until=None if row.until_ms is None else at(row.until_ms),
        ended_at=None if row.ended_ms is None else at(row.ended_ms),
        appeal=row.appeal_text,
        appeal_status=None if row.appeal_status is None else AppealStatus(row.appeal_status).name,
        created_at=at(moment_ms(row.moment)),
    )


def sent(action: str, target: AnyTarget | None, row: Any, created_at: datetime) -> Activity | None:
    """Returns the record of a post or comment that the person sent, with the client; None if the client is unknown."""
    if target is None or (row.ip, row.device, row.client) == (None, None, None):
        return None
    return _activity(action, target, created_at, row)


def like(row: Any, refs: References) -> Activity | None:
    """Returns the record of a row of the log of likes."""
    target = refs.target(_ref(row))
    return None if target is None else _activity(row.verb, target, time_of(row.version), row, source=row.source)


def follow(row: Any, refs: References) -> Activity:
    """Returns the record of a row of the log of follows."""
    followee = UserTarget(user=refs.user(row.followee_id))
    return _activity("follow" if row.follows else "unfollow", followee, time_of(row.version), row)


def action(row: Any, refs: References, counters: Mapping[int, str]) -> Activity | None:
    """Returns the record of a row of `records`, such as a view. `counters` has the names of counters by number."""
    target, name = refs.target(_ref(row)), _BUILT_IN.get(row.kind) or counters.get(row.kind, str(row.kind))
    return (
        None
        if target is None
        else Activity(kind="activity", action=name, target=target, created_at=time_of(row.version))
    )


def _activity(
    name: str, target: AnyTarget, created_at: datetime, client: Any, *, source: str | None = None
) -> Activity:
    return Activity(
        kind="activity",
        action=name,
        target=target,
        source=source,
        ip=client.ip,
        device=client.device,
        client=client.client,
        created_at=created_at,
    )
