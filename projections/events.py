"""Parses journal entries into events."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import orjson

from domain.moderation.reports import ReportReason, ReportStatus
from domain.moderation.verdicts import AuditStatus
from models.base import at
from models.counters import CounterKind, EntityRef
from models.follows import FollowState
from models.likes import Reaction
from models.users import SuspensionMode
from settings import COMMENTS, POSTS, USERS
from store.content import comments, posts
from store.content.comments import COMMENT
from store.content.patches import APPEAL, JUDGE, REPORT, RESOLVE, SUSPEND, WARN, Patch, Published
from store.content.posts import POST
from store.notifications.notifications import SEEN, Marked
from store.people.boundaries import FOREVER_MS, UNFOLLOWER
from store.reactions.leaderboards import DAY_MS
from store.write_log.claims import Claim, Name
from store.write_log.journal import ClientTrace, Entry, moment_of
from store.write_log.pending import BLOCK, FOLLOW, MUTE, REACT, SHARE, THREAD, VIEW, PublishedChange


class Reacted(NamedTuple):
    """An event: an actor's reaction to an entity, post or comment became `state`."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    owner_id: int | None
    was: int | None
    """The reaction before the event; None if it could not be read, because Redis or Postgres was down."""
    state: int
    verb: str | None
    """The verb that the actor sent. None for a change without a request, which is not logged."""
    trace: ClientTrace

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (REACT, self.ref), self.version)

    @property
    def moment(self) -> int:
        """Returns the moment that orders the reaction in lists."""
        return moment_of(self.version)

    @property
    def day(self) -> int:
        """Returns the day of the event, in days since the Unix epoch, UTC."""
        return (self.version >> 20) // DAY_MS


class Followed(NamedTuple):
    """An event: an actor followed or unfollowed a user, or asked to follow a private user."""

    partition: int
    version: int
    actor_id: int
    followee_id: int
    state: FollowState
    indirect: bool
    """Whether the actor did not request this change: a block, a removal or the user's answer to a request caused it."""
    trace: ClientTrace

    @property
    def follows(self) -> bool:
        """Tells whether the actor follows the user after this event."""
        return self.state is FollowState.FOLLOWS

    @property
    def is_logged(self) -> bool:
        """Tells whether the log of follows (F5) has a line for this event. It has none for a request, and none for an
        indirect end of a follow.
        """
        return self.follows or (self.state is FollowState.NONE and not self.indirect)

    @property
    def is_acceptance(self) -> bool:
        """Tells whether the followed user accepted the actor's request."""
        return self.follows and self.indirect

    @property
    def ref(self) -> EntityRef:
        """Returns the followed user, whose counters change."""
        return EntityRef(USERS, self.followee_id)

    @property
    def pair(self) -> tuple[int, int]:
        """Returns the ids of both users, the lower one first. They are the key of the pair's row."""
        return min(self.actor_id, self.followee_id), max(self.actor_id, self.followee_id)

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (FOLLOW, self.ref), self.version)


class ActionRecorded(NamedTuple):
    """An event: an actor viewed or shared a post or entity, or did an action that its business counts."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    what: str
    """The kind of the entry."""
    counter: int
    """The counter that includes the action."""
    bucket: int
    """The hour of the action, counted from the Unix epoch, if it counts once per actor and hour;
    otherwise its version.
    """

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (self.what, self.ref), self.version)


class ContentChanged(NamedTuple):
    """An event: an actor published, edited or deleted a post or comment."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or comment. Also the key of its counters."""
    patch: Patch[Any]
    claim: Claim | None
    """The claim of a publication to its idempotency key. None for edits and deletions."""
    left: tuple[str, ...]
    """The topics that the post had before an edit of its topics."""
    trace: ClientTrace

    @property
    def settled(self) -> Published:
        """Returns the author's patch, which may be removed some time after this event was published."""
        return Published(self.actor_id, self.ref, self.version)


class ModerationDecided(NamedTuple):
    """An event: a moderator or the external reviewer decided about a post or comment, whose content had the version
    `content_version`.
    """

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or comment. Also the key of its counters."""
    content_version: int
    status: AuditStatus
    reason: str
    reviewer: bool
    """Whether the external reviewer decided. Its decision counts only while the post or comment waits for review."""
    by_reports: bool = False
    """Whether many reports hide the post or comment. They do not hide what a moderator has approved."""

    @property
    def by_moderator(self) -> bool:
        """Returns whether a moderator decided."""
        return not self.reviewer and not self.by_reports

    @property
    def settled(self) -> None:
        """Returns None, because a decision is never pending."""


class Reported(NamedTuple):
    """An event: a user reported a post, comment, user or entity."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The target."""
    about: int
    """The business of the subject for a comment, otherwise the business of the target."""
    author_id: int | None
    """The author or owner of the target; None for an entity without owner."""
    reason: ReportReason
    note: str | None
    trace: ClientTrace

    @property
    def settled(self) -> None:
        """Returns None, because a report is never pending."""


class ReportsResolved(NamedTuple):
    """An event: a moderator accepted or dismissed all open reports of a target."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The target."""
    status: ReportStatus
    reason: str
    """The reason of the decision, for the reporters."""
    author_id: int | None = None
    """The author or owner of the target; None for an entity without owner, and if a post or comment was decided."""
    decides_content: bool = False
    """Whether the decision is about a post or comment, which also decides its reports."""

    @property
    def settled(self) -> None:
        """Returns None, because a decision is never pending."""


class Appealed(NamedTuple):
    """An event: the author of a rejected post or comment asked for another look."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    content_version: int
    """The version of the content that was rejected."""
    text: str

    @property
    def settled(self) -> None:
        """Returns None, because an appeal is never pending."""


class Warned(NamedTuple):
    """An event: a moderator warned a user."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user."""
    reason: str

    @property
    def settled(self) -> None:
        """Returns None, because a warning is never pending."""


class Suspended(NamedTuple):
    """An event: a moderator suspended a user, or ended the suspension."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The user."""
    mode: SuspensionMode | None
    """What the suspension does; None if the event ends it."""
    until_ms: int | None
    """When the suspension ends, in milliseconds since the Unix epoch; None for one without an end."""
    reason: str | None

    @property
    def settled(self) -> None:
        """Returns None, because a suspension is never pending."""


class ReadMarked(NamedTuple):
    """An event: a user marked the notifications up to and including this moment as read."""

    partition: int
    version: int
    actor_id: int
    moment: int

    @property
    def ref(self) -> EntityRef:
        """Returns the user who marked the notifications, as an EntityRef."""
        return EntityRef(USERS, self.actor_id)

    @property
    def settled(self) -> Marked:
        """Returns the user's pending read mark, which may be removed some time after this event was published."""
        return Marked(self.actor_id, self.moment, self.version)


class Blocked(NamedTuple):
    """An event: a user blocked or unblocked another user."""

    partition: int
    version: int
    actor_id: int
    other_id: int
    stands: bool
    unfollows: bool
    """Whether the block may have ended a follow of the blocked user by the blocker."""
    trace: ClientTrace

    @property
    def ref(self) -> EntityRef:
        """Returns the other user."""
        return EntityRef(USERS, self.other_id)

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (BLOCK, self.ref), self.version)


class Muted(NamedTuple):
    """An event: a user muted another user until a time in milliseconds since the Unix epoch, or, with 0, ended that."""

    partition: int
    version: int
    actor_id: int
    other_id: int
    until_ms: int

    @property
    def ref(self) -> EntityRef:
        """Returns the other user."""
        return EntityRef(USERS, self.other_id)

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (MUTE, self.ref), self.version)


class ThreadMuted(NamedTuple):
    """An event: a user muted or unmuted a thread."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post, entity or root comment of the thread."""
    stands: bool

    @property
    def settled(self) -> PublishedChange:
        """Returns the actor's pending change, which may be removed some time after this event was published."""
        return PublishedChange(self.actor_id, (THREAD, self.ref), self.version)


class FollowerRemoved(NamedTuple):
    """An event: a user removed another user from the followers. The other user's unfollow is an event of its own."""

    partition: int
    version: int
    actor_id: int
    other_id: int
    operation: str
    """The digest of the operation that removed the follower."""

    @property
    def ref(self) -> EntityRef:
        """Returns the other user."""
        return EntityRef(USERS, self.other_id)

    @property
    def settled(self) -> None:
        """Returns None, because a removal is never pending."""


ContentEvent = ContentChanged | ModerationDecided
BoundaryEvent = Blocked | Muted | ThreadMuted | FollowerRemoved
ReportEvent = Reported | ReportsResolved
Event = (
    Reacted
    | Followed
    | ActionRecorded
    | ContentEvent
    | ReadMarked
    | BoundaryEvent
    | ReportEvent
    | Appealed
    | Warned
    | Suspended
)

_STATES = {b"%d" % reaction: int(reaction) for reaction in Reaction}
_EARLIER_STATES = {**_STATES, b"?": None}
_VERBS = {int(Reaction.LIKE): "like", int(Reaction.DISLIKE): "dislike"}
_FLAGS = {b"0": False, b"1": True}
_ACTIONS = {VIEW: CounterKind.VIEWS, SHARE: CounterKind.SHARES}
_OWN_COUNTER = re.compile(r"[1-9]\d{2,4}")
_TEXTS = frozenset({str, type(None)})


class Malformed(ValueError):
    """Raised for an invalid journal entry. No version of Plaudit writes such entries."""


def parse(entry: Entry) -> Event:
    """Parses a journal entry. Returns its event. Raises Malformed if the entry is invalid."""
    try:
        kind = entry.fields[b"kind"].decode()
        if read := _PARSERS.get(kind) or (_parse_action if _OWN_COUNTER.fullmatch(kind) else None):
            return read(entry, orjson.loads(entry.fields[b"data"]))
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
    raise Malformed(f"unknown kind {kind!r}")


def events_of(entry: Entry) -> list[Event]:
    """Parses a journal entry. Returns its event and the changes that follow from it: a block ends a follow, and the
    decision of a moderator resolves the reports of its target. Raises Malformed if the entry is invalid.
    """
    event = parse(entry)
    if isinstance(event, Blocked) and event.unfollows:
        return [event, Followed(*event[:4], FollowState.NONE, indirect=True, trace=event.trace)]
    if isinstance(event, ModerationDecided) and event.by_moderator:
        status = ReportStatus.ACCEPTED if event.status is AuditStatus.REJECTED else ReportStatus.DISMISSED
        return [event, ReportsResolved(*event[:4], status, event.reason, decides_content=True)]
    return [event]


def actor_of(entry: Entry) -> int:
    """Returns the id of the actor of a journal entry. Raises Malformed if the entry has none."""
    try:
        return int(orjson.loads(entry.fields[b"data"])["actor"])
    except (KeyError, ValueError, TypeError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error


def _parse_reaction(entry: Entry, data: dict[str, Any]) -> Reacted:
    owner = None if data["owner"] is None else int(data["owner"])
    was, state = _EARLIER_STATES[entry.fields[b"was"]], _STATES[entry.fields[b"state"]]
    verb = _verb(data.get("verb"), was, state)
    return Reacted(
        entry.partition, entry.version, int(data["actor"]), _ref(data), owner, was, state, verb, _trace(data)
    )


def _verb(asked: Any, was: int | None, state: int) -> str:
    """Returns the verb of a reaction: `asked` if the journal entry has one. Entries of the previous version have none;
    their verb follows from the states before and after the change.
    """
    if asked is None:
        return _VERBS[state] if state else "undislike" if was == Reaction.DISLIKE else "unlike"
    if asked not in ("like", "unlike", "dislike", "undislike"):
        raise ValueError(f"unknown verb {asked!r}")
    return str(asked)


def _parse_follow(entry: Entry, data: dict[str, Any]) -> Followed:
    actor = int(data["actor"])
    followee, state = _check_other(actor, data["followee"]), FollowState(int(entry.fields[b"state"]))
    indirect = "ended" in data or "accepted" in data
    return Followed(entry.partition, entry.version, actor, followee, state, indirect, _trace(data))


def _parse_action(entry: Entry, data: dict[str, Any]) -> ActionRecorded:
    """Parses a journal entry of a recorded action. Entries of the previous version do not say whether the action counts
    once per hour; of these, only views do.
    """
    what = entry.fields[b"kind"].decode()
    counter = _ACTIONS.get(what) or int(what)
    bucket = int(data["hour"]) if data.get("once", what == VIEW) else entry.version
    return ActionRecorded(entry.partition, entry.version, int(data["actor"]), _ref(data), what, counter, bucket)


def _parse_post(entry: Entry, data: dict[str, Any]) -> ContentChanged:
    return _content_changed(
        entry, EntityRef(POSTS, int(data["post"])), posts.PostPatch.parse(entry.version, data), data
    )


def _parse_comment(entry: Entry, data: dict[str, Any]) -> ContentChanged:
    return _content_changed(
        entry, EntityRef(COMMENTS, int(data["comment"])), comments.CommentPatch.parse(entry.version, data), data
    )


def _content_changed(entry: Entry, ref: EntityRef, patch: Patch[Any], data: dict[str, Any]) -> ContentChanged:
    actor, claim = int(data["actor"]), None
    if patch.publishes:
        claim = Claim(Name(actor, ref.business_id, str(data["key"])), str(data["fingerprint"]), ref.entity_id)
    return ContentChanged(
        entry.partition, entry.version, actor, ref, patch, claim, _check_names(data.get("left", ())), _trace(data)
    )


def _parse_decision(entry: Entry, data: dict[str, Any]) -> ModerationDecided:
    status, reason, reviewer = AuditStatus(data["status"]), f"{data['reason']}", bool(data["reviewer"])
    actor, content = int(data["actor"]), int(data["content"])
    by_reports = bool(data.get("reports"))
    return ModerationDecided(
        *(entry.partition, entry.version, actor, _ref(data), content, status, reason),
        reviewer=reviewer and not by_reports,
        by_reports=by_reports,
    )


def _parse_report(entry: Entry, data: dict[str, Any]) -> Reported:
    author, note = None if data["owner"] is None else int(data["owner"]), data["note"]
    if type(note) not in _TEXTS:
        raise TypeError(f"{note!r} is not a text")
    actor, about, reason = int(data["actor"]), int(data["about"]), ReportReason(data["reason"])
    return Reported(entry.partition, entry.version, actor, _ref(data), about, author, reason, note, _trace(data))


def _parse_resolution(entry: Entry, data: dict[str, Any]) -> ReportsResolved:
    status = ReportStatus(data["status"])
    if status not in (ReportStatus.ACCEPTED, ReportStatus.DISMISSED):
        raise ValueError(f"a moderator cannot decide {status!r}")
    actor, author = int(data["actor"]), None if data["owner"] is None else int(data["owner"])
    return ReportsResolved(entry.partition, entry.version, actor, _ref(data), status, f"{data['reason']}", author)


def _parse_appeal(entry: Entry, data: dict[str, Any]) -> Appealed:
    actor, content = int(data["actor"]), int(data["content"])
    return Appealed(entry.partition, entry.version, actor, _ref(data), content, f"{data['text']}")


def _parse_warning(entry: Entry, data: dict[str, Any]) -> Warned:
    return Warned(entry.partition, entry.version, int(data["actor"]), _ref(data), f"{data['reason']}")


def _parse_suspension(entry: Entry, data: dict[str, Any]) -> Suspended:
    mode = None if data["mode"] is None else SuspensionMode(data["mode"])
    until_ms = None if data["until"] is None else int(data["until"])
    if mode is None:
        return Suspended(entry.partition, entry.version, int(data["actor"]), _ref(data), None, None, None)
    if until_ms is not None:
        at(until_ms)  # raises an error for a time that no row can have
    return Suspended(
        entry.partition, entry.version, int(data["actor"]), _ref(data), mode, until_ms, f"{data['reason']}"
    )


def _parse_read_mark(entry: Entry, data: dict[str, Any]) -> ReadMarked:
    return ReadMarked(entry.partition, entry.version, int(data["actor"]), int(data["moment"]))


def _parse_block(entry: Entry, data: dict[str, Any]) -> Blocked:
    actor, stands = int(data["actor"]), _FLAGS[entry.fields[b"state"]]
    unfollows = stands and _FLAGS[entry.fields[b"unfollows"]]
    return Blocked(
        entry.partition, entry.version, actor, _check_other(actor, data["other"]), stands, unfollows, _trace(data)
    )


def _parse_mute(entry: Entry, data: dict[str, Any]) -> Muted:
    actor, until_ms = int(data["actor"]), int(entry.fields[b"state"])
    if not 0 <= until_ms <= FOREVER_MS:
        raise ValueError(f"a mute cannot end at {until_ms}")
    return Muted(entry.partition, entry.version, actor, _check_other(actor, data["other"]), until_ms)


def _parse_thread(entry: Entry, data: dict[str, Any]) -> ThreadMuted:
    stands = _FLAGS[entry.fields[b"state"]]
    return ThreadMuted(entry.partition, entry.version, int(data["actor"]), _ref(data), stands)


def _parse_unfollower(entry: Entry, data: dict[str, Any]) -> FollowerRemoved:
    actor, operation = int(data["actor"]), entry.fields[b"op"].decode()
    return FollowerRemoved(entry.partition, entry.version, actor, _check_other(actor, data["other"]), operation)


_PARSERS: dict[str, Callable[[Entry, dict[str, Any]], Event]] = {
    REACT: _parse_reaction,
    FOLLOW: _parse_follow,
    VIEW: _parse_action,
    SHARE: _parse_action,
    POST: _parse_post,
    COMMENT: _parse_comment,
    JUDGE: _parse_decision,
    SEEN: _parse_read_mark,
    BLOCK: _parse_block,
    MUTE: _parse_mute,
    THREAD: _parse_thread,
    UNFOLLOWER: _parse_unfollower,
    REPORT: _parse_report,
    RESOLVE: _parse_resolution,
    APPEAL: _parse_appeal,
    WARN: _parse_warning,
    SUSPEND: _parse_suspension,
}
"""The parser of each kind of entry. The kind of an action that a business counts is the id of its counter."""


def _ref(data: dict[str, Any]) -> EntityRef:
    return EntityRef(int(data["business"]), int(data["entity"]))


def _check_other(actor: int, other: Any) -> int:
    if type(other) is not int or min(actor, other) <= 0 or actor == other:
        raise ValueError(f"{actor} has no relation to {other!r}")
    return other


def _check_names(names: Sequence[Any]) -> tuple[str, ...]:
    if not {str}.issuperset(map(type, names)):
        raise TypeError(f"{names!r} contains values that are not strings")
    return tuple(names)


def _trace(data: dict[str, Any]) -> ClientTrace:
    trace = ClientTrace(data.get("source"), data.get("ip"), data.get("device"), data.get("client"))
    if not _TEXTS.issuperset(map(type, trace)):
        raise TypeError(f"{trace!r} contains values that are not strings")
    return trace
